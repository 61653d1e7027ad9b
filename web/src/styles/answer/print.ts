// On paper: the answer with its settings on one page, in the light theme, without anything to click.

import { css } from 'lit';

export const printed = css`
  .printed {
    display: none;
  }
  @media print {
    :host {
      color-scheme: light;
      font-size: var(--body);
    }
    .layout {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      grid-template-rows: none;
      grid-template-areas: 'brief' 'picture' 'details';
    }
    .brief {
      position: static;
    }
    .rows :is(th, td) {
      padding-block: 0.1rem;
    }
    .rows button {
      padding: 0;
    }
    .picture > :is(plimsoll-speed, .speed) {
      min-height: 0;
    }
    .picture,
    .brief,
    .details > section {
      break-inside: avoid;
      print-color-adjust: exact;
    }
    .form,
    .aside,
    .strip,
    .tabbed,
    .twist,
    .timeline,
    .devices,
    .picture > plimsoll-possible,
    .details > .comparison,
    .details > .fold,
    .details > .cluster {
      display: none;
    }
    .printed {
      display: block;
    }
    .printed dl {
      columns: 2;
      margin-bottom: var(--space-2);
      font-size: var(--small);
    }
    .printed div {
      display: flex;
      justify-content: space-between;
      gap: var(--space-3);
      break-inside: avoid;
      border-bottom: 1px solid var(--rule);
    }
    .printed dd {
      text-align: end;
    }
  }
`;
