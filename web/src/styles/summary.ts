import { css } from 'lit';

export const summary = css`
  .top {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: 0.4rem 0.75rem;
  }
  .top .strip {
    margin-inline-start: auto;
  }
  .verdict {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.3rem 0.6rem;
  }
  .badge {
    padding: 0.15rem 0.7rem;
    border-radius: 99px;
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
  .last-good {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-items: baseline;
    column-gap: 0.7rem;
  }
  .number {
    line-height: 1.1;
    white-space: nowrap;
  }
  .number .value {
    font-size: 2.1rem;
    font-weight: 720;
    letter-spacing: -0.025em;
  }
  .number .unit {
    font-size: 1.15rem;
    font-weight: 600;
    color: var(--muted);
  }
  .capacity {
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .facts {
    display: flex;
    grid-column: 1 / -1;
    flex-wrap: wrap;
    gap: 0.1rem 1.25rem;
    font-size: var(--small);
    color: var(--muted);
  }
  .claim {
    grid-column: 1 / -1;
    font-size: var(--small);
  }
  .speed {
    grid-column: 1 / -1;
    min-height: 2.55rem;
  }
  .incomplete {
    color: var(--tight);
  }
  .facts .range {
    display: none;
  }
  .waiting {
    min-height: 13rem;
    grid-column: 1 / -1;
    color: var(--muted);
  }
  .banner {
    margin: 0.5rem 0;
    padding: 0.4rem 0.75rem;
    border-radius: 7px;
    font-size: var(--small);
    color: var(--large);
    background: var(--large-ground);
    overflow-wrap: anywhere;
  }
  .bar {
    grid-column: 1 / -1;
    display: block;
  }
  @container (min-width: 52rem) {
    .last-good {
      grid-template-columns: minmax(0, 1fr);
      padding-top: 0.4rem;
    }
    .left {
      font-size: inherit;
    }
    .number .value {
      font-size: 3.5rem;
    }
    .number .unit {
      font-size: 1.6rem;
    }
    .capacity {
      font-size: var(--title);
    }
    .facts {
      padding-top: 0.15rem;
    }
    .facts .range {
      display: inline;
    }
    .speed {
      min-height: 1.3rem;
    }
    .bar {
      margin-top: 0.5rem;
    }
  }
`;
