// <plimsoll-steps>: a training step over its phases as the driver sees it, and the same numbers as a table.

import { html, LitElement, nothing } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { colourOf } from '../../charts/scale.ts';
import { drawsCapacity, type Step, stepsChart } from '../../charts/steps.ts';
import type { Format } from '../../languages/format.ts';
import type { Answer } from '../../engine/reply.ts';
import { stepsStyles } from '../../styles/training/training.ts';
import { deviceName } from '../answer/summary.ts';
import { table } from '../answer/table.ts';
import { momentsView } from './moments.ts';

/** All rows of each phase: with the allocator's slack and the device context, for that is what the capacity must hold. */
export function stepsOf({ timeline = [], rows = [], total }: Answer): Step[] {
  return timeline.map(({ phase }) => {
    const parts = rows.map(({ id, by_phase: by = {} }) => ({ id, bytes: (by as Record<string, number>)[phase] ?? 0 }));
    return { phase, parts, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), peak: phase === total.phase };
  });
}

class Steps extends LitElement {
  static override styles = stepsStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    follows: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** Whether the step is told moment by moment: only then the engine is asked for it. */
  declare follows: boolean | undefined;

  private moments() {
    return html`<details @toggle=${(event: Event) => (this.follows = (event.target as HTMLDetailsElement).open)}>
      <summary>${this.calculator.texts.t('moments.title')}</summary>
      ${this.follows ? momentsView(this.calculator, this.answer) : nothing}
    </details>`;
  }

  private capacity(steps: readonly Step[]) {
    const { calculator: c, answer, format } = this;
    const usable = answer.fit?.usable_bytes;
    if (usable === undefined) return nothing;
    const drawn = drawsCapacity(steps, usable);
    const values = { bytes: format.bytes(usable), device: deviceName(c) };
    return html`<p class=${drawn ? 'capacity-key' : 'capacity-far'}>${c.texts.t(drawn ? 'curve.capacity' : 'steps.far', values)}</p>`;
  }

  private numbers(steps: readonly Step[], ids: readonly string[]) {
    const { calculator: c, format } = this;
    const { t, name } = c.texts;
    const bytesOf = ({ parts }: Step, id: string): number => parts.find((part) => part.id === id)!.bytes;
    return html`<details>
      <summary>${t('curve.table')}</summary>
      ${table(
        t('steps.title'),
        steps,
        { title: t('steps.phase'), cell: ({ phase, peak }) => `${name('phase', phase)}${peak ? ` (${t('timeline.peak')})` : ''}` },
        [
          { title: t('rows.total'), cell: ({ bytes }) => format.bytes(bytes) },
          ...ids.map((id) => ({ title: name('row', id), cell: (step: Step) => format.bytes(bytesOf(step, id)) })),
        ],
        true,
      )}
    </details>`;
  }

  /** What PyTorch's own counters show, where the engine has replayed the run. */
  private counters() {
    const { calculator: c, answer, format } = this;
    const { t, name } = c.texts;
    if (!answer.allocator) return nothing;
    const { first_step: first, later_steps: later } = answer.allocator;
    const rows = [...first.map((one) => ({ ...one, step: t('steps.first') })), ...later.map((one) => ({ ...one, step: t('steps.later') }))];
    const title = t('steps.counters');
    return html`<details>
      <summary>${title}</summary>
      ${table(
        title,
        rows,
        { title: t('steps.phase'), cell: ({ step, phase }) => t('form.pair', { name: step, value: name('phase', phase) }) },
        (['allocated', 'peak', 'requested', 'reserved'] as const).map((id) => ({
          title: t(`steps.${id}`),
          cell: (row: (typeof rows)[number]) => format.bytes(row[id]),
        })),
        true,
      )}
    </details>`;
  }

  override render() {
    const { calculator: c, answer, format } = this;
    const { t, name } = c.texts;
    const steps = stepsOf(answer);
    const ids = (answer.rows ?? [])
      .map(({ id }) => id)
      .filter((id) => steps.some(({ parts }) => parts.some((part) => part.id === id && part.bytes > 0)));
    return html`${stepsChart(steps, answer.fit?.usable_bytes, format, { phase: (id) => name('phase', id), part: (id) => name('row', id), peak: t('timeline.peak') })}
      <p class="legend" aria-hidden="true">${ids.map((id) => html`<span><span class="swatch ${colourOf(id)}"></span> ${name('row', id)}</span>`)}</p>
      ${this.capacity(steps)} ${this.numbers(steps, ids)} ${this.moments()} ${this.counters()}`;
  }
}

export function stepsView(c: Calculator, answer: Answer) {
  if (!customElements.get('plimsoll-steps')) customElements.define('plimsoll-steps', Steps);
  return html`<section class="timeline" aria-labelledby="timeline-title">
    <h2 id="timeline-title">${c.texts.t('steps.title')}</h2>
    <plimsoll-steps .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-steps>
  </section>`;
}
