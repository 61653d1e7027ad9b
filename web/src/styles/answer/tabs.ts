// Tabs below the breakdown, and tables that are wider than their place.

import { css } from 'lit';

export const tabs = css`
  .tabset {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
    margin-top: var(--space-3);
  }
  .tabset button {
    min-height: var(--target-main);
    padding: var(--space-1) var(--space-3);
    text-align: start;
    font-size: var(--small);
    background: var(--sunk);
    border-color: var(--rule);
  }
  .tabset [aria-selected='true'] {
    font-weight: 650;
    color: var(--ink);
    background: var(--card);
    border-color: var(--load);
    box-shadow: inset 0 -2px var(--load);
  }
  .panel {
    margin-top: var(--space-4);
    padding-top: var(--space-2);
    border-top: 1px solid var(--rule);
  }
`;
