// What an opened row shows: the formula with names, the same with the user's numbers, what each name means and
// who says so.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer, Note, Row, Token } from '../../engine/reply.ts';
import { formulaView } from './formula.ts';

/** Every symbol of a formula, and of the formulas behind them, each once, in reading order. */
export function symbolsOf(answer: Answer, tokens: readonly Token[], found: string[] = []): string[] {
  for (const token of tokens) {
    if ('op' in token) for (const arg of token.args ?? []) symbolsOf(answer, arg, found);
    if (!('ref' in token) || found.includes(token.ref)) continue;
    found.push(token.ref);
    symbolsOf(answer, answer.symbols?.[token.ref]?.formula ?? [], found);
  }
  return found;
}

/** A note in the page's language where it knows the code, else as the engine says it. */
export const noteText = (c: Calculator, note: Note): string =>
  c.texts.maybe(`note.${note.code}`, { where: note.where ?? '', ...note.values }) ?? note.text;

const link = (address: string, text: string) => html`<a href=${address} target="_blank" rel="noopener noreferrer">${text}</a>`;

/** A source as the engine writes it: a title with its address behind it, or text with addresses in it. */
export function sourceView(text: string): TemplateResult {
  const [, title, address] = /^(.+) <(https?:[^>]+)>$/.exec(text) ?? [];
  if (title && address) return html`${link(address, title)}`;
  const parts = text.split(/(https?:\/\/[^\s)>\]]+)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? link(part, part.replace(/^https?:\/\//, '')) : part))}`;
}

function symbolView(c: Calculator, answer: Answer, ref: string): TemplateResult {
  const symbol = answer.symbols?.[ref];
  const meaning = c.texts.maybe(`meaning.${ref}`);
  return html`<div>
    <dt>${c.texts.name('symbols', ref)}</dt>
    <dd>
      ${
        symbol?.formula
          ? html`<div>${formulaView(c, symbol.formula, 'names')}</div>
              <div>= ${formulaView(c, symbol.formula, 'values')} = <strong>${c.format.count(symbol.value)}</strong></div>`
          : html`<strong>${symbol ? c.format.count(symbol.value) : ''}</strong>`
      }
      ${meaning ? html`<span class="meaning">${meaning}</span>` : nothing}
      ${symbol?.source ? html`${symbol.source.split('\n').map((source) => html`<span class="source">${sourceView(source)}</span>`)}` : nothing}
    </dd>
  </div>`;
}

/** What each name of a formula means, and who says so. */
export const symbolsView = (c: Calculator, answer: Answer, formula: readonly Token[]): TemplateResult =>
  html`<dl class="symbols">${symbolsOf(answer, formula).map((ref) => symbolView(c, answer, ref))}</dl>`;

export const sourcesView = (c: Calculator, sources: readonly string[] = []): TemplateResult | typeof nothing =>
  sources.length > 0
    ? html`<div class="sources">
        <span>${c.texts.t('rows.sources')}</span>
        <ul>
          ${sources.map((source) => html`<li>${sourceView(source)}</li>`)}
        </ul>
      </div>`
    : nothing;

function phasesView(c: Calculator, row: Row): TemplateResult | typeof nothing {
  const phases = Object.entries(row.by_phase ?? {});
  if (new Set(phases.map(([, bytes]) => bytes)).size < 2) return nothing;
  return html`<p class="by-phase">${phases.map(([phase, bytes]) => html`<span>${c.texts.name('phase', phase)} ${c.format.bytes(bytes)}</span>`)}</p>`;
}

export function explanationView(c: Calculator, answer: Answer, row: Row, path: string): TemplateResult {
  const { t } = c.texts;
  const about = path === row.id ? c.texts.maybe(`row_meaning.${row.id}`) : undefined;
  const ranged = row.low !== undefined && row.high !== undefined && row.high > row.low;
  return html`<div class="explanation">
    ${about ? html`<p>${about}</p>` : nothing}
    ${
      row.formula
        ? html`<div class="equation">
            <div>${formulaView(c, row.formula, 'names')}</div>
            <div>= ${formulaView(c, row.formula, 'values')}</div>
            <div>= <strong>${t('rows.bytes', { count: c.format.count(row.bytes) })}</strong> = ${c.format.bytes(row.bytes)}</div>
          </div>`
        : html`<p class="equation"><strong>${t('rows.bytes', { count: c.format.count(row.bytes) })}</strong></p>`
    }
    ${ranged ? html`<p class="ranged">${t('rows.range', { low: c.format.bytes(row.low!), high: c.format.bytes(row.high!) })}</p>` : nothing}
    ${phasesView(c, row)} ${row.formula ? symbolsView(c, answer, row.formula) : nothing} ${sourcesView(c, row.sources)}
    ${c.later.got.why?.whyView(c, path)}
  </div>`;
}
