// Of ways out, and of what the room that is left buys.

import { css } from 'lit';
import { tokens } from '../tokens.ts';
import { verdicts } from './verdicts.ts';

const ways = css`
  :host {
    display: block;
    container-type: inline-size;
    margin-top: 0.6rem;
  }
  :host > div {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .stale ul {
    opacity: 0.5;
  }
  h3 {
    margin: 0.3rem 0 0;
    font-size: var(--body);
  }
  .hint,
  .cost,
  .sources {
    font-size: var(--small);
    color: var(--muted);
  }
  ul,
  ol {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  li[data-way] {
    display: grid;
    gap: 0.2rem 0.9rem;
    grid-template-columns: minmax(0, 1fr) max-content max-content;
    align-items: center;
  }
  .change {
    display: grid;
    font-size: var(--small);
    overflow-wrap: anywhere;
  }
  .result {
    display: grid;
    justify-items: end;
    font-size: var(--small);
    white-space: nowrap;
  }
  summary {
    cursor: pointer;
    font-size: var(--small);
  }
  details > * {
    margin-top: 0.5rem;
  }
  ol {
    max-width: 20rem;
    font-size: var(--small);
  }
  ol li {
    display: flex;
    justify-content: space-between;
    align-items: center;
    min-height: 2rem;
  }
  ol button {
    padding: 0.1rem 0.7rem;
  }
  .sources {
    gap: 0.2rem;
  }
  @container (width < 30rem) {
    li[data-way] {
      grid-template-columns: minmax(0, 1fr) max-content;
    }
    .change {
      grid-column: 1 / -1;
    }
    .result {
      display: flex;
      gap: 0.6rem;
      justify-self: start;
    }
  }
`;

export const waysStyles = [tokens, verdicts, ways];
