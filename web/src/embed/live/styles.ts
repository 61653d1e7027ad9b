// What a foreign page must not reach, and how the answer looks in less room. What comes before the page's own styles can be
// overruled by them; what comes after is the guest's own.

import { css } from 'lit';

/** Parts that a page may style, by what they are within. */
export const partOf: readonly (readonly [string, string])[] = [
  ['.summary > section, .summary > .box', 'summary'],
  ['.form > form', 'form'],
  ['.details', 'details'],
  ['.aside', 'aside'],
  ['.number', 'number'],
  ['.verdict', 'verdict'],
  ['svg.bar', 'bar'],
  ['.legend', 'legend'],
  ['.controls', 'controls'],
  ['.is-row .line', 'row'],
  ['slot[name=heading]', 'heading'],
  ['slot[name=footer]', 'footer'],
];

const before = css`
  :host {
    letter-spacing: normal;
    word-spacing: normal;
    text-transform: none;
    text-indent: 0;
    text-align: start;
    text-shadow: none;
    white-space: normal;
    font-style: normal;
    font-weight: 400;
    font-stretch: normal;
    font-variant: normal;
    word-break: normal;
    hyphens: none;
    direction: ltr;
    unicode-bidi: isolate;
    writing-mode: horizontal-tb;
    cursor: auto;
    visibility: inherit;
  }
`;

const after = css`
  /* The answer scrolls away with the page that it stands in. */
  .summary {
    position: static;
  }
  .small > .box {
    display: grid;
    background: var(--card);
    border: 1px solid var(--rule);
    border-radius: var(--radius);
    gap: 0.5rem;
    grid-template-columns: minmax(0, 1fr);
    padding: 0.75rem 1rem;
  }
  .small .last-good {
    display: grid;
    gap: 0.35rem;
    grid-template-columns: minmax(0, 1fr);
    padding: 0;
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.2rem 0.8rem;
  }
  .line .verdict {
    display: inline-flex;
  }
  .small .number .value {
    font-size: var(--chapter);
  }
  .said {
    font-size: var(--small);
    color: var(--muted);
    overflow-wrap: anywhere;
  }
  .said strong {
    color: var(--ink);
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.1rem 0.9rem;
    font-size: var(--small);
  }
  .small .legend li {
    display: block;
  }
  .legend li span:last-child {
    color: var(--muted);
  }
  .small .bar {
    margin: 0;
  }
  .small > .is-compact {
    gap: 0.25rem;
    padding: 0.4rem 0.9rem;
    max-height: 320px;
    overflow: auto;
  }
  .small .controls {
    display: grid;
    gap: 0.5rem 0.9rem;
    grid-template-columns: repeat(auto-fit, minmax(min(6.25rem, 100%), 1fr));
    align-items: end;
    padding: 0;
    border: 0;
    background: none;
  }
  .small .controls .field {
    grid-template-columns: minmax(0, 1fr);
  }
  .controls .slider,
  .controls .hint,
  .controls details,
  .controls .holds {
    display: none;
  }
  .small > .is-row {
    padding: 0.3rem 0.7rem;
  }
  .is-row .number .value,
  .is-row .number .unit {
    font-size: var(--title);
  }
  .is-row .line {
    flex-wrap: nowrap;
    align-items: center;
    overflow: hidden;
    white-space: nowrap;
  }
  .is-row .line > * {
    flex: none;
  }
  .is-row .line > .said {
    flex: 0 1 auto;
    overflow: hidden;
    text-overflow: ellipsis;
  }
`;

export const guestStyles = { before: [before], after: [after] };
