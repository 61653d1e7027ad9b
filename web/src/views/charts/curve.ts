// <plimsoll-curve>: memory against the length of a sequence or against their number, stacked by row, with the
// device's capacity across it, and the same numbers as a table. It asks the engine itself, in one sweep of portions.

import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { notLoaded } from '../../state/arriving/reading.ts';
import { retryView } from '../retry.ts';
import type { Calculator } from '../../app/calculator.ts';
import { defineStack, type Plot } from '../../charts/stack.ts';
import { colourOf } from '../../charts/scale.ts';
import type { FieldId } from '../../state/fields.ts';
import { type Format, tokens } from '../../languages/format.ts';
import type { Key } from '../../languages/i18n.ts';
import { prepared, sweepInPortions, type Swept } from '../../answers/asking/portions.ts';
import type { Answer } from '../../engine/reply.ts';
import { request } from '../../state/request.ts';
import { curveStyles } from '../../styles/pieces.ts';
import { errorText, valueOf } from '../form/field.ts';
import { deviceName } from '../answer/summary.ts';
import { strip } from '../form/strip.ts';
import { table } from '../answer/table.ts';

type Axis = 'length' | 'number';

/** What is varied, by the task. */
const axes: Record<'inference' | 'training', Record<Axis, FieldId>> = {
  inference: { length: 'inference.context', number: 'inference.sequences' },
  training: { length: 'training.sequence', number: 'training.micro_batch' },
};

/** Sixteen points an octave up to the limit, with the limit and the chosen value among them. */
export function pointsUpTo(limit: number, from: number, chosen: number): number[] {
  const points = new Set([limit, chosen]);
  for (let octave = from; octave < limit; octave *= 2) for (let step = 0; step < 16; step++) points.add(Math.round(octave * (1 + step / 16)));
  return [...points].filter((point) => point >= from && point <= limit).sort((a, b) => a - b);
}

const isPowerOfTwo = (value: number): boolean => Number.isInteger(Math.log2(value));

export class MemoryCurve extends LitElement {
  static override styles = curveStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    axis: { state: true },
    at: { state: true },
    swept: { state: true },
    missed: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  declare axis: Axis;
  /** The point that is read off: the chosen value until another is pointed at. */
  declare at: number | undefined;
  /** Whether what it needs did not come. */
  declare missed: boolean;
  declare swept: (Swept & { field: FieldId; values: number[] }) | undefined;

  private drawing: { of: unknown[]; plot: Plot } | undefined;
  private question = '';
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.axis = 'length';
    this.missed = false;
  }

  private get varied(): FieldId {
    return axes[this.calculator.state.task][this.axis];
  }

  private chosen(id: FieldId): number {
    return Math.round(Number(valueOf(this.calculator, id) ?? 1));
  }

  /** The point that is read off. */
  private get point(): number {
    const { field, values } = this.swept!;
    return this.at ?? Math.max(0, values.indexOf(this.chosen(field)));
  }

  private values(): number[] {
    const { model } = this.calculator;
    const chosen = this.chosen(this.varied);
    if (this.axis === 'number') return pointsUpTo(Math.max(64, 2 ** Math.ceil(Math.log2(4 * chosen))), 1, chosen);
    const limit = Math.max(model?.context ?? 131072, chosen);
    return pointsUpTo(limit, 2 ** Math.floor(Math.log2(Math.min(256, chosen))), chosen);
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('axis')) this.at = undefined;
    const { state } = this.calculator;
    const question = `${this.varied} ${this.chosen(this.varied)} ${request(state, 'rows')}`;
    if (question === this.question || this.calculator.mistakes.size > 0) return;
    this.question = question;
    this.missed = false;
    clearTimeout(this.waiting);
    // A slider on its way asks for nothing; the first chart comes at once.
    const ask = () => this.ask(question, state).catch(() => void (this.missed = true)); // without a network: by hand, or with the next change
    this.waiting = setTimeout(() => void ask(), this.swept ? 150 : 0);
  }

  private async ask(question: string, state: Calculator['state']): Promise<void> {
    const { varied: id } = this;
    const values = this.values();
    const asked = request(state, 'rows');
    const engine = await this.calculator.asking.loaded();
    const reply = await prepared(engine, state, asked);
    const wanted = () => this.question === question && this.isConnected;
    const swept = 'error' in reply ? { rows: {}, error: reply.error } : await sweepInPortions(engine, asked, id, values, wanted);
    if (!wanted()) return;
    this.swept = { ...swept, field: id, values };
    this.at = undefined;
  }

  private get rows(): string[] {
    const { rows = {} } = this.swept ?? {};
    return Object.keys(rows).filter((id) => rows[id]!.some((bytes) => bytes > 0));
  }

  private sum(at: number): number {
    return this.rows.reduce((sum, id) => sum + this.swept!.rows[id]![at]!, 0);
  }

  /** The same object as long as nothing in it has changed: another is drawn anew. */
  private plot(): Plot {
    const of = [this.swept, this.answer, this.format];
    if (!this.drawing || of.some((one, at) => one !== this.drawing!.of[at])) this.drawing = { of, plot: this.newPlot() };
    return this.drawing.plot;
  }

  private newPlot(): Plot {
    const { calculator: c, format } = this;
    const { values, rows, field } = this.swept!;
    const capacity = this.answer.fit?.usable_bytes;
    return {
      x: values,
      rows: this.rows.map((id) => ({ id, name: c.texts.name('row', id), colour: colourOf(id), bytes: rows[id]! })),
      marked: values.indexOf(this.chosen(field)),
      unit: c.unit,
      xLabel: this.fieldName,
      xText: (value) => (field === axes[c.state.task].length ? tokens(value) : format.count(value)),
      yText: (value) => format.count(value),
      ...(capacity !== undefined && { capacity }),
    };
  }

  private get fieldName(): string {
    return this.calculator.texts.t(`field.${this.swept?.field ?? this.varied}` as Key);
  }

  private readOff() {
    const { calculator: c, swept } = this;
    const { point: at } = this;
    const { t, name } = c.texts;
    return html`<p class="read-off">
      <strong>${this.fieldName}: ${this.format.count(swept!.values[at]!)}</strong> <span>${t('rows.total')} ${this.format.bytes(this.sum(at))}</span>
      ${this.rows.map(
        (id) =>
          html`<span
            ><span class="swatch ${colourOf(id)}" aria-hidden="true"></span> ${name('row', id)} ${this.format.bytes(swept!.rows[id]![at]!)}</span
          >`,
      )}
    </p>`;
  }

  private numbers() {
    const { calculator: c, swept } = this;
    const { t, name } = c.texts;
    const { values, rows } = swept!;
    const shown = values
      .map((value, at) => ({ value, at }))
      .filter(({ value, at }) => isPowerOfTwo(value) || at === values.length - 1 || value === this.chosen(swept!.field));
    return html`<details>
      <summary>${t('curve.table')}</summary>
      ${table(
        t('curve.title'),
        shown,
        { title: this.fieldName, cell: ({ value }) => this.format.count(value) },
        [
          { title: t('rows.total'), cell: ({ at }) => this.format.bytes(this.sum(at)) },
          ...this.rows.map((id) => ({ title: name('row', id), cell: ({ at }: { at: number }) => this.format.bytes(rows[id]![at]!) })),
        ],
        true,
      )}
    </details>`;
  }

  private again(): void {
    this.question = '';
    this.missed = false;
  }

  private drawn() {
    const { calculator: c, swept } = this;
    if (this.missed) return retryView(c, notLoaded, () => this.again());
    if (!swept) return html`<p>${c.texts.t('curve.computing')}</p>`;
    if (swept.error) return html`<p class="error">${errorText(c, swept.error)}</p>`;
    const { point: at } = this;
    const said = `${this.format.count(swept.values[at]!)}: ${this.format.bytes(this.sum(at))}`;
    return html`<plimsoll-stack
        .plot=${this.plot()}
        .at=${at}
        label=${`${c.texts.t('curve.title')}: ${this.fieldName}`}
        said=${said}
        data-points=${swept.values.length}
        @point=${(event: CustomEvent<number>) => (this.at = event.detail)}
      ></plimsoll-stack>
      ${this.readOff()}
      ${this.answer.fit ? html`<p class="capacity-key">${c.texts.t('curve.capacity', { bytes: this.format.bytes(this.answer.fit.usable_bytes), device: deviceName(c) })}</p>` : nothing}
      ${this.numbers()}`;
  }

  override render() {
    const { t } = this.calculator.texts;
    const { task } = this.calculator.state;
    const options = (['length', 'number'] as const).map((axis) => [axis, t(`curve.${task}.${axis}`)] as const);
    return html`${strip<Axis>('curve-axis', t('curve.against'), options, this.axis, (axis) => (this.axis = axis))} ${this.drawn()}`;
  }
}

export function defineCurve(): void {
  defineStack();
  if (!customElements.get('plimsoll-curve')) customElements.define('plimsoll-curve', MemoryCurve);
}
