// Of the pieces that come later: the chart of memory and the commands.

import { css, unsafeCSS } from 'lit';
import uPlotStyles from 'uplot/dist/uPlot.min.css?inline';
import { charts } from './charts.ts';
import { copying } from './copying.ts';
import { form } from './form.ts';
import { storage } from './storage.ts';
import { tokens } from './tokens.ts';

const curve = css`
  :host {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .strip {
    justify-self: start;
  }
  .read-off {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 1rem;
    font-size: var(--small);
  }
  .capacity-key {
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--load);
    font-size: var(--small);
    color: var(--muted);
  }
  summary {
    cursor: pointer;
  }
  .figures {
    font-size: var(--small);
  }
  .scroll {
    max-height: 24rem;
    margin-top: 0.5rem;
    overflow: auto;
  }
`;

/* What a canvas is painted with is read off samples, which change with the theme and say so when they have. */
const stack = css`
  :host,
  .plot {
    display: block;
  }
  .samples {
    position: absolute;
    clip-path: inset(50%);
    width: 1px;
    height: 1px;
    overflow: hidden;
  }
  .sample {
    display: block;
    width: 1px;
    height: 1px;
    background-color: var(--part);
    transition: background-color 0.01s;
  }
  .card {
    --part: var(--card);
  }
  .ink {
    --part: var(--ink);
  }
  .rule {
    --part: var(--rule);
  }
  .load {
    --part: var(--load);
  }
`;

export const curveStyles = [tokens, charts, form, storage, curve];
export const stackStyles = [tokens, charts, unsafeCSS(uPlotStyles), stack];
const evidence = css`
  :host {
    display: grid;
    gap: 0.75rem;
    margin-top: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    width: 100%;
    min-width: 36rem;
    border-collapse: collapse;
    font-size: var(--small);
  }
  caption {
    padding-bottom: 0.25rem;
    text-align: start;
    color: var(--muted);
  }
  th,
  td {
    padding: 0.35rem 0.5rem;
    text-align: end;
    vertical-align: top;
    border-top: 1px solid var(--rule);
    font-weight: 400;
  }
  td {
    white-space: nowrap;
  }
  thead th {
    font-weight: 600;
    color: var(--muted);
  }
  th:first-child {
    padding-inline-start: 0;
    text-align: start;
  }
  .more,
  .source {
    color: var(--muted);
  }
  .source,
  .mark {
    display: block;
  }
  .in {
    color: var(--fits);
  }
  .out {
    color: var(--large);
  }
  /* On a narrow screen a case is a card, as on the page of all cases. */
  @media (max-width: 44rem) {
    table,
    caption,
    tbody {
      display: block;
      min-width: 0;
    }
    thead {
      display: none;
    }
    tbody tr {
      display: grid;
      padding: 0.4rem 0;
      grid-template-columns: repeat(2, minmax(0, 1fr));
      border-top: 1px solid var(--rule);
    }
    tbody th {
      grid-column: 1 / -1;
    }
    tbody th,
    tbody td {
      padding: 0.1rem 0;
      text-align: start;
      border: 0;
    }
    td::before {
      content: attr(data-name);
      display: block;
      color: var(--muted);
    }
  }
`;

export const evidenceStyles = [tokens, evidence];
export const launchStyles = [tokens, copying];
