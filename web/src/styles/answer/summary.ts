// The answer: the headline, and under it the bar with what its parts are called.

import { css } from 'lit';

export const summary = css`
  .verdict {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--space-2);
  }
  .badge {
    padding: 0 var(--space-2);
    border-radius: var(--round);
    font-weight: 700;
    background: var(--sunk);
  }
  .fits .badge {
    color: var(--fits);
    background: var(--fits-ground);
  }
  .tight .badge,
  .waits .badge {
    color: var(--tight);
    background: var(--tight-ground);
  }
  .too-large .badge,
  .does-not-start .badge {
    color: var(--large);
    background: var(--large-ground);
  }
  .left {
    font-size: var(--small);
    font-weight: 600;
  }
  .headline {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-items: baseline;
    column-gap: var(--space-2);
  }
  .number {
    line-height: 1.1;
    white-space: nowrap;
  }
  .number .value {
    font-size: var(--figure);
    font-weight: 720;
    letter-spacing: -0.025em;
  }
  .number .unit {
    font-size: var(--title);
    font-weight: 600;
    color: var(--muted);
  }
  .number.none {
    grid-column: 1 / -1;
    font-size: var(--title);
    line-height: 1.45;
    white-space: normal;
  }
  .capacity {
    font-size: var(--small);
    line-height: 1.2;
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .top {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: var(--space-1) var(--space-3);
  }
  .top .strip {
    flex: none;
    margin-inline-start: auto;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-4);
    font-size: var(--small);
    color: var(--muted);
  }
  .claim {
    font-size: var(--small);
  }
  .speed {
    min-height: 3.25rem;
  }
  /* The room of what else fits (possible.ts). */
  .possible {
    min-height: 3.6rem;
    margin-top: 0.5rem;
  }
  .incomplete {
    color: var(--tight);
  }
  .banner {
    margin-top: var(--space-2);
    padding: var(--space-1) var(--space-3);
    border-radius: var(--radius-control);
    font-size: var(--small);
    color: var(--large);
    background: var(--large-ground);
    overflow-wrap: anywhere;
  }
  .banner .hint {
    display: block;
  }
  .bar {
    display: block;
  }
  .legend {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(7.25rem, 100%), 1fr));
    gap: var(--space-1) var(--space-4);
    margin: var(--space-2) 0;
    font-size: var(--small);
  }
  .legend li {
    display: grid;
    grid-template-columns: 0.75rem minmax(0, 1fr);
    column-gap: var(--space-2);
    align-items: center;
    align-content: start;
    line-height: 1.3;
  }
  .legend strong {
    grid-column: 2;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .legend span:nth-child(2) {
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .sign {
    position: relative;
    height: 0.75rem;
  }
  .sign.limit {
    width: 0.75rem;
    border: 2px solid var(--load);
    border-radius: var(--round);
  }
  .sign.spread {
    height: 0.5rem;
    border: solid var(--ink);
    border-width: 0 1.5px;
    background: linear-gradient(var(--ink), var(--ink)) center / 100% 1.5px no-repeat;
  }
  @container (min-width: 52rem) {
    .brief {
      padding-block: var(--space-3);
    }
    .headline {
      column-gap: var(--space-4);
    }
    .legend {
      grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
    }
    .left {
      font-size: inherit;
    }
    .number .value {
      font-size: var(--hero);
    }
    .number .unit {
      font-size: var(--head);
    }
    .capacity {
      font-size: var(--title);
    }
    .speed {
      min-height: 1.5rem;
    }
    .possible {
      min-height: 2.15rem;
    }
  }
`;
