// A snapshot of memory: what each device's segments hold, and the course of memory, beside that of a training as we count it.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { SnapshotCourse, SnapshotDevice, SnapshotSegment } from '../../engine/wire.d.ts';
import type { SnapshotError } from '../../reconcile/snapshot/kept.mjs';
import type { Shown } from './shown.ts';

/** How much of a file is read; nothing where none is. */
export const progressView = (c: Calculator, share: number | undefined): TemplateResult | typeof nothing =>
  share === undefined
    ? nothing
    : html`<p class="hint" role="status">
        ${c.texts.t('reconcile.snapshot.reading', { share: c.format.percent(share, 0) })} <progress value=${share}></progress>
      </p>`;

/** Why a file was not read. */
export const damageView = (c: Calculator, damage: SnapshotError | undefined): TemplateResult | typeof nothing =>
  damage ? html`<p class="error" role="alert" data-damage=${damage.code}>${c.texts.t(`reconcile.snapshot.${damage.code}`)}</p>` : nothing;

interface Axis {
  /** Bytes at the top. */
  most: number;
}

/** The edge of steps from the left to the right, each as wide as the next. */
const steps = (values: readonly number[], { most }: Axis): string =>
  values.map((value, at) => `${at},${(100 * (1 - value / most)).toFixed(2)} ${at + 1},${(100 * (1 - value / most)).toFixed(2)}`).join(' ');

const area = (values: readonly number[], axis: Axis): string => `0,100 ${steps(values, axis)} ${values.length},100`;

function courseView(c: Calculator, { tensors, reserved }: SnapshotCourse, axis: Axis): TemplateResult {
  const most = (values: readonly number[]) => c.format.bytes(values.reduce((all, one) => Math.max(all, one), 0));
  const said = c.texts.t('reconcile.snapshot.course', { tensors: most(tensors), reserved: most(reserved) });
  return html`<figure>
    <figcaption>${c.texts.t('reconcile.snapshot.theirs')} ${said}</figcaption>
    <svg class="course" viewBox="0 0 ${tensors.length} 100" preserveAspectRatio="none" role="img" aria-label=${said}>
      ${svg`<polygon class="reserved" points=${area(reserved, axis)}></polygon><polygon class="tensors" points=${area(tensors, axis)}></polygon>`}
    </svg>
  </figure>`;
}

/** Ours: the phases of a training, as high as theirs is. */
function phasesView(c: Calculator, phases: readonly { phase: string; bytes: number }[], axis: Axis): TemplateResult {
  const { name, t } = c.texts;
  const said = phases.map(({ phase, bytes }) => `${name('phase', phase)} ${c.format.bytes(bytes)}`);
  return html`<figure data-ours=${phases.length}>
    <figcaption>${t('reconcile.snapshot.ours')}</figcaption>
    <svg class="course" viewBox="0 0 ${phases.length} 100" preserveAspectRatio="none" role="img" aria-label=${said.join(', ')}>
      ${svg`<polygon class="tensors" points=${area(
        phases.map(({ bytes }) => bytes),
        axis,
      )}></polygon>`}
    </svg>
    <ol class="phases-named">
      ${said.map((one) => html`<li>${one}</li>`)}
    </ol>
  </figure>`;
}

/** Of two heights so many times apart one would be a line. */
const tooFar = 8;

function chartView({ c, held, state }: Shown, course: SnapshotCourse): TemplateResult {
  const phases = state.task === 'training' && held && 'answer' in held ? (held.answer.timeline ?? []) : [];
  const mostOf = (values: readonly number[]) => values.reduce((all, one) => Math.max(all, one), 1) * 1.04;
  const [theirs, ours] = [mostOf([...course.reserved, ...course.tensors]), mostOf(phases.map(({ bytes }) => bytes))];
  const together = phases.length === 0 || Math.max(theirs, ours) < tooFar * Math.min(theirs, ours);
  const both = Math.max(theirs, ours);
  return html`<div class="courses">
      ${courseView(c, course, { most: together ? both : theirs })}
      ${phases.length > 0 ? phasesView(c, phases, { most: together ? both : ours }) : nothing}
    </div>
    <p class="hint">
      <span class="swatch reserved" aria-hidden="true"></span> ${c.texts.t('reconcile.snapshot.reserved')}
      <span class="swatch tensors" aria-hidden="true"></span> ${c.texts.t('reconcile.snapshot.tensors')}
      ${phases.length === 0 ? c.texts.t('reconcile.snapshot.choose') : nothing} ${together ? nothing : c.texts.t('reconcile.snapshot.apart')}
    </p>`;
}

function segmentsView(c: Calculator, segments: readonly SnapshotSegment[]): TemplateResult | typeof nothing {
  if (segments.length === 0) return nothing;
  const { t } = c.texts;
  const heads = ['pool', 'reserved', 'allocated', 'free', 'blocks'] as const;
  return html`<details>
    <summary>${t('reconcile.snapshot.segments', { count: segments.length })}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('reconcile.snapshot.segments', { count: segments.length })}>
      <table class="segments">
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${t(`reconcile.snapshot.segment.${head}`)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${segments.map(
            ({ pool, bytes, allocated, largest_free: free, blocks }) =>
              html`<tr>
                <th scope="row">${t(`reconcile.snapshot.pool.${pool}`)}</th>
                <td>${c.format.bytes(bytes)}</td>
                <td>${c.format.bytes(allocated)}</td>
                <td>${c.format.bytes(free)}</td>
                <td>${c.format.count(blocks)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

function deviceView(shown: Shown, one: SnapshotDevice): TemplateResult {
  const { c } = shown;
  const { t } = c.texts;
  const sizes = { count: c.format.count(one.segments), large: c.format.bytes(one.large), small: c.format.bytes(one.small) };
  return html`<div class="device" data-device=${one.device} data-segments=${one.segments}>
    <p><strong>${t('reconcile.device', { device: one.device })}</strong> ${t('reconcile.snapshot.held', sizes)}</p>
    ${one.entries ? html`<p>${t('reconcile.snapshot.history', { count: c.format.count(one.entries) })}</p>` : nothing}
    ${one.untold ? html`<p class="hint">${t('reconcile.snapshot.untold')}</p>` : nothing} ${one.course ? chartView(shown, one.course) : nothing}
    ${segmentsView(c, one.largest)}
  </div>`;
}

/** What a snapshot says; nothing of a text. */
export function snapshotView(shown: Shown): TemplateResult | typeof nothing {
  const { snapshot } = shown.log;
  if (!snapshot) return nothing;
  return html`<section class="snapshot" aria-labelledby="snapshot-title">
    <h3 id="snapshot-title">${shown.c.texts.t('reconcile.snapshot')}</h3>
    ${snapshot.map((one) => deviceView(shown, one))}
  </section>`;
}
