// Of tables of what fits.

import { css } from 'lit';
import { form } from '../form.ts';
import { tokens } from '../tokens.ts';

const fits = css`
  :host {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
    margin-top: 0.6rem;
  }
  .strip {
    flex-wrap: wrap;
    justify-self: start;
    max-width: 100%;
  }
  .strip span {
    white-space: normal;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 0.9rem;
    align-items: end;
    font-size: var(--small);
  }
  .filters label {
    display: grid;
    gap: 0.15rem;
    max-width: 100%;
  }
  .filters label > span {
    color: var(--muted);
    font-weight: 600;
  }
  .filters select {
    max-width: 13rem;
    padding: 0.3rem 0.4rem;
  }
  .filters .only {
    display: flex;
    gap: 0.4rem;
    align-items: center;
    min-height: 2rem;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 0.6rem;
    align-items: baseline;
    font-size: var(--small);
  }
  .legend .verdict {
    padding: 0 0.45rem;
    border-radius: var(--radius-small);
  }
  .legend .count {
    margin-inline-start: auto;
    color: var(--muted);
  }
  .scroll {
    max-height: min(36rem, 80vh);
    overflow: auto;
  }
  table {
    border-collapse: separate;
    border-spacing: 0;
    font-size: var(--small);
  }
  .long table {
    width: 100%;
  }
  th,
  td {
    padding: 0.2rem 0.4rem;
    font-weight: inherit;
    text-align: start;
    border-bottom: 1px solid var(--rule);
  }
  thead th {
    position: sticky;
    top: 0;
    z-index: 1;
    font-weight: 600;
    color: var(--muted);
    background: var(--card);
  }
  th:first-child {
    position: sticky;
    inset-inline-start: 0;
    min-width: 7.5rem;
    max-width: 13rem;
    background: var(--card);
    overflow-wrap: anywhere;
  }
  thead th:first-child {
    z-index: 2;
  }
  thead button {
    padding: 0.1rem 0;
    border: 0;
    background: none;
    color: inherit;
    font-weight: 600;
    text-align: inherit;
  }
  .figure {
    text-align: end;
    white-space: nowrap;
  }
  .chosen > th,
  th.chosen {
    font-weight: 700;
    color: var(--ink);
  }
  td.verdict {
    padding: 0;
    text-align: end;
    white-space: nowrap;
    border-inline-start: 1px solid var(--card);
  }
  td.verdict button {
    width: 100%;
    min-height: 1.75rem;
    padding: 0.15rem 0.4rem;
    border: 0;
    border-radius: 0;
    background: none;
    color: inherit;
    text-align: end;
  }
  td.verdict button:hover,
  td.verdict button:focus-visible {
    outline: 2px solid var(--sea);
    outline-offset: -2px;
  }
  .verdict.fits {
    color: var(--fits);
    background: var(--fits-ground);
  }
  .verdict.tight,
  .verdict.waits {
    color: var(--tight);
    background: var(--tight-ground);
  }
  .verdict.too-large,
  .verdict.does-not-start {
    color: var(--large);
    background: var(--large-ground);
  }
  .empty {
    color: var(--muted);
    text-align: center;
  }
`;

export const fitsStyles = [tokens, form, fits];
