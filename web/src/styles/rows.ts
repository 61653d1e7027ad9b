import { css } from 'lit';

export const rows = css`
  .rows table {
    width: 100%;
    margin-top: 0.5rem;
    border-collapse: collapse;
    table-layout: fixed;
  }
  .rows th,
  .rows td {
    padding: 0.35rem 0.3rem;
    text-align: start;
    font-weight: inherit;
    vertical-align: baseline;
    border-top: 1px solid var(--rule);
  }
  .rows thead th {
    font-size: var(--small);
    font-weight: 600;
    color: var(--muted);
    border-top: 0;
  }
  .rows .bytes,
  .rows .share {
    width: 5.7rem;
    text-align: end;
    white-space: nowrap;
  }
  .rows .share {
    width: 3.7rem;
  }
  .rows .share {
    color: var(--muted);
  }
  .rows .level-0 .bytes {
    font-weight: 600;
  }
  .row button {
    display: flex;
    align-items: baseline;
    gap: 0.45rem;
    width: 100%;
    padding: 0.1rem 0;
    border: 0;
    background: none;
    text-align: start;
    overflow-wrap: anywhere;
  }
  .level-1 button {
    padding-inline-start: 0.9rem;
  }
  .level-2 button {
    padding-inline-start: 1.8rem;
  }
  .level-3 button {
    padding-inline-start: 2.7rem;
  }
  .swatch {
    flex: none;
  }
  .basis {
    white-space: nowrap;
    font-size: var(--small);
    color: var(--muted);
  }
  .how .word {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .how {
    position: relative;
    width: 1.3rem;
  }
  .rows .detail > td {
    border-top: 0;
    padding: 0 0 0.75rem;
  }
  .explanation {
    display: grid;
    gap: 0.6rem;
    grid-template-columns: minmax(0, 1fr);
    padding: 0.75rem 0.9rem;
    border-inline-start: 3px solid var(--load);
    background: var(--paper);
  }
  .equation {
    display: grid;
    gap: 0.35rem;
    overflow-wrap: anywhere;
  }
  .formula math {
    font-size: var(--title);
  }
  .formula.names {
    color: var(--sea);
  }
  .by-phase,
  .to-guide {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1rem;
    font-size: var(--small);
    color: var(--muted);
  }
  .symbols {
    display: grid;
    gap: 0.4rem 1.5rem;
    grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
    font-size: var(--small);
  }
  .symbols dt {
    color: var(--sea);
    font-weight: 600;
  }
  .symbols dd > * {
    overflow-wrap: anywhere;
  }
  .meaning,
  .source {
    display: block;
    color: var(--muted);
  }
  .sources {
    font-size: var(--small);
    color: var(--muted);
  }
  .sources ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.1rem 1.25rem;
  }
  .measures {
    display: grid;
    gap: 0.15rem;
    margin-top: 0.5rem;
    padding: 0.6rem 0.4rem 0;
    border-top: 2px solid var(--edge);
    font-size: var(--small);
  }
  .measures div {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
  }
  .measures dt {
    color: var(--muted);
  }
  .measures dd {
    font-weight: 600;
    white-space: nowrap;
  }
  .share-row,
  .share:not(td, th) {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    font-size: var(--small);
    color: var(--muted);
  }
  @container (40rem <= width < 52rem) or (width >= 68rem) {
    .how .word {
      position: static;
      width: auto;
      height: auto;
      clip-path: none;
    }
    .rows .bytes {
      width: 9rem;
    }
    .rows .share {
      width: 7rem;
    }
    .how {
      width: 10rem;
      padding-inline-start: 1rem;
    }
    .row.level-1 button {
      padding-inline-start: 1.25rem;
    }
  }
`;
