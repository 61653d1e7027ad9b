// Of a log's figures beside ours: a table where there is room, else a block for each figure.

import { css } from 'lit';

export const beside = css`
  .beside {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--small);
  }
  .beside th,
  .beside td {
    padding: 0.5rem 0.4rem;
    text-align: start;
    vertical-align: top;
    font-weight: inherit;
    border-bottom: 1px solid var(--rule);
  }
  .beside thead th {
    color: var(--muted);
    font-weight: 600;
  }
  .beside tbody th {
    width: 34%;
    overflow-wrap: anywhere;
  }
  .beside td > span,
  .beside th > .counts {
    display: block;
  }
  .beside .badge {
    width: max-content;
  }
  .mark,
  .counts {
    color: var(--muted);
  }
  .figures {
    display: grid;
    gap: 0.4rem;
    font-size: var(--small);
  }
  .figures li {
    display: grid;
    gap: 0 0.75rem;
    grid-template-columns: minmax(0, 1fr) max-content;
  }
  .figures .counts {
    grid-column: 1 / -1;
  }
  .refused {
    font-size: var(--small);
  }
  @container (width < 44rem) {
    .beside,
    .beside tbody,
    .beside tr,
    .beside th,
    .beside td {
      display: block;
      width: auto;
    }
    .beside thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .beside tr {
      padding: 0.6rem 0;
      border-bottom: 1px solid var(--rule);
    }
    .beside tbody th,
    .beside td {
      width: auto;
      padding: 0.15rem 0;
      border: 0;
    }
    .beside td {
      display: grid;
      gap: 0 0.6rem;
      grid-template-columns: 7rem minmax(0, 1fr);
    }
    .beside td::before {
      grid-row: 1 / span 3;
      content: attr(data-label);
      color: var(--muted);
    }
  }
`;
