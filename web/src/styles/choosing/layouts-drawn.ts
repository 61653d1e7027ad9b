// Of layouts as points, and of the cluster that is drawn.

import { css } from 'lit';

export const drawn = css`
  .front .strip {
    flex-wrap: wrap;
    justify-self: start;
    max-width: 100%;
  }
  .front .strip label {
    flex: auto;
  }
  .front .strip span {
    white-space: normal;
  }
  .plot {
    display: grid;
    font-size: var(--small);
    color: var(--muted);
  }
  .across {
    display: flex;
    gap: 0.5rem;
    justify-content: space-between;
  }
  .points {
    overflow: visible;
    touch-action: pan-y;
    cursor: crosshair;
  }
  .ground {
    fill: var(--card);
    stroke: var(--rule);
  }
  .brush {
    fill: var(--sea);
    fill-opacity: 0.08;
    pointer-events: none;
  }
  .point {
    fill: var(--card);
    stroke: var(--sea);
    stroke-width: 1.5;
    cursor: pointer;
  }
  .point.unbeaten {
    fill: var(--sea);
  }
  .point.out {
    opacity: 0.25;
  }
  .point.drawn {
    stroke: var(--load);
    stroke-width: 3;
  }
  .ground,
  .points rect {
    pointer-events: none;
  }
  .slider {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.1rem 0.5rem;
    height: auto; /* the form's own sliders have no label within */
    font-size: var(--small);
  }
  .slider input {
    grid-column: 1 / -1;
    width: 100%;
    accent-color: var(--sea);
  }
  .kinds {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    font-size: var(--small);
  }
  .nodes {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6rem;
  }
  .nodes li {
    display: grid;
    gap: 0.3rem;
    align-content: space-between;
    padding: 0.5rem;
    font-size: var(--small);
    background: var(--sunk);
    border-radius: var(--radius-control);
  }
  .device {
    fill: var(--card);
    stroke: var(--edge);
  }
  .device[class*='c'] {
    stroke: var(--part, var(--edge));
    fill: var(--card);
  }
  .device:not(.plain) {
    stroke-width: 4;
  }
  .device.full {
    stroke-dasharray: 4 2;
    stroke: var(--load);
    stroke-width: 3;
  }
  .nodes text {
    fill: var(--ink);
    font-size: var(--tiny);
    text-anchor: middle;
  }
  .fullest {
    font-size: var(--small);
    color: var(--load);
  }
`;
