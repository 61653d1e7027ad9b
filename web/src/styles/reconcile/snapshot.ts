// Of a snapshot of memory: its course, and its segments.

import { css } from 'lit';

export const snapshot = css`
  .device {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
    font-size: var(--small);
  }
  .courses {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
  }
  .courses figure {
    flex: 1 1 12rem;
    min-width: 0;
    margin: 0;
  }
  .courses figure:first-child {
    flex: 3 1 18rem;
  }
  .courses figcaption {
    color: var(--muted);
  }
  .course {
    display: block;
    width: 100%;
    height: 9rem;
    background: var(--sunk);
    border-bottom: 1px solid var(--edge);
  }
  .course .reserved {
    fill: var(--part-8);
  }
  .course .tensors {
    fill: var(--part-1);
  }
  .swatch {
    display: inline-block;
    width: 0.8em;
    height: 0.8em;
    margin-inline-start: 0.6em;
  }
  .swatch:first-child {
    margin-inline-start: 0;
  }
  .swatch.reserved {
    background: var(--part-8);
  }
  .swatch.tensors {
    background: var(--part-1);
  }
  .phases-named {
    display: flex;
    flex-wrap: wrap;
    gap: 0.1rem 0.8rem;
    margin: 0.3rem 0 0;
    padding: 0;
    list-style: none;
    color: var(--muted);
  }
  .scroll {
    overflow-x: auto;
  }
  .segments {
    border-collapse: collapse;
  }
  .segments th,
  .segments td {
    padding: 0.2rem 0.9rem 0.2rem 0;
    text-align: end;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .segments th:first-child {
    text-align: start;
  }
  progress {
    vertical-align: middle;
  }
`;
