// Of the questions for those who come without a configuration.

import { css } from 'lit';
import { form } from '../form.ts';
import { tokens } from '../tokens.ts';

const wizard = css`
  dialog {
    width: min(36rem, 100vw - 1.5rem);
    min-height: min(30rem, 100vh - 2rem);
    padding: 1.25rem 1.5rem;
    color: var(--ink);
    background: var(--card);
    border: 1px solid var(--rule);
    border-radius: var(--radius);
  }
  dialog::backdrop {
    background: var(--shade);
  }
  .head {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    align-items: start;
    margin-bottom: 0.5rem;
  }
  .step,
  .state {
    font-size: var(--small);
    color: var(--muted);
  }
  .step {
    margin-bottom: 0.75rem;
  }
  .state {
    min-height: 1.5em;
    margin-top: 0.75rem;
  }
  label,
  .asked {
    display: block;
    margin-bottom: 0.4rem;
    font-weight: 650;
  }
  .choices {
    display: grid;
    gap: 0.6rem;
    margin-top: 0.75rem;
  }
  .choices button {
    display: grid;
    gap: 0.15rem;
    width: 100%;
    padding: 0.7rem 0.9rem;
    text-align: start;
  }
  .choices span {
    font-size: var(--small);
    color: var(--muted);
  }
  .actions {
    display: flex;
    justify-content: space-between;
    gap: 0.6rem;
    margin-top: 1rem;
  }
  .go:not(:disabled) {
    color: var(--on-sea);
    background: var(--sea);
    border-color: var(--sea);
  }
  .popup .list {
    max-height: 15rem;
  }
`;

export const wizardStyles = [tokens, form, wizard];
