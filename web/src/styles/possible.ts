// Of what else would fit.

import { css } from 'lit';
import { tokens } from './tokens.ts';

const possible = css`
  :host {
    grid-column: 1 / -1;
  }
  section {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.3rem 0.6rem;
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
    flex-wrap: wrap;
    gap: 0.3rem 0.4rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  button {
    min-height: 1.75rem;
    padding: 0.15rem 0.6rem;
    font: inherit;
    font-size: var(--small);
    text-align: start;
    color: inherit;
    background: var(--sunk);
    border: 1px solid var(--rule);
    border-radius: 99px;
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    border-color: var(--sea);
  }
  button:disabled {
    cursor: default;
    opacity: 0.6;
  }
`;

export const possibleStyles = [tokens, possible];
