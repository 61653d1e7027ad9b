// Of what is told of a training: its parts with what shrinks them, its phases, its settings elsewhere.

import { css } from 'lit';
import { charts } from '../charts.ts';
import { verdictColours } from '../choosing/verdicts.ts';
import { copying } from '../copying.ts';
import { form } from '../form.ts';
import { storage } from '../storage.ts';
import { summary } from '../answer/summary.ts';
import { tokens } from '../tokens.ts';

const contributors = css`
  :host {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    margin-top: 0.4rem;
  }
  ol,
  ul {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  ol {
    gap: 1.1rem;
  }
  .intro,
  .none,
  .cost,
  .undo {
    font-size: var(--small);
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .fitting:not(.none) {
    display: grid;
    gap: 0.4rem 0.9rem;
    grid-template-columns: minmax(0, 1fr) max-content max-content;
    align-items: center;
    padding: 0.75rem 0.9rem;
    border-inline-start: 3px solid var(--fits);
    background: var(--sunk);
    border-radius: var(--radius-control);
  }
  .fitting h3 {
    grid-column: 1 / -1;
    margin: 0;
  }
  .fitting ul {
    gap: 0.3rem;
    font-size: var(--small);
  }
  .fitting .cost {
    display: block;
  }
  h3 {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 0.5rem;
    align-items: center;
    margin: 0 0 0.4rem;
    font-size: var(--title);
  }
  h3 .size {
    font-weight: 400;
    text-align: start;
  }
  li[data-what-if] {
    display: grid;
    gap: 0.2rem 0.9rem;
    grid-template-columns: minmax(0, 1fr) max-content max-content;
    align-items: center;
    padding-inline-start: 1.25rem;
  }
  .change {
    display: grid;
    font-size: var(--small);
  }
  .saved {
    display: grid;
    justify-items: end;
    font-size: var(--small);
    font-variant-numeric: tabular-nums;
  }
  .saved > strong {
    color: var(--fits);
  }
  .badge {
    padding: 0 0.5rem;
    font-size: var(--tiny);
  }
  details {
    margin-top: 0.6rem;
    padding-inline-start: 1.25rem;
  }
  details li[data-what-if] {
    padding-inline-start: 0;
  }
  summary {
    cursor: pointer;
    font-size: var(--small);
  }
  details > ul {
    margin-top: 0.6rem;
  }
  @media (width < 34rem) {
    li[data-what-if] {
      grid-template-columns: minmax(0, 1fr) max-content;
      padding-inline-start: 0;
    }
    .fitting:not(.none) {
      grid-template-columns: minmax(0, 1fr) max-content;
    }
    .fitting ul,
    .change {
      grid-column: 1 / -1;
    }
    .saved {
      display: flex;
      flex-wrap: wrap;
      gap: 0 0.6rem;
      justify-self: start;
    }
  }
`;

const steps = css`
  :host {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .defs {
    position: absolute;
  }
  .phases {
    padding: 0;
    list-style: none;
  }
  .grid {
    stroke: var(--rule);
  }
  .axis text {
    font-size: var(--tiny);
    fill: var(--muted);
  }
  .axis {
    overflow: visible;
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 1rem;
    font-size: var(--small);
  }
  .capacity-key,
  .capacity-far {
    font-size: var(--small);
    color: var(--muted);
  }
  .capacity-key {
    padding-inline-start: 0.75rem;
    border-inline-start: 3px solid var(--load);
  }
  summary {
    cursor: pointer;
    font-size: var(--small);
  }
  .figures {
    font-size: var(--small);
  }
  .scroll {
    margin-top: 0.5rem;
    overflow: auto;
  }
  @media (width < 34rem) {
    .phases.steps {
      grid-template-columns: minmax(0, 1fr) max-content;
    }
    .steps .phase {
      grid-column: 1;
      grid-row: 1;
    }
    .steps .size {
      grid-column: 2;
      grid-row: 1;
    }
    .steps svg {
      grid-column: 1 / -1;
    }
    .steps .scale span {
      display: none;
    }
  }
`;

const trainers = css`
  .strip {
    flex-wrap: wrap;
    justify-self: start;
  }
  .strip label {
    flex: 1 1 auto;
    min-width: max-content;
  }
  .left {
    font-size: var(--small);
  }
  .left ul {
    display: grid;
    gap: 0.3rem;
    margin: 0.3rem 0 0;
    padding-inline-start: 1.1rem;
    list-style: disc;
  }
`;

export const trainerStyles = [tokens, form, copying, trainers];
const moments = css`
  :host {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
    margin-top: 0.5rem;
  }
  .moments {
    background: var(--sunk);
    border-radius: var(--radius-control);
  }
  .moments .part {
    cursor: pointer;
    stroke: var(--paper);
    stroke-width: 0.5;
    vector-effect: non-scaling-stroke;
  }
  .moments .selected {
    fill: none;
    stroke: currentColor;
    vector-effect: non-scaling-stroke;
  }
  .slider {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.6rem;
    align-items: center;
    font-size: var(--small);
  }
  .slider input {
    accent-color: var(--sea);
  }
  .read-off,
  .figures {
    font-size: var(--small);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 0.5rem;
  }
  .scroll {
    overflow: auto;
  }
`;

export const stepsStyles = [tokens, charts, storage, steps];
export const momentsStyles = [tokens, charts, storage, moments];
export const contributorStyles = [tokens, charts, summary, verdictColours, contributors];
