import { css } from 'lit';

export const aside = css`
  .card h2 {
    margin-bottom: 0.5rem;
  }
  .card ul,
  .assumptions {
    display: grid;
    gap: 0.5rem;
  }
  .assumptions {
    grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
    gap: 0.6rem 1.5rem;
  }
  .notes li,
  .differences li {
    padding-inline-start: 0.75rem;
    border-inline-start: 2px solid var(--rule);
  }
  .missing ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin-top: 0.5rem;
  }
  .missing li {
    padding: 0.1rem 0.6rem;
    border-radius: var(--round);
    color: var(--tight);
    background: var(--tight-ground);
    font-size: var(--small);
  }
  .assumptions dt {
    font-size: var(--small);
    color: var(--muted);
  }
  /* a name of the engine's among the form's */
  .assumptions dt::first-letter {
    text-transform: uppercase;
  }
  .why {
    display: block;
    font-size: var(--small);
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .classic > * + * {
    margin-top: var(--space-3);
  }
  .hosted strong {
    font-size: var(--head);
    white-space: nowrap;
  }
  .comparison {
    width: 100%;
    border-collapse: collapse;
  }
  .comparison th,
  .comparison td {
    padding: 0.25rem 0.3rem;
    text-align: end;
    font-weight: inherit;
    border-top: 1px solid var(--rule);
  }
  .comparison th[scope='row'] {
    text-align: start;
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .comparison thead td {
    border: 0;
  }
  .comparison thead th {
    font-size: var(--small);
    color: var(--muted);
    border-top: 0;
  }
  .comparison tfoot {
    font-weight: 650;
  }
  .thumb {
    padding: 0.6rem 0.75rem;
    background: var(--sunk);
    border-radius: var(--radius-control);
    font-size: var(--small);
  }
  .refused {
    color: var(--muted);
  }
`;
