// Of the box for what a tool printed, and what it shows.

import { css } from 'lit';
import { verdicts } from '../choosing/verdicts.ts';
import { copying } from '../copying.ts';
import { tokens } from '../tokens.ts';
import { beside } from './beside.ts';
import { snapshot } from './snapshot.ts';

const box = css`
  :host {
    container-type: inline-size;
    margin-top: 0.6rem;
    gap: 1rem;
  }
  section,
  .input,
  .stated,
  .open,
  .advice,
  .measuring > ul {
    display: grid;
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
  }
  h3 {
    margin: 0;
    font-size: var(--body);
  }
  label[for] {
    font-size: var(--small);
    font-weight: 600;
    color: var(--muted);
  }
  textarea {
    width: 100%;
    min-width: 0;
    padding: 0.45rem 0.6rem;
    font-family: ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace;
    font-size: var(--small);
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
    resize: vertical;
  }
  ::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 0.6rem;
    align-items: center;
    font-size: var(--small);
  }
  .file input {
    position: absolute;
    opacity: 0;
    pointer-events: none;
  }
  .file span {
    display: inline-block;
    padding: 0.4rem 0.75rem;
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
    cursor: pointer;
  }
  .file span:hover {
    border-color: var(--sea);
    color: var(--sea);
  }
  button[aria-pressed='true'] {
    border-color: var(--sea);
    background: var(--sunk);
  }
  :disabled {
    cursor: default;
    color: var(--muted);
    border-style: dashed;
  }
  .error {
    font-size: var(--small);
    color: var(--large);
    overflow-wrap: anywhere;
  }
  .stated li {
    display: grid;
    gap: 0.1rem;
    font-size: var(--small);
    overflow-wrap: anywhere;
  }
  .stated label {
    display: flex;
    gap: 0.5rem;
    align-items: baseline;
  }
  input[type='checkbox'] {
    accent-color: var(--sea);
  }
  .line {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  summary {
    cursor: pointer;
    font-size: var(--small);
  }
  details > :not(summary) {
    margin-top: 0.5rem;
  }
  .failure {
    padding: 0.75rem;
    background: var(--sunk);
    border-radius: var(--radius-control);
  }
  .failure pre {
    background: var(--card);
  }
  .failure dl {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem 1.5rem;
    font-size: var(--small);
  }
  dt {
    color: var(--muted);
  }
  dd {
    font-weight: 650;
  }
  .measuring > ul {
    gap: 1.1rem;
  }
  .measuring li p {
    font-size: var(--small);
  }
  .measuring .sources {
    color: var(--muted);
  }
  .failure > button,
  section.row button {
    justify-self: start;
  }
`;

export const reconcileStyles = [tokens, verdicts, copying, box, beside, snapshot];
