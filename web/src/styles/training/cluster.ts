// Of the picture of a cluster: cells of squares, from nearly empty to over the brim.

import { css } from 'lit';
import { charts } from '../charts.ts';
import { storage } from '../storage.ts';
import { tokens } from '../tokens.ts';
import { twist } from '../twist.ts';

const cluster = css`
  :host {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
    margin-top: 0.5rem;
  }
  .cells {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: repeat(auto-fit, minmax(min(8.75rem, 100%), 1fr));
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .cells.single {
    grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
  }
  .cells li {
    display: grid;
  }
  .cell {
    display: grid;
    gap: 0.35rem;
    align-content: start;
    justify-items: start;
    padding: 0.6rem 0.7rem;
    text-align: start;
    background: var(--card);
    border-color: var(--rule);
  }
  .cell[aria-expanded='true'] {
    border-color: var(--sea);
    box-shadow: inset 0 0 0 1px var(--sea);
  }
  .cell:hover {
    color: inherit;
  }
  .title {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
    font-weight: 650;
  }
  .squares {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  .square {
    width: 1.5rem;
    height: 1.5rem;
  }
  .hold {
    fill: var(--sunk);
    stroke: var(--edge);
  }
  .square .load {
    fill: var(--level);
    stroke: none;
  }
  .beyond {
    stroke: var(--card);
    stroke-width: 2.5;
  }
  .level-0 {
    --level: var(--level-1);
  }
  .level-1 {
    --level: var(--level-2);
  }
  .level-2 {
    --level: var(--level-3);
  }
  .level-3 {
    --level: var(--level-4);
  }
  .level-4 {
    --level: var(--level-5);
  }
  .unknown {
    --level: var(--level-6);
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
    align-items: baseline;
  }
  .share,
  .count,
  .hint,
  .legend,
  summary {
    font-size: var(--small);
  }
  .share,
  .count,
  .hint {
    color: var(--muted);
  }
  .cell .mark {
    padding: 0 0.4rem;
    border-radius: var(--round);
    font-size: var(--tiny);
    color: var(--load);
    border: 1px solid var(--load);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 1rem;
  }
  .legend span {
    display: inline-flex;
    gap: 0.35rem;
    align-items: center;
    white-space: nowrap;
  }
  .legend .square {
    width: 1rem;
    height: 1rem;
  }
  .legend .swatch {
    flex: none;
  }
  .opened:not(:empty) {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .opened h3 {
    margin: 0;
    font-size: var(--title);
  }
  summary {
    cursor: pointer;
  }
  .scroll {
    margin-top: 0.5rem;
    overflow: auto;
  }
  table.figures {
    display: table;
    font-size: var(--small);
  }
`;

export const clusterStyles = [tokens, charts, storage, twist, cluster];
