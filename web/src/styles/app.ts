import { css } from 'lit';

export const app = css`
  :host {
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    max-width: 136rem;
    margin: 0 auto;
    padding: 0.75rem;
    background: var(--paper);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.4rem 1rem;
  }
  h1 {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    font-size: var(--head);
    font-weight: 720;
    letter-spacing: -0.02em;
  }
  .mark {
    fill: none;
    stroke: var(--load);
    stroke-width: 4;
    height: 1.6rem;
    width: auto;
  }
  header p {
    display: none;
    color: var(--muted);
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin-inline-start: auto;
    font-size: var(--small);
  }
  nav :is(select, button),
  .doors button {
    min-width: var(--target-main);
    min-height: var(--target-main);
  }
  nav select {
    padding: 0.4rem 0.4rem;
    background: var(--card);
    border: 1px solid var(--edge);
    border-radius: var(--radius-control);
  }
  .doors {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 0.6rem;
    align-items: center;
    margin-bottom: 0.75rem;
    font-size: var(--small);
  }
  .unread,
  .missed {
    margin-bottom: 0.75rem;
    padding: 0.4rem 0.75rem;
    border-radius: var(--radius-control);
    font-size: var(--small);
    color: var(--tight);
    background: var(--tight-ground);
    overflow-wrap: anywhere;
  }
  .doors .hide {
    border-color: transparent;
    background: none;
  }
  footer {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.25rem 2rem;
    padding: 0.5rem 0;
    font-size: var(--small);
    color: var(--muted);
  }
  footer a {
    display: inline-block;
    min-height: var(--target);
  }
  @media print {
    :host {
      color-scheme: light;
      max-width: none;
      padding: 0;
    }
    nav,
    .doors,
    footer {
      display: none;
    }
  }
  @media (max-width: 34rem) {
    nav {
      display: contents;
    }
    header {
      gap: var(--space-2);
    }
    nav .choice {
      order: 1;
      font-size: var(--small);
    }
    nav button {
      order: 2;
      flex: 1 0 40%;
      font-size: var(--small);
    }
    h1 {
      flex: 1;
    }
  }
  @media (min-width: 52rem) {
    :host {
      gap: 1rem;
      padding: 1rem 1.5rem;
    }
    h1 {
      font-size: var(--chapter);
    }
    .mark {
      height: 2rem;
    }
  }
  @media (min-width: 72rem) {
    header p {
      display: block;
    }
  }
  @media (min-width: 110rem) {
    :host {
      padding: 1.5rem 3rem;
    }
  }
`;
