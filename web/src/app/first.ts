// The first answer, drawn while the page is built: what stands there until the engine has come (plugins/first.ts). It is made by the
// views of the live page, so that one takes the place of the other and nothing moves.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from './calculator.ts';
import type { Tables } from '../engine/assets.ts';
import type { Answer } from '../engine/reply.ts';
import { formatIn } from '../languages/format.ts';
import { spoken, textsIn } from '../languages/i18n.ts';
import { request } from '../state/request.ts';
import { initialState } from '../state/state.ts';
import { rowsView } from '../views/answer/rows.ts';
import { summaryView } from '../views/answer/summary.ts';
import { doorsView } from '../views/doors.ts';
import { headerView } from '../views/header.ts';

/** What a browser calls the languages that the page speaks. */
export const speaks = spoken;

/** What is asked first, as the live page asks it. */
export const firstRequest = (): string => request(initialState(), 'rows');

const nobody = (): void => undefined;

/** What of the calculator its views read before anybody has touched it. */
function untouched(answer: Answer, tables: Tables): Calculator {
  const texts = textsIn('en', nobody);
  const known = { texts, format: formatIn('en', 'GiB'), unit: 'GiB', time: true, state: initialState(), tables, open: new Set() };
  return {
    ...known,
    mistakes: new Map(),
    later: { got: {}, misses: () => false },
    asking: { answer, error: undefined, engine: undefined },
  } as unknown as Calculator;
}

/** The page in English with the answer to the first request. Its controls wait for the live page. */
export function firstView(answer: Answer, tables: Tables): TemplateResult {
  const c = untouched(answer, tables);
  return html`<div id="first" class="app">
    <div class="waits" inert>${headerView(c.texts, 'en', 'auto', { guide: nobody, examples: nobody, language: nobody, theme: nobody })}</div>
    <main>
      <div class="waits" inert>${doorsView(c.texts, nobody, nobody)}</div>
      <div class="calculator">
        <div class="layout">
          <div class="summary" data-total=${answer.total.process?.bytes ?? nothing}>${summaryView(c, answer, false)}</div>
          <div class="form"><form></form></div>
          <div class="details">${rowsView(c, answer)}</div>
        </div>
      </div>
    </main>
  </div>`;
}
