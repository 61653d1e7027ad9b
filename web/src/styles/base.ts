// What every view starts from: nothing of the browser's own, and the tokens' type, colours and focus.

import { css } from 'lit';

export const base = css`
  :host {
    color: var(--ink);
    font-family:
      system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      'Noto Sans',
      'PingFang SC',
      'Microsoft YaHei',
      'Noto Sans CJK SC',
      sans-serif;
    font-size: var(--body);
    line-height: 1.45;
    font-variant-numeric: tabular-nums;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  * {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2,
  legend {
    font-size: var(--title);
    font-weight: 650;
    letter-spacing: -0.005em;
  }
  a {
    color: var(--sea);
    overflow-wrap: anywhere;
  }
  code {
    font-family: ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace;
    font-size: var(--code);
    overflow-wrap: anywhere;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .label {
    color: var(--muted);
    font-size: var(--small);
    font-weight: 600;
  }
  :focus-visible,
  label:has(:focus-visible) > span {
    outline: 2px solid var(--sea);
    outline-offset: 2px;
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button,
  summary,
  select {
    min-height: var(--target);
  }
  summary {
    padding-block: 0.15rem;
  }
  button {
    padding: 0.4rem 0.75rem;
    background: var(--card);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
    cursor: pointer;
  }
  button:hover {
    border-color: var(--sea);
    color: var(--sea);
  }
  /* A table wider than its place has a shadow at the side where more of it is. */
  .scroll {
    --over: linear-gradient(to right, var(--card) 40%, transparent);
    --back: linear-gradient(to left, var(--card) 40%, transparent);
    --more: linear-gradient(to right, var(--shade-faint), transparent);
    --less: linear-gradient(to left, var(--shade-faint), transparent);
    background:
      var(--over) left / 2rem 100% local no-repeat,
      var(--back) right / 2rem 100% local no-repeat,
      var(--more) left / 0.75rem 100% scroll no-repeat,
      var(--less) right / 0.75rem 100% scroll no-repeat;
  }
  @media (prefers-reduced-motion: no-preference) {
    button,
    svg {
      transition:
        opacity var(--quick),
        border-color var(--quick),
        color var(--quick);
    }
  }
`;
