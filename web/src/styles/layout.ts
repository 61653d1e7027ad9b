// Where things stand, by the width that the calculator is given. The headline stays in sight while one reads on: two lines on a
// narrow screen. Beside it, where there is room, the form stays too, and on very wide screens what the answer rests on.

import { css } from 'lit';

export const layout = css`
  :host {
    display: block;
    container-type: inline-size;
  }
  .layout {
    display: grid;
    gap: var(--gap);
    grid-template-columns: minmax(0, 1fr);
    grid-template-areas: 'brief' 'picture' 'form' 'details' 'aside';
    --gap: var(--space-3);
    --inside: var(--space-4);
  }
  .answer-only {
    grid-template-areas: 'brief' 'picture' 'details' 'aside';
  }
  .summary,
  .summary > section {
    display: contents;
  }
  .brief {
    grid-area: brief;
    position: sticky;
    top: 0;
    z-index: 3;
    padding: var(--space-2) var(--inside);
    background: var(--card);
    border: 1px solid var(--rule);
    border-radius: var(--radius) var(--radius) 0 0;
  }
  .picture {
    grid-area: picture;
    margin-top: calc(-1 * var(--gap));
    padding: var(--space-3) var(--inside);
    background: var(--card);
    border: 1px solid var(--rule);
    border-top: 0;
    border-radius: 0 0 var(--radius) var(--radius);
  }
  .form {
    grid-area: form;
  }
  .details,
  .aside {
    display: grid;
    gap: var(--gap);
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
  }
  .details {
    grid-area: details;
  }
  .aside {
    grid-area: aside;
  }
  .form > form,
  .details > section,
  .aside > .tabbed,
  .card {
    padding: var(--inside);
    background: var(--card);
    border: 1px solid var(--rule);
    border-radius: var(--radius);
  }
  /* An answer that is not the form's any more: grey whatever the verdict was, and yet dark enough to be read. */
  .stale .badge {
    color: var(--muted);
    background: var(--sunk);
  }
  .stale .number,
  .stale .left,
  .stale td,
  .stale th button {
    color: var(--muted);
  }
  .stale svg,
  .stale .swatch {
    filter: grayscale(1);
    opacity: 0.4;
  }
  .drop {
    position: fixed;
    inset: 0;
    z-index: 20;
    display: grid;
    place-items: center;
    padding: 2rem;
    font-size: var(--head);
    font-weight: 650;
    text-align: center;
    color: var(--sea);
    background: color-mix(in srgb, var(--paper) 88%, transparent);
    border: 3px dashed var(--sea);
  }
  @container (min-width: 52rem) {
    .layout {
      grid-template-columns: minmax(20rem, 24rem) minmax(0, 1fr);
      grid-template-rows: auto auto auto 1fr;
      grid-template-areas: 'form brief' 'form picture' 'form details' 'form aside';
      --gap: var(--space-4);
      --inside: var(--space-5);
    }
    .answer-only {
      grid-template-columns: minmax(0, 1fr);
      grid-template-areas: 'brief' 'picture' 'details' 'aside';
    }
    /* As high as the window or lower it stands at its top; a higher one is scrolled to its end, and stands there. */
    .form {
      position: sticky;
      top: min(0px, calc(100vh - var(--form-height, 0px) - var(--space-4)));
      z-index: 4;
      align-self: start;
    }
  }
  @container (min-width: 96rem) {
    .layout {
      grid-template-columns: 25rem minmax(0, 1fr) minmax(30rem, 0.75fr);
      grid-template-rows: auto auto 1fr;
      grid-template-areas: 'form brief aside' 'form picture aside' 'form details aside';
    }
    .answer-only {
      grid-template-columns: minmax(0, 1fr) minmax(30rem, 0.75fr);
      grid-template-areas: 'brief aside' 'picture aside' 'details aside';
    }
  }
  @media (max-height: 22rem) {
    .brief {
      position: static;
    }
  }
`;
