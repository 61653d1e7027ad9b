import { css } from 'lit';

export const examples = css`
  dialog {
    width: min(56rem, calc(100vw - 1.5rem));
    max-height: calc(100vh - 3rem);
    padding: 0 1.25rem 1.25rem;
    overflow: auto;
    color: inherit;
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: var(--radius);
  }
  dialog::backdrop {
    background: var(--veil);
  }
  .head {
    position: sticky;
    top: 0;
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: 1rem;
    padding: 1rem 0 0.6rem;
    background: var(--paper);
  }
  .head h2 {
    font-size: var(--head);
  }
  article {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
    margin-top: 1rem;
    padding: 1rem 1.25rem;
    background: var(--card);
    border: 1px solid var(--rule);
    border-radius: var(--radius);
  }
  .claim code {
    display: block;
    margin-top: 0.25rem;
    color: var(--muted);
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.25rem 0.5rem 0.25rem 0;
    text-align: end;
    font-weight: inherit;
    border-top: 1px solid var(--rule);
  }
  th[scope='row'],
  td.unit {
    text-align: start;
  }
  thead td {
    border: 0;
  }
  thead th {
    font-size: var(--small);
    color: var(--muted);
    border: 0;
  }
  .unit,
  .from {
    overflow-wrap: anywhere;
    font-size: var(--small);
    color: var(--muted);
  }
  .agrees {
    color: var(--fits);
    font-weight: 600;
  }
  .near {
    font-weight: 600;
  }
  .differs {
    color: var(--large);
    font-weight: 600;
  }
  article > button {
    justify-self: start;
  }
  @media (max-width: 40rem) {
    dialog {
      padding: 0 0.75rem 0.75rem;
    }
    article {
      padding: 0.75rem;
    }
    /* Three figures in a row would not fit: what is compared stands above its figures. */
    tr {
      display: grid;
      grid-template-columns: 1fr 1fr;
    }
    th,
    td {
      overflow-wrap: anywhere;
    }
    th[scope='row'],
    td.unit {
      grid-column: 1 / -1;
    }
    td,
    thead td {
      border: 0;
    }
    thead td {
      display: none;
    }
  }
`;
