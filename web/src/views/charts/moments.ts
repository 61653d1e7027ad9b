// <plimsoll-moments>: the tensors of a training step over time, one moment read off, and the bands' rows opened.

import { html, LitElement, nothing, type PropertyValues } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { type Band, bandsOf, momentsChart } from '../../charts/moments.ts';
import { colourOf } from '../../charts/scale.ts';
import type { Answer } from '../../engine/reply.ts';
import type { StepRecord } from '../../engine/wire.d.ts';
import type { Format } from '../../languages/format.ts';
import type { Key } from '../../languages/i18n.ts';
import { request } from '../../state/request.ts';
import { momentsStyles } from '../../styles/training/training.ts';
import { table } from '../answer/table.ts';

class Moments extends LitElement {
  static override styles = momentsStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    at: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** The moment that is read off; the fullest until another is chosen. */
  declare at: number | undefined;

  private step: StepRecord | undefined;
  private bands: Band[] = [];

  /** Asked anew with each answer; this view is only there while its fold stands open. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('answer')) return;
    const { asking, state } = this.calculator;
    const reply = asking.engine?.estimate(request(state, 'rows', undefined, { timeline: true }));
    this.step = reply && !('error' in reply) ? reply.step : undefined;
    this.bands = this.step ? bandsOf(this.step) : [];
    this.at = undefined;
  }

  private get fullest(): number {
    const bytes = this.step!.moments.map((moment) => moment.bytes);
    return bytes.indexOf(Math.max(...bytes));
  }

  private nameOf(at: number): string {
    const { t, name } = this.calculator.texts;
    const { phase, work, layer = 0, micro_batch } = this.step!.moments[at]!;
    return t('moments.at', {
      phase: name('phase', phase),
      work: t(`work.${work}` as Key, { layer: layer + 1 }),
      micro_batch: micro_batch + 1,
    });
  }

  private slider(at: number) {
    const { t } = this.calculator.texts;
    const { moments } = this.step!;
    return html`<label class="slider"
        >${t('moments.choose')}
        <input
          type="range"
          min="0"
          max=${moments.length - 1}
          .value=${String(at)}
          aria-valuetext=${this.nameOf(at)}
          @input=${(event: Event) => (this.at = Number((event.target as HTMLInputElement).value))}
      /></label>
      <p class="read-off" role="status">${this.nameOf(at)}: <strong>${this.format.bytes(moments[at]!.bytes)}</strong></p>`;
  }

  /** The rows as buttons that open them in the table of rows. */
  private legend() {
    const { calculator: c } = this;
    const rows = [...new Set(this.bands.map(({ row }) => row))];
    return html`<p class="legend">
      ${rows.map(
        (row) =>
          html`<button type="button" aria-pressed=${c.open.has(row)} @click=${() => c.toggle(row)}>
            <span class="swatch ${colourOf(row)}" aria-hidden="true"></span> ${c.texts.name('row', row)}
          </button>`,
      )}
    </p>`;
  }

  override render() {
    if (!this.step || this.bands.length === 0) return nothing;
    const { calculator: c, format } = this;
    const { t, name } = c.texts;
    const at = this.at ?? this.fullest;
    const bandName = (row: string, group: string) =>
      row === group ? name('row', row) : t('form.pair', { name: name('row', row), value: name('part', group) });
    const here = this.bands.map((band) => ({ ...band, here: band.bytes[at]! })).filter((band) => band.here > 0);
    return html`${momentsChart(this.bands, at, { label: t('moments.title'), group: bandName }, (row) => c.toggle(row))} ${this.slider(at)}
    ${this.legend()}
    ${table(
      this.nameOf(at),
      here,
      { title: t('moments.tensors'), cell: ({ row, group }) => bandName(row, group) },
      [{ title: t('rows.total'), cell: (band) => format.bytes(band.here) }],
      true,
    )}`;
  }
}

export function momentsView(c: Calculator, answer: Answer) {
  if (!customElements.get('plimsoll-moments')) customElements.define('plimsoll-moments', Moments);
  return html`<plimsoll-moments .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-moments>`;
}
