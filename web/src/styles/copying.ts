// Of texts to copy.

import { css } from 'lit';

export const copying = css`
  :host {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
  }
  figure {
    margin: 0;
  }
  figcaption {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem;
    font-size: var(--small);
    color: var(--muted);
  }
  pre {
    margin: 0.4rem 0 0;
    padding: 0.75rem;
    overflow-x: auto;
    font-size: var(--small);
    background: var(--sunk);
    border-radius: var(--radius-control);
  }
  pre code {
    overflow-wrap: normal;
  }
  .hint {
    font-size: var(--small);
    color: var(--muted);
  }
`;
