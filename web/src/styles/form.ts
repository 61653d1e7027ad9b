import { css } from 'lit';

export const form = css`
  form {
    display: grid;
    gap: 1.1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin-bottom: 0.6rem;
    font-size: var(--small);
  }
  .tools button {
    min-width: var(--target-main);
    min-height: var(--target-main);
  }
  #recent {
    flex: 1 0 100%;
  }
  .recents {
    display: grid;
    gap: 0.3rem;
    margin-bottom: 0.3rem;
  }
  .recents .entry {
    width: 100%;
    text-align: start;
    overflow-wrap: anywhere;
  }
  .tools :disabled {
    color: var(--muted);
    opacity: 0.7;
  }
  fieldset {
    display: grid;
    gap: 0.6rem;
    min-width: 0;
    grid-template-columns: minmax(0, 1fr);
  }
  legend {
    margin-bottom: 0.5rem;
  }
  plimsoll-own-device {
    display: grid;
    gap: 0.75rem;
    margin-top: 0.5rem;
  }
  .own-card button,
  .usual button {
    margin: 0 0.3rem 0.3rem 0;
  }
  .columns {
    display: grid;
    gap: 0.75rem 0.9rem;
    grid-template-columns: repeat(auto-fill, minmax(min(8.5rem, 100%), 1fr));
    align-items: end;
  }
  .columns > .preset,
  .columns > .tokens,
  .columns > .percent,
  .columns > .switch,
  .columns > .choice,
  .columns > .encoding,
  .columns > .base,
  .columns > .runtime,
  .columns > .optimizer {
    grid-column: 1 / -1;
  }
  .field {
    display: grid;
    gap: 0.25rem;
    min-width: 0;
    grid-template-columns: minmax(0, 1fr);
  }
  .rows > .count,
  .rows > .fraction {
    grid-column: 1 / -1;
    grid-template-columns: minmax(0, 3fr) minmax(0, 5fr);
    align-items: center;
  }
  .rows > .field > p {
    grid-column: 1 / -1;
  }
  .device-count {
    display: grid;
    gap: 0.4rem;
    grid-template-columns: 4.5rem auto minmax(0, 1fr);
    align-items: start;
  }
  .device-count > .field {
    grid-template-columns: minmax(0, 1fr);
  }
  .device-count > .times {
    padding-top: 2.1rem;
  }
  .field > label:first-child {
    font-size: var(--small);
    font-weight: 600;
    color: var(--muted);
  }
  .tokens,
  .percent {
    grid-template-columns: minmax(0, 1fr) 7.5rem;
    align-items: center;
  }
  .tokens > .slider,
  .tokens > p,
  .percent > .slider,
  .percent > p {
    grid-column: 1 / -1;
  }
  /* Beside its label where both have room, else below it: what is chosen is read whole. */
  .field:is(.choice, .encoding, .base, .runtime, .optimizer) {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
  }
  .field:is(.choice, .encoding, .base, .runtime, .optimizer) > label {
    flex: 1 1 6rem;
  }
  .field:is(.choice, .encoding, .base, .runtime, .optimizer) > select {
    flex: 1 1 auto;
    width: auto;
    max-width: 100%;
  }
  .field:is(.choice, .encoding, .base, .runtime, .optimizer) > p {
    flex: 1 0 100%;
  }
  input[type='text'],
  input[type='password'],
  select,
  textarea {
    width: 100%;
    min-width: 0;
    min-height: var(--target-main);
    padding: 0.4rem 0.6rem;
    background: var(--paper);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
    text-overflow: ellipsis;
  }
  textarea {
    font-family: ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace;
    font-size: var(--small);
    resize: vertical;
  }
  ::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  [aria-invalid='true'] {
    border-color: var(--large);
    box-shadow: 0 0 0 1px var(--large);
  }
  :disabled {
    cursor: not-allowed;
    border-style: dashed;
  }
  .slider {
    width: 100%;
    height: var(--target);
    margin: 0;
    accent-color: var(--sea);
  }
  .link {
    padding: 0;
    border: 0;
    background: none;
    color: var(--sea);
    text-decoration: underline;
  }
  .hint {
    font-size: var(--small);
    color: var(--muted);
  }
  .error {
    font-size: var(--small);
    color: var(--large);
    overflow-wrap: anywhere;
  }
  .fold {
    margin-top: 0.9rem;
  }
  .fold > summary {
    cursor: pointer;
  }
  .holds {
    font-size: var(--small);
    color: var(--muted);
  }
  .device-list .preset {
    grid-template-columns: minmax(0, 1fr) auto;
    margin-bottom: 0.6rem;
  }
  .device-list label {
    grid-column: 1 / -1;
  }
  .switch label {
    display: flex;
    min-height: var(--target-main);
    gap: 0.5rem;
    align-items: center;
    font-size: inherit;
    font-weight: inherit;
    color: inherit;
  }
  input[type='checkbox'] {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    accent-color: var(--sea);
  }
  .strip {
    display: flex;
    padding: 3px;
    background: var(--sunk);
    border-radius: var(--radius-control);
  }
  .strip label {
    flex: auto;
    display: flex;
    min-width: 0;
  }
  .strip input {
    position: absolute;
    opacity: 0;
    pointer-events: none;
  }
  .strip span {
    flex: 1;
    display: grid;
    place-items: center;
    min-height: calc(var(--target-main) - 6px);
    padding: 0 var(--space-1);
    border-radius: var(--radius-control);
    font-size: var(--small);
    text-align: center;
    color: var(--muted);
    cursor: pointer;
    text-wrap: balance;
  }
  @media (pointer: coarse) {
    .strip span {
      min-height: var(--target-main);
    }
  }
  .strip :checked + span {
    color: var(--ink);
    font-weight: 600;
    background: var(--card);
    box-shadow: 0 1px 2px var(--shade-faint);
  }
  .tabs {
    display: flex;
    gap: 0.25rem;
    border-bottom: 1px solid var(--rule);
  }
  .tabs button {
    flex: 1;
    min-height: var(--target-main);
    border: 0;
    border-bottom: 3px solid transparent;
    border-radius: 0;
    background: none;
    font-size: var(--title);
    color: var(--muted);
  }
  .tabs [aria-selected='true'] {
    color: var(--ink);
    font-weight: 650;
    border-bottom-color: var(--load);
  }
  .file {
    justify-self: start;
    cursor: pointer;
  }
  .file input {
    position: absolute;
    opacity: 0;
    pointer-events: none;
    width: 1px;
  }
  .file span {
    display: inline-block;
    padding: 0.35rem 0.75rem;
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
  }
  plimsoll-combobox {
    position: relative;
    display: block;
  }
  .popup {
    position: absolute;
    z-index: 5;
    inset-inline: 0;
    top: calc(100% + 4px);
    overflow: hidden;
    background: var(--card);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
    box-shadow: 0 12px 28px -10px var(--shade);
  }
  .popup[hidden] {
    display: none;
  }
  .orders {
    padding: 0.4rem;
    border-bottom: 1px solid var(--rule);
  }
  .list {
    max-height: min(22rem, 60vh);
    overflow-y: auto;
  }
  .group {
    position: sticky;
    top: 0;
    padding: 0.3rem 0.7rem;
    font-size: var(--tiny);
    font-weight: 650;
    color: var(--muted);
    background: var(--sunk);
  }
  [role='option'] {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 1rem;
    align-items: center;
    min-height: var(--target-main);
    padding: 0.2rem 0.7rem;
    scroll-margin-top: 1.8rem; /* below the group's name, which stays in sight */
    cursor: pointer;
  }
  [role='option'] small {
    font-weight: 400;
    color: var(--muted);
    white-space: nowrap;
  }
  [role='option']:hover,
  [role='option'].active {
    background: var(--sea);
    color: var(--on-sea);
  }
  [role='option']:hover small,
  [role='option'].active small {
    color: inherit;
  }
  [role='option'][aria-selected='true'] {
    font-weight: 650;
  }
`;
