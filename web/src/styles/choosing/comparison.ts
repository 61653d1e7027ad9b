// Of configurations side by side.

import { css } from 'lit';
import { charts } from '../charts.ts';
import { tokens } from '../tokens.ts';
import { verdicts } from './verdicts.ts';

const comparison = css`
  :host {
    display: block;
    container-type: inline-size;
    margin-top: 0.6rem;
  }
  :host > div {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .stale table,
  .stale .bars {
    opacity: 0.5;
  }
  .heads {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr));
  }
  .heads li {
    display: grid;
    gap: 0.35rem;
    align-content: start;
    padding: 0.6rem 0.75rem;
    background: var(--sunk);
    border-radius: var(--radius-control);
    grid-template-columns: minmax(0, 1fr);
  }
  .heads input {
    width: 100%;
    padding: 0.25rem 0.45rem;
    font-weight: 650;
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
  }
  .heads ::placeholder {
    color: var(--ink);
    opacity: 1;
  }
  h3 {
    margin: 0;
    font-size: var(--body);
  }
  .heads h3 {
    padding: 0.25rem 0;
  }
  .speed {
    font-size: var(--small);
  }
  .title {
    font-size: var(--small);
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .total strong {
    font-size: var(--title);
  }
  .error {
    font-size: var(--small);
    color: var(--large);
    overflow-wrap: anywhere;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    align-self: end;
    font-size: var(--small);
  }
  .actions button {
    padding: 0.2rem 0.6rem;
    min-height: 1.75rem;
  }
  .bars {
    display: grid;
    gap: 0.25rem 0.75rem;
    grid-template-columns: minmax(0, max-content) minmax(0, 1fr);
    align-items: center;
    font-size: var(--small);
  }
  .bars dt {
    max-width: 9rem;
    overflow-wrap: anywhere;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 1rem;
    font-size: var(--small);
  }
  .settings {
    display: grid;
    gap: 0.35rem 1.5rem;
    grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr));
    font-size: var(--small);
  }
  .settings dt {
    color: var(--muted);
  }
  .settings dd {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .scroll {
    overflow: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--small);
  }
  caption {
    padding-bottom: 0.3rem;
    text-align: start;
    color: var(--muted);
  }
  th,
  td {
    padding: 0.3rem 0.4rem;
    font-weight: inherit;
    text-align: start;
    vertical-align: baseline;
    border-top: 1px solid var(--rule);
  }
  thead th {
    font-weight: 600;
    color: var(--muted);
    border-top: 0;
  }
  td:not(.why),
  thead .bytes {
    text-align: end;
    white-space: nowrap;
  }
  td small {
    display: block;
    color: var(--muted);
  }
  .level-0 > th,
  tfoot {
    font-weight: 650;
  }
  tbody td {
    font-weight: 400;
  }
  .same {
    color: var(--muted);
  }
  .level-1 > th {
    padding-inline-start: 1.2rem;
  }
  .level-2 > th {
    padding-inline-start: 2rem;
  }
  .level-3 > th {
    padding-inline-start: 2.8rem;
  }
  .why {
    min-width: 9rem;
    color: var(--sea);
    overflow-wrap: anywhere;
  }
  .whole {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    font-size: var(--small);
  }
  .whole input {
    width: 1.05rem;
    height: 1.05rem;
    accent-color: var(--sea);
  }
`;

export const comparisonStyles = [tokens, charts, verdicts, comparison];
