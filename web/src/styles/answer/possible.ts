// Of what else would fit.

import { css } from 'lit';
import { tokens } from '../tokens.ts';

/* Its room is kept from the first answer on, so that nothing moves when the search has ended: one row, which narrow screens scroll. */
const possible = css`
  :host {
    display: block;
    grid-column: 1 / -1;
    min-height: 3.6rem;
    margin-top: 0.5rem;
  }
  .stale {
    opacity: 0.5;
  }
  h2 {
    margin: 0;
    font-size: var(--small);
    font-weight: 600;
    color: var(--muted);
  }
  ul {
    display: flex;
    gap: 0.3rem 0.4rem;
    height: 2.35rem;
    margin: 0 -0.2rem;
    padding: 0.2rem;
    list-style: none;
    overflow: auto hidden;
    scrollbar-width: thin;
  }
  li {
    flex: none;
  }
  button {
    min-height: var(--target);
    padding: 0.15rem 0.6rem;
    font: inherit;
    font-size: var(--small);
    text-align: start;
    color: inherit;
    background: var(--sunk);
    border: 1px solid var(--rule);
    border-radius: var(--round);
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    border-color: var(--sea);
  }
  button:disabled {
    cursor: default;
    opacity: 0.6;
  }
  @container (min-width: 52rem) {
    :host {
      min-height: 2.15rem;
    }
    section {
      display: flex;
      align-items: baseline;
      gap: 0.4rem;
    }
    ul {
      flex-wrap: wrap;
      height: auto;
      overflow: visible;
    }
  }
`;

export const possibleStyles = [tokens, possible];
