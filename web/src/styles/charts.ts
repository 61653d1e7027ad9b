// One colour a part, in both themes, and the load line.

import { css } from 'lit';

export const charts = css`
  .c1 {
    --part: var(--part-1);
  }
  .c2 {
    --part: var(--part-2);
  }
  .c3 {
    --part: var(--part-3);
  }
  .c4 {
    --part: var(--part-4);
  }
  .c5 {
    --part: var(--part-5);
  }
  .c6 {
    --part: var(--part-6);
  }
  .c7 {
    --part: var(--part-7);
  }
  .c8 {
    --part: var(--part-8);
  }
  .c9 {
    --part: var(--part-9);
  }
  .c10 {
    --part: var(--part-10);
  }
  .c11 {
    --part: var(--part-11);
  }
  .c12 {
    --part: var(--part-12);
  }
  .c13 {
    --part: var(--part-13);
  }
  .part {
    fill: var(--part);
    stroke: var(--card);
    stroke-width: 1;
  }
  .swatch {
    display: inline-block;
    width: 0.75rem;
    height: 0.75rem;
    border-radius: var(--radius-small);
    background: var(--part);
  }
  .bar {
    overflow: visible;
  }
  .hull {
    fill: var(--sunk);
    stroke: var(--edge);
    stroke-width: 1;
  }
  .over {
    pointer-events: none;
  }
  pattern rect {
    fill: var(--card);
    opacity: 0.75;
  }
  .load-line line {
    stroke: var(--load);
    stroke-width: 3;
  }
  .load-line circle {
    fill: var(--card);
    stroke: var(--load);
    stroke-width: 3;
  }
  .band line {
    stroke: var(--ink);
    stroke-width: 1.5;
  }
  .phases {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr) max-content;
    margin-top: 0.5rem;
    column-gap: 0.75rem;
  }
  .phases li {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    align-items: center;
  }
  .phases svg {
    display: block;
  }
  .phases .load {
    stroke: var(--load);
    stroke-width: 2;
  }
  .phase,
  .size {
    font-size: var(--small);
  }
  .size {
    text-align: end;
    color: var(--muted);
  }
  .peak .phase,
  .peak .size {
    font-weight: 650;
    color: var(--ink);
  }
  .phases .mark {
    display: inline-block;
    padding: 0 0.4rem;
    border-radius: var(--round);
    font-size: var(--tiny);
    color: var(--load);
    border: 1px solid var(--load);
  }
`;
