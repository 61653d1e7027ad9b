// Of the search over layouts.

import { css } from 'lit';
import { charts } from '../charts.ts';
import { verdicts } from './verdicts.ts';
import { form } from '../form.ts';
import { tokens } from '../tokens.ts';
import { drawn } from './layouts-drawn.ts';

const layouts = css`
  :host,
  .result,
  .front,
  .picture,
  .neighbours {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
  }
  :host {
    margin-top: 0.6rem;
  }
  form.wish {
    gap: 0.6rem;
  }
  h3 {
    margin: 0.5rem 0 0;
    font-size: var(--body);
  }
  .hint {
    font-size: var(--small);
    color: var(--muted);
  }
  .error {
    color: var(--large);
  }
  .sizes,
  .brushes {
    display: grid;
    gap: 0.6rem 0.9rem;
    grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr));
    align-items: end;
  }
  .brushes {
    grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr));
  }
  .want {
    grid-column: span 2;
  }
  .others {
    display: grid;
    gap: 0.6rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .remove {
    justify-self: start;
  }
  .sizes input,
  .sizes select {
    width: 100%;
    min-height: 2.25rem;
    padding: 0.35rem 0.5rem;
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
  }
  .sizes [aria-invalid='true'] {
    border-color: var(--load);
  }
  .kept {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1rem;
    font-size: var(--small);
  }
  .kept legend {
    margin-bottom: 0.2rem;
  }
  .primary {
    color: var(--on-sea);
    background: var(--sea);
    border-color: var(--sea);
  }
  .primary:hover {
    color: var(--on-sea);
    opacity: 0.9;
  }
  .progress {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 0.8rem;
    align-items: center;
    font-size: var(--small);
  }
  progress {
    flex: 1 1 10rem;
    accent-color: var(--sea);
  }
  .neighbours ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .neighbours th {
    min-width: 7rem;
    white-space: normal;
  }
  .neighbours td {
    min-width: 11rem;
    white-space: normal;
    vertical-align: top;
  }
  .stale table,
  .stale .points {
    opacity: 0.5;
  }
  .refusals summary {
    cursor: pointer;
    font-size: var(--small);
  }
  .refusals ul {
    display: grid;
    gap: 0.4rem;
    margin-top: 0.4rem;
    font-size: var(--small);
  }
  .scroll {
    max-height: min(32rem, 80vh);
    overflow: auto;
  }
  table {
    width: 100%;
    border-collapse: separate;
    border-spacing: 0;
    font-size: var(--small);
  }
  th,
  td {
    padding: 0.25rem 0.5rem;
    font-weight: inherit;
    text-align: start;
    white-space: nowrap;
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
    background: var(--card);
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
  }
  tbody tr {
    cursor: pointer;
  }
  tbody tr:hover {
    background: var(--sunk);
  }
  .figure {
    text-align: end;
  }
  .take,
  .actions button {
    min-height: 1.75rem;
    padding: 0.1rem 0.5rem;
  }
  .take {
    font-weight: 600;
    color: var(--sea);
  }
  .chosen > th,
  [aria-pressed='true'] {
    box-shadow: inset 0 0 0 1px var(--sea);
  }
  abbr {
    color: var(--sea);
    text-decoration: none;
  }
`;

export const layoutsStyles = [tokens, form, charts, ...verdicts, layouts, drawn];
