// The explanation of an encoding, and tables of figures.

import { css } from 'lit';

export const storage = css`
  .card.fold > summary {
    font-size: var(--title);
    font-weight: 650;
    cursor: pointer;
  }
  .storage > * + *,
  .fold > :not(summary) {
    margin: 0.75rem 0 0;
  }
  .storage h3 {
    font-size: var(--body);
  }
  .storage figcaption {
    margin-bottom: 0.5rem;
    font-weight: 600;
  }
  .parts li {
    display: grid;
    grid-template-columns: 0.75rem minmax(0, 1fr) max-content;
    gap: 0.15rem 0.5rem;
    align-items: baseline;
    padding: 0.2rem 0;
  }
  .parts small,
  .parts .bits {
    font-size: var(--small);
    color: var(--muted);
  }
  .parts svg {
    grid-column: 1 / -1;
  }
  .parts svg,
  .proportions {
    display: block;
  }
  .proportions {
    margin-top: 0.6rem;
  }
  .sum {
    margin-top: 0.4rem;
    overflow-wrap: anywhere;
  }
  .scroll {
    overflow-x: auto;
  }
  .figures {
    width: 100%;
    border-collapse: collapse;
  }
  .card.fold {
    margin-top: 0;
  }
  .devices .figures,
  .card.fold .figures {
    margin-top: 0.5rem;
    font-size: var(--small);
  }
  .figures caption {
    padding-bottom: 0.25rem;
    font-weight: 600;
    text-align: start;
  }
  .figures th,
  .figures td {
    padding: 0.2rem 0.4rem;
    border-top: 1px solid var(--rule);
    font-weight: inherit;
    text-align: end;
    white-space: nowrap;
  }
  .storage tbody tr:last-child {
    font-weight: 650;
  }
  .figures thead th {
    border-top: 0;
    font-size: var(--small);
    color: var(--muted);
  }
  .figures th:first-child {
    min-width: 5rem;
    text-align: start;
    white-space: normal;
  }
  @container (max-width: 30rem) {
    .figures th,
    .figures td {
      padding: 0.2rem;
      font-size: var(--small);
    }
  }
`;
