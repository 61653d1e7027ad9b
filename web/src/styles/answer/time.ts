// Of times: the line under the verdict, and the fold.

import { css } from 'lit';
import { charts } from '../charts.ts';
import { form } from '../form.ts';
import { rows } from '../rows.ts';
import { storage } from '../storage.ts';
import { tokens } from '../tokens.ts';
import { twist } from '../twist.ts';

/* Its room is kept from the first answer on: two lines on narrow screens, one on others. */
const line = css`
  :host {
    display: block;
    grid-column: 1 / -1;
    min-height: 3.25rem;
    font-size: var(--small);
  }
  .limit {
    padding: 0 0.4rem;
    border: 1px solid var(--edge);
    border-radius: var(--round);
    color: var(--muted);
  }
  .stale {
    opacity: 0.5;
  }
  button {
    margin-block: -0.25rem; /* a target of 24 px within a line */
    padding: 0 0.15rem;
    line-height: 1;
    border: 0;
    background: none;
    color: var(--sea);
    text-decoration: underline;
  }
  @container (min-width: 52rem) {
    :host {
      min-height: 1.5rem;
    }
  }
`;

export const keyStyles = css`
  .key {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 1rem;
    font-size: var(--small);
  }
  .roof,
  .reached,
  .limit-key {
    padding-inline-start: 0.6rem;
    border-inline-start: 3px solid var(--load);
  }
  .limit-key {
    border-inline-start-style: dashed;
  }
  .reached {
    border-inline-start: 3px dashed var(--ink);
  }
  .about {
    font-size: var(--small);
    color: var(--muted);
  }
`;

const body = css`
  :host,
  :host > div,
  section {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
  }
  :host > div {
    gap: 1.5rem;
    margin-top: 0.5rem;
  }
  .rows table {
    margin-top: 0;
  }
  .stale {
    opacity: 0.5;
  }
  h3 {
    font-size: var(--body);
    font-weight: 650;
  }
  .strip {
    justify-self: start;
    max-width: 100%;
  }
  .strip label {
    flex: auto;
  }
  .scroll {
    max-height: 24rem;
    overflow: auto;
  }
  .passes {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--small);
  }
  .passes th,
  .passes td {
    padding: 0.35rem 0.5rem;
    text-align: end;
    font-weight: inherit;
    white-space: nowrap;
    border-top: 1px solid var(--rule);
  }
  .passes th:first-child {
    padding-inline-start: 0;
    min-width: 6.5rem;
    text-align: start;
    white-space: normal;
  }
  .passes thead th {
    font-weight: 600;
    color: var(--muted);
    border-top: 0;
  }
  .figures {
    font-size: var(--small);
  }
  summary {
    cursor: pointer;
  }
  .typed {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
  }
  .typed label {
    display: grid;
    gap: 0.25rem;
    width: 14rem;
  }
  .limit {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.5rem;
  }
  .error {
    font-size: var(--small);
    color: var(--large);
  }
`;

export const lineStyles = [tokens, line];
export const timeStyles = [tokens, form, charts, twist, rows, storage, keyStyles, body];
