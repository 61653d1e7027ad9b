// One colour a part, in both themes, and the load line.

import { css } from 'lit';

export const charts = css`
  .c1 {
    --part: light-dark(#1f5f8b, #5aa9dc);
  }
  .c2 {
    --part: light-dark(#6b9fc7, #96c6ea);
  }
  .c3 {
    --part: light-dark(#a2603a, #dba07c);
  }
  .c4 {
    --part: light-dark(#23867b, #55c8ba);
  }
  .c5 {
    --part: light-dark(#7756a6, #b096e0);
  }
  .c6 {
    --part: light-dark(#c7891c, #e9b95c);
  }
  .c7 {
    --part: light-dark(#b2517f, #e58fbb);
  }
  .c8 {
    --part: light-dark(#6a7a86, #91a4b2);
  }
  .c9 {
    --part: light-dark(#9aa6ae, #667b8a);
  }
  .c10 {
    --part: light-dark(#3a4955, #c2cfd8);
  }
  .c11 {
    --part: light-dark(#4f7a28, #a3cc74);
  }
  .c12 {
    --part: light-dark(#8a3b3b, #df8f8a);
  }
  .c13 {
    --part: light-dark(#2f4fa8, #93a9f0);
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
    border-radius: 3px;
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
    border-radius: 99px;
    font-size: 0.6875rem;
    color: var(--load);
    border: 1px solid var(--load);
  }
`;
