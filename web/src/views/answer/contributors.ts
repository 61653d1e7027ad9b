// <plimsoll-contributors>: the parts that fill the peak, the largest first, and under each what would shrink it and by
// how much. Every figure is the engine's answer to the same request with one thing changed.

import { html, LitElement, nothing } from 'lit';
import { notLoaded } from '../../state/arriving/reading.ts';
import { retryView } from '../retry.ts';
import type { Calculator } from '../../app/calculator.ts';
import { colourOf } from '../../charts/scale.ts';
import type { FieldId } from '../../state/fields.ts';
import type { Format } from '../../languages/format.ts';
import type { Key } from '../../languages/i18n.ts';
import { type Answer, headline } from '../../engine/reply.ts';
import { request } from '../../state/request.ts';
import { bytesOf, changeOf, findSavings, type Saving, type Savings, shrinks } from '../../training/savings.ts';
import type { State } from '../../state/state.ts';
import { contributorStyles } from '../../styles/training/training.ts';
import { type Change, changed } from '../../training/what-ifs.ts';
import { valueName, valueOf } from '../form/field.ts';

/** Parts of less than this share are not worth a heading of their own, unless something shrinks them. */
const leastShare = 0.04;
/** Shown under a part at once; the others are folded. */
const shownAtOnce = 4;

export class Contributors extends LitElement {
  static override styles = contributorStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    asked: { state: true },
    undo: { state: true },
    missed: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** What came of the last asking. */
  declare asked: Savings | undefined;
  /** The state before the last change that was taken from here, and the one that it led to. */
  declare undo: { state: State; to: State; title: string } | undefined;

  /** Whether what it needs did not come. */
  declare missed: boolean | undefined;

  private question = '';
  /** The question that is answered. */
  private current = '';
  private waiting: ReturnType<typeof setTimeout> | undefined;

  override willUpdate(): void {
    const { state, mistakes } = this.calculator;
    const question = request(state, 'rows');
    if (question === this.question || mistakes.size > 0) return;
    this.question = question;
    this.missed = false;
    clearTimeout(this.waiting);
    const ask = () => this.ask(question, state).catch(() => void (this.missed = true)); // without a network: by hand, or with the next change
    this.waiting = setTimeout(() => void ask(), this.asked ? 250 : 0);
  }

  private async ask(question: string, state: State): Promise<void> {
    const engine = await this.calculator.asking.loaded();
    const wanted = () => this.question === question && this.isConnected;
    const found = await findSavings(engine, this.calculator.tables, state, wanted);
    if (found) {
      this.asked = found;
      this.current = question;
    }
  }

  private take(change: Change, title: string): void {
    const { calculator: c } = this;
    const before = c.state;
    c.state = { ...before, values: changed(before.values, change) };
    this.undo = { state: before, to: c.state, title };
    c.announced = c.texts.t('contributors.taken', { change: title });
    // The button that had the focus goes with what it offered.
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.undo button')?.focus({ preventScroll: true }));
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
      return t('form.pair', { name: name(id), value: typeof value === 'number' ? this.format.count(value) : valueName(c, id, String(value)) });
    });
    const cleared = Object.entries(change).filter(([id, value]) => value === undefined && c.state.values[id as FieldId] !== undefined);
    const usual = cleared.map(([id]) => t('form.pair', { name: name(id), value: maybe(`form.default.${id}`) ?? t('form.default') }));
    return (parts.length > 0 ? parts : usual).join(', ');
  }

  private savingView({ id, change, saved, answer }: Saving) {
    const { calculator: c, format } = this;
    const { t, name } = c.texts;
    const title = this.titleOf(change);
    const verdict = answer.fit && answer.fit.verdict !== this.answer.fit?.verdict ? answer.fit.verdict : undefined;
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
      <button
        type="button"
        ?disabled=${this.locks(change)}
        aria-label=${`${t('contributors.take')}: ${title}`}
        @click=${() => this.take(change, title)}
      >
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
      ${first.length === 0 && this.asked ? html`<p class="none">${this.otherwise(id)}</p>` : nothing}
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
      .filter(({ answer }) => shrinks(before, answer, id))
      .map(({ change, answer }) => ({ title: this.titleOf(change), bytes: bytesOf(before, id) - bytesOf(answer, id) }));
    if (less.length === 0) return t('contributors.none');
    const changes = less.map(({ title, bytes }) => `${title} (−${this.format.bytes(bytes)})`).join('; ');
    return t('contributors.otherwise', { changes });
  }

  /** Of a training that does not fit: the fewest and kindest changes with which it does. */
  private fittingView() {
    const { calculator: c, asked, format } = this;
    const { t, name } = c.texts;
    if (!asked?.before.fit || asked.before.fit.verdict === 'fits') return nothing;
    const { fitting } = asked;
    if (!fitting) return html`<p class="fitting none">${t('contributors.never')}</p>`;
    const change = changeOf(fitting);
    const total = headline(fitting.answer).bytes;
    const title = fitting.steps.map((step) => this.titleOf(step.change)).join('; ');
    return html`<div class="fitting" data-total=${total}>
      <h3>${t('contributors.fitting')}</h3>
      <ul>
        ${fitting.steps.map((step) => html`<li data-step=${step.id}><strong>${this.titleOf(step.change)}</strong> <span class="cost">${t(`cost.${step.id}` as Key)}</span></li>`)}
      </ul>
      <p class="saved"><span>→ ${format.bytes(total)}</span> <span class="badge fits">${name('verdict', 'fits')}</span></p>
      <button type="button" ?disabled=${this.locks(change)} @click=${() => this.take(change, title)}>${t('contributors.take_all')}</button>
    </div>`;
  }

  private locks(change: Change): boolean {
    return Object.keys(change).some((id) => this.calculator.isLocked(id as FieldId));
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
    const again = (): void => {
      this.question = '';
      this.missed = false;
    };
    return html`${this.missed ? retryView(c, notLoaded, again) : html`<p class="intro">${t(this.asked ? 'contributors.intro' : 'curve.computing')}</p>`}
      ${this.undoView()} ${this.fittingView()}
      <ol data-complete=${this.asked !== undefined && this.current === this.question}>
        ${parts.map(({ id, bytes }) => this.partView(id, bytes, of(id)))}
      </ol>`;
  }
}

export function contributorsView(c: Calculator, answer: Answer) {
  if (!customElements.get('plimsoll-contributors')) customElements.define('plimsoll-contributors', Contributors);
  return html`<plimsoll-contributors .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-contributors>`;
}
