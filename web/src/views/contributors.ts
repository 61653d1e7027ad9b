// <plimsoll-contributors>: the parts that fill the peak, the largest first, and under each what would shrink it and by
// how much. Every figure is the engine's answer to the same request with one thing changed.

import { html, LitElement, nothing } from 'lit';
import type { Calculator } from '../calculator.ts';
import { colourOf } from '../charts/scale.ts';
import { field, type FieldId } from '../fields.ts';
import type { Format } from '../format.ts';
import type { Key } from '../i18n.ts';
import { prepared } from '../portions.ts';
import { type Answer, headline } from '../reply.ts';
import { request } from '../request.ts';
import type { State } from '../state.ts';
import { contributorStyles } from '../styles/training.ts';
import { type Change, changed, whatIfs, type WhatIf } from '../what-ifs.ts';
import { valueName, valueOf } from './field.ts';

/** A change that saves, with what the engine answers to it. */
interface Saving extends WhatIf {
  saved: number;
  answer: Answer;
  /** The part that it shrinks most. */
  row: string;
}

/** Parts of less than this share are not worth a heading of their own, unless something shrinks them. */
const leastShare = 0.04;
/** Savings of less than this share of the whole are none. */
const leastSaving = 0.002;
/** Shown under a part at once; the others are folded. */
const shownAtOnce = 4;

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

const bytesOf = ({ rows = [] }: Answer, id: string): number => rows.find((row) => row.id === id)?.bytes ?? 0;

function mostShrunk(before: Answer, after: Answer): string {
  const rows = (before.rows ?? []).map(({ id, bytes }) => ({ id, less: bytes - bytesOf(after, id) }));
  return rows.reduce((best, one) => (one.less > best.less ? one : best)).id;
}

export class Contributors extends LitElement {
  static override styles = contributorStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    asked: { state: true },
    undo: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** What was asked last, what it was compared with, and what has come of it so far. */
  declare asked: { before: Answer; savings: Saving[]; complete: boolean } | undefined;
  /** The state before the last change that was taken from here, and the one that it led to. */
  declare undo: { state: State; to: State; title: string } | undefined;

  private question = '';
  private waiting: ReturnType<typeof setTimeout> | undefined;

  override willUpdate(): void {
    const { state, mistakes } = this.calculator;
    const question = request(state, 'rows');
    if (question === this.question || mistakes.size > 0) return;
    this.question = question;
    clearTimeout(this.waiting);
    const ask = () => this.ask(question, state).catch(() => (this.question = '')); // without a network the next change tries again
    this.waiting = setTimeout(() => void ask(), this.asked ? 250 : 0);
  }

  private async ask(question: string, state: State): Promise<void> {
    const engine = await this.calculator.asking.loaded();
    const before = await prepared(engine, state, question);
    if ('error' in before || this.question !== question) return;
    const least = leastSaving * headline(before).bytes;
    const savings: Saving[] = [];
    for (const one of whatIfs(this.calculator.tables, (id) => this.holding(before, state, id))) {
      await pause();
      if (this.question !== question || !this.isConnected) return;
      const answer = engine.estimate(request({ ...state, values: changed(state.values, one.change) }, 'rows'));
      if ('error' in answer) continue;
      const saved = headline(before).bytes - headline(answer).bytes;
      if (saved >= least) savings.push({ ...one, saved, answer, row: mostShrunk(before, answer) });
      if (!this.asked) this.asked = { before, savings, complete: false };
    }
    this.asked = { before, savings: savings.sort((a, b) => b.saved - a.saved), complete: true };
  }

  private holding({ assumptions = [] }: Answer, state: State, id: FieldId): unknown {
    return state.values[id] ?? assumptions.find((one) => one.field === id)?.value;
  }

  private take(change: Change, title: string): void {
    const { calculator: c } = this;
    const before = c.state;
    c.state = { ...before, values: changed(before.values, change) };
    this.undo = { state: before, to: c.state, title };
    c.announced = c.texts.t('contributors.taken', { change: title });
  }

  /** What a change sets, in the form's own words. */
  private titleOf(change: Change): string {
    const { calculator: c } = this;
    const { t, maybe } = c.texts;
    const name = (id: string): string => t(`field.${id}` as Key);
    const said = Object.entries(change).filter(([id, value]) => value !== undefined && valueOf(c, id as FieldId) !== value);
    const parts = said.map(([path, value]) => {
      const id = path as FieldId;
      if (value === true) return name(id);
      return `${name(id)}: ${typeof value === 'number' ? this.format.count(value) : valueName(c, id, String(value))}`;
    });
    const cleared = Object.entries(change).filter(([id, value]) => value === undefined && c.state.values[id as FieldId] !== undefined);
    const usual = cleared.map(([id]) => `${name(id)}: ${maybe(`form.default.${id}`) ?? t('form.default')}`);
    return (parts.length > 0 ? parts : usual).join(', ');
  }

  private savingView({ id, change, saved, answer }: Saving) {
    const { calculator: c, format } = this;
    const { t, name } = c.texts;
    const title = this.titleOf(change);
    const verdict = answer.fit && answer.fit.verdict !== this.answer.fit?.verdict ? answer.fit.verdict : undefined;
    const locked = Object.keys(change).some((one) => c.isLocked(field(one as FieldId).id as FieldId));
    return html`<li data-what-if=${id} data-saved=${saved} data-total=${headline(answer).bytes}>
      <p class="change">
        <strong>${title}</strong>
        <span class="cost">${t(`cost.${id}` as Key)}</span>
      </p>
      <p class="saved">
        <strong>−${format.bytes(saved)}</strong>
        <span>→ ${format.bytes(headline(answer).bytes)}</span>
        ${verdict ? html`<span class="badge ${verdict.replaceAll(' ', '-')}">${name('verdict', verdict)}</span>` : nothing}
      </p>
      <button type="button" ?disabled=${locked} aria-label=${`${t('contributors.take')}: ${title}`} @click=${() => this.take(change, title)}>
        ${t('contributors.take')}
      </button>
    </li>`;
  }

  private partView(id: string, bytes: number, savings: Saving[]) {
    const { calculator: c, format } = this;
    const { t, name } = c.texts;
    const [first, rest] = [savings.slice(0, shownAtOnce), savings.slice(shownAtOnce)];
    return html`<li class="part" data-part=${id}>
      <h3>
        <span class="swatch ${colourOf(id)}" aria-hidden="true"></span> ${name('row', id)}
        <span class="size">${format.bytes(bytes)} · ${format.percent(bytes, headline(this.answer).bytes)}</span>
      </h3>
      ${
        first.length > 0
          ? html`<ul>
              ${first.map((one) => this.savingView(one))}
            </ul>`
          : nothing
      }
      ${first.length === 0 && this.asked?.complete ? html`<p class="none">${this.otherwise(id)}</p>` : nothing}
      ${
        rest.length > 0
          ? html`<details>
              <summary>${t('contributors.more', { count: rest.length })}</summary>
              <ul>
                ${rest.map((one) => this.savingView(one))}
              </ul>
            </details>`
          : nothing
      }
    </li>`;
  }

  /** What shrinks a part beside another that it shrinks more. */
  private otherwise(id: string): string {
    const { t } = this.calculator.texts;
    const { before, savings } = this.asked!;
    const less = savings
      .map(({ change, answer }) => ({ title: this.titleOf(change), bytes: bytesOf(before, id) - bytesOf(answer, id) }))
      .filter(({ bytes }) => bytes > leastSaving * headline(before).bytes);
    if (less.length === 0) return t('contributors.none');
    const changes = less.map(({ title, bytes }) => `${title} (−${this.format.bytes(bytes)})`).join('; ');
    return t('contributors.otherwise', { changes });
  }

  private undoView() {
    const { calculator: c, undo } = this;
    if (!undo || c.state !== undo.to) return nothing;
    const back = () => {
      c.state = undo.state;
      this.undo = undefined;
    };
    return html`<p class="undo">
      ${c.texts.t('contributors.taken', { change: undo.title })} <button type="button" @click=${back}>${c.texts.t('contributors.undo')}</button>
    </p>`;
  }

  override render() {
    const { calculator: c, answer } = this;
    const { t } = c.texts;
    const total = headline(answer).bytes;
    const savings = this.asked?.savings ?? [];
    const of = (id: string) => savings.filter(({ row }) => row === id);
    const parts = (answer.rows ?? [])
      .filter(({ id, bytes }) => bytes >= leastShare * total || of(id).length > 0)
      .toSorted((a, b) => b.bytes - a.bytes);
    return html`<p class="intro">${t(this.asked?.complete ? 'contributors.intro' : 'curve.computing')}</p>
      ${this.undoView()}
      <ol data-complete=${this.asked?.complete ?? false}>
        ${parts.map(({ id, bytes }) => this.partView(id, bytes, of(id)))}
      </ol>`;
  }
}

export function contributorsView(c: Calculator, answer: Answer) {
  if (!customElements.get('plimsoll-contributors')) customElements.define('plimsoll-contributors', Contributors);
  return html`<section class="card" aria-labelledby="contributors-title">
    <h2 id="contributors-title">${c.texts.t('contributors.title')}</h2>
    <plimsoll-contributors .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-contributors>
  </section>`;
}
