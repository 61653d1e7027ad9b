// Files on their way in, and what they hold.

import { css } from 'lit';

export const files = css`
  .reading,
  .refused-files,
  .tensors,
  .hub {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem;
    background: var(--sunk);
    border-radius: var(--radius-control);
    overflow-wrap: anywhere;
  }
  .reading button,
  .refused-files button,
  .tensors button,
  .hub button {
    justify-self: start;
  }
  .reading progress {
    width: 100%;
    accent-color: var(--sea);
  }
  .refused-files,
  .warning {
    color: var(--large);
    background: var(--large-ground);
  }
  .refused-files .hint {
    color: inherit;
  }
  .hub summary,
  .per-layer summary {
    font-weight: 650;
    cursor: pointer;
  }
  plimsoll-hub {
    display: grid;
    gap: 0.6rem;
    margin-top: 0.6rem;
  }
  .inspection {
    display: grid;
    gap: 0.9rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .inspection .head {
    display: flex;
    justify-content: space-between;
    align-items: start;
    gap: 1rem;
  }
  .inspection .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 2rem;
  }
  .inspection dt {
    font-size: var(--small);
    color: var(--muted);
  }
  .inspection dd {
    overflow-wrap: anywhere;
  }
  .warning {
    display: grid;
    gap: 0.4rem;
    padding: 0.75rem;
    border-radius: var(--radius-control);
  }
  .inspection h3 {
    font-size: var(--body);
  }
  .inspection .tables {
    display: grid;
    gap: 1rem 1.5rem;
    grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
    align-items: start;
  }
  .per-layer .scroll {
    max-height: 24rem;
    overflow-y: auto;
    margin-top: 0.5rem;
  }
  @container (max-width: 30rem) {
    .inspection th:nth-child(5),
    .inspection td:nth-child(5) {
      display: none;
    }
  }
`;
