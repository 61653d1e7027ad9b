// The page of measured cases.

import { css } from 'lit';
import { app } from './app.ts';
import { charts } from './charts.ts';
import { tokens } from './tokens.ts';
import { form } from './form.ts';

const page = css`
  :host {
    max-width: 96rem;
    min-height: 100vh;
  }
  main {
    display: grid;
    gap: 1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .card {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    padding: 1rem;
    background: var(--card);
    border: 1px solid var(--rule);
    border-radius: var(--radius);
  }
  .strip,
  .card > button {
    justify-self: start;
  }
  .strip {
    flex-wrap: wrap;
  }
  .strip label {
    flex: 1 0 auto;
  }
  nav {
    align-items: center;
  }
  nav .choice > span {
    position: absolute;
    clip-path: inset(50%);
    width: 1px;
    height: 1px;
    overflow: hidden;
  }
  .fields {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr));
  }
  .fields .choice {
    display: grid;
    gap: 0.2rem;
    align-content: start;
    grid-template-columns: minmax(0, 1fr);
    font-size: var(--small);
    color: var(--muted);
  }
  .fields select,
  .fields input {
    width: 100%;
    padding: 0.4rem;
    color: var(--ink);
    font-size: var(--body);
    background: var(--card);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
  }
  .button {
    padding: 0.4rem 0.75rem;
    background: var(--card);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
    text-decoration: none;
  }
  .note,
  .more,
  .source,
  .quoted {
    font-size: var(--small);
    color: var(--muted);
    font-weight: 400;
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--small);
  }
  .medians {
    min-width: 44rem;
  }
  .cases {
    min-width: 58rem;
  }
  th,
  td {
    padding: 0.4rem 0.5rem;
    text-align: end;
    vertical-align: top;
    border-top: 1px solid var(--rule);
    font-weight: 400;
  }
  thead th {
    border-top: 0;
    font-weight: 600;
    color: var(--muted);
  }
  th:first-child,
  .cases th:nth-child(2),
  .metric {
    text-align: start;
  }
  .cases td:not(.metric) {
    white-space: nowrap;
  }
  .cases th:first-child {
    width: 45%;
  }
  /* On a narrow screen a case is a card: its figures under each other, each with its name. */
  @media (max-width: 44rem) {
    .cases,
    .cases tbody {
      display: block;
      min-width: 0;
    }
    .cases thead tr {
      display: flex;
      flex-wrap: wrap;
    }
    .cases tbody tr {
      display: grid;
      padding: 0.5rem 0;
      grid-template-columns: repeat(2, minmax(0, 1fr));
      border-top: 1px solid var(--rule);
    }
    .cases tbody th:first-child,
    .cases .metric {
      grid-column: 1 / -1;
      width: auto;
    }
    .cases tbody th,
    .cases tbody td {
      padding: 0.2rem 0;
      text-align: start;
      border: 0;
    }
    .cases td[data-name]::before {
      content: attr(data-name);
      display: block;
      color: var(--muted);
    }
  }
  .model {
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  .why {
    margin-top: 0.2rem;
    padding-inline-start: 0.6rem;
    border-inline-start: 3px solid var(--tight);
  }
  .plain {
    padding: 0;
    border: 0;
    background: none;
    color: var(--sea);
    font: inherit;
    text-align: inherit;
    text-decoration: underline;
    text-decoration-color: var(--rule);
    text-underline-offset: 0.2em;
  }
  .mark {
    display: block;
    height: auto;
    stroke: none;
  }
  h1 .mark {
    stroke: var(--load);
  }
  td .mark {
    color: var(--muted);
  }
  td .mark.outside {
    color: var(--large);
  }
  td .mark.exact,
  td .mark.inside {
    color: var(--fits);
  }
  .keys {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    font-size: var(--small);
  }
  .read-off {
    min-height: 6.5rem;
    font-size: var(--small);
  }
  .pages {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.75rem;
    margin: 0;
  }
  button:disabled {
    opacity: 0.5;
    cursor: default;
  }
  .missing summary {
    cursor: pointer;
  }
  .missing li {
    font-size: var(--small);
    overflow-wrap: anywhere;
  }
`;

export const accuracyStyles = [tokens, form, charts, app, page];
