import { css } from 'lit';
import { tokens } from '../../styles/tokens.ts';

/** The offer lies over the lower edge, so that nothing under a reader's hand moves when it comes. */
export const offlineStyles = [
  tokens,
  css`
    :host {
      font-size: inherit;
      color: inherit;
    }
    .offer {
      position: fixed;
      inset-block-end: 0.75rem;
      inset-inline: 0.75rem;
      z-index: 4;
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.4rem 0.6rem;
      width: fit-content;
      max-width: calc(100% - 1.5rem);
      margin-inline: auto;
      padding: 0.4rem 0.5rem 0.4rem 0.9rem;
      border: 1px solid var(--edge);
      border-radius: var(--radius);
      background: var(--card);
      color: var(--ink);
      font-size: var(--small);
      box-shadow: 0 2px 12px var(--shade-faint);
    }
    .hide {
      border-color: transparent;
      background: none;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `,
];
