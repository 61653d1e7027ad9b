// <plimsoll-speed-curve>: speed against the number of sequences or the context, as a chart and as a table. Each point is an estimate.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { type SpeedAt, untilFull, valuesUpTo } from '../../time/speeding.mjs';
import { speedsOver } from '../../time/speeds.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { Speeds } from '../../charts/speeds.ts';
import { timedRequest } from '../../answers/asking/timed.ts';
import type { FieldId } from '../../state/fields.ts';
import { type Format, tokens } from '../../languages/format.ts';
import { curveStyles } from '../../styles/pieces.ts';
import { table } from '../answer/table.ts';
import { Question } from '../choosing/question.ts';
import { valueOf } from '../form/field.ts';
import { strip } from '../form/strip.ts';
import { keyStyles } from '../../styles/answer/time.ts';
import { rate } from './said.ts';

type Axis = 'number' | 'length';

const fields: Record<Axis, FieldId> = { number: 'inference.sequences', length: 'inference.context' };

/** Milliseconds that a hand rests before it is asked anew. */
const rest = 300;

export class SpeedCurve extends LitElement {
  static override styles = [...curveStyles, keyStyles];
  static override properties = {
    calculator: { attribute: false },
    format: { attribute: false },
    state: { attribute: false },
    axis: { state: true },
    found: { state: true },
  };

  declare calculator: Calculator;
  /** Of the language: what is shown changes with it. */
  declare format: Format;
  declare state: Calculator['state'];
  declare axis: Axis;
  declare found: { axis: Axis; points: SpeedAt[]; cut: boolean } | undefined;

  private readonly question = new Question(this);
  private drawing: { of: unknown[]; speeds: Speeds } | undefined;

  constructor() {
    super();
    this.axis = 'number';
  }

  private values(): number[] {
    const { model } = this.calculator;
    const chosen = Math.round(Number(valueOf(this.calculator, fields[this.axis]) ?? 1));
    if (this.axis === 'number') return valuesUpTo(Math.max(64, 2 ** Math.ceil(Math.log2(4 * chosen))), 1, chosen);
    return valuesUpTo(Math.max(model?.context ?? 131072, chosen), 2 ** Math.floor(Math.log2(Math.min(512, chosen))), chosen);
  }

  override willUpdate(): void {
    if (this.calculator.mistakes.size > 0) return;
    this.question.put(`${this.axis} ${timedRequest(this.state, 'none')}`, this.found ? rest : 0, (question) => this.ask(question, this.axis));
  }

  private async ask(question: string, axis: Axis): Promise<void> {
    const wanted = (): boolean => this.question.wants(question);
    const values = this.values();
    const all = await speedsOver(await this.calculator.asking.loaded(), this.state, fields[axis], values, wanted);
    if (!wanted()) return;
    const points = untilFull(all);
    this.found = { axis, points, cut: points.length < all.length };
  }

  /** The same object as long as nothing in it has changed: another is drawn anew. */
  private get speeds(): Speeds {
    const of = [this.found, this.format];
    if (this.drawing?.of.every((one, at) => one === of[at])) return this.drawing.speeds;
    const { points, axis } = this.found!;
    const { t } = this.calculator.texts;
    const speeds: Speeds = {
      x: points.map(({ value }) => value),
      told: points.map(({ told }) => told?.value ?? null),
      low: points.map(({ told }) => told?.low ?? null),
      high: points.map(({ told }) => told?.high ?? null),
      most: points.map(({ most }) => most ?? null),
      xLabel: t(`field.${fields[axis]}` as 'field.inference.context'),
      yLabel: t('time.curve.y'),
      xText: (value) => (axis === 'length' ? tokens(value) : this.format.count(value)),
      yText: (value) => this.format.short(value, 3),
    };
    this.drawing = { of, speeds };
    return speeds;
  }

  private numbers(points: readonly SpeedAt[]): TemplateResult {
    const { calculator: c } = this;
    const { t } = c.texts;
    const say = (value: number | undefined): string => (value === undefined ? '–' : rate(c, value));
    const shown = points.filter(({ value }, at) => Number.isInteger(Math.log2(value)) || at === points.length - 1);
    return html`<details>
      <summary>${t('time.curve.table')}</summary>
      ${table(
        t('time.curve'),
        shown,
        { title: this.speeds.xLabel, cell: ({ value }) => this.format.count(value) },
        [
          { title: t('time.passes.estimate'), cell: ({ told }) => say(told?.value) },
          { title: t('time.passes.range'), cell: ({ told }) => (told ? t('time.span', { low: say(told.low), high: say(told.high) }) : '–') },
          { title: t('time.passes.least'), cell: ({ most }) => say(most) },
        ],
        true,
      )}
    </details>`;
  }

  private drawn(): TemplateResult {
    const { found } = this;
    const { t } = this.calculator.texts;
    if (!found) return html`<p>${t('time.computing')}</p>`;
    const { points, cut } = found;
    if (points.length === 0) return html`<p>${t('time.none')}</p>`;
    const told = points.some((point) => point.told);
    return html`<plimsoll-speeds
        .speeds=${this.speeds}
        label=${`${t('time.curve')}: ${this.speeds.xLabel}`}
        data-points=${points.length}
      ></plimsoll-speeds>
      <ul class="key">
        ${told ? html`<li><span class="swatch c1" aria-hidden="true"></span> ${t('time.curve.estimate')}</li>` : nothing}
        <li class="limit-key">${t('time.curve.limit')}</li>
      </ul>
      ${cut ? html`<p class="about">${t('time.curve.fits', { value: this.format.count(points.at(-1)!.value) })}</p>` : nothing}
      ${this.numbers(points)}`;
  }

  override render() {
    const { t } = this.calculator.texts;
    const options = (['number', 'length'] as const).map((axis) => [axis, t(`time.curve.${axis}`)] as const);
    return html`${strip<Axis>('speed-axis', t('time.curve.against'), options, this.axis, (axis) => (this.axis = axis))} ${this.drawn()}`;
  }
}
