// The timeline: one bar a phase, stacked by part, with the load line down through all of them.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Format } from '../languages/format.ts';
import type { Answer, Phase } from '../engine/reply.ts';
import { colourOf, isAllocated, percent, stack } from './scale.ts';

export interface PhaseTexts {
  phase: (id: string) => string;
  name: (id: string) => string;
  peak: string;
}

function phaseBar(
  phase: Phase,
  whole: number,
  usable: number | undefined,
  order: readonly string[],
  texts: PhaseTexts,
  format: Format,
): TemplateResult {
  const parts = order.map((id) => ({ id, bytes: phase.rows?.[id] ?? 0 }));
  const line = usable === undefined ? undefined : percent(usable, whole);
  return html`<svg width="100%" height="26" aria-hidden="true">
    ${stack(parts).map(
      ({ id, from, bytes }) => svg`<rect class="part ${colourOf(id)}" x=${percent(from, whole)} width=${percent(bytes, whole)} y="4" height="18">
        <title>${texts.name(id)}: ${format.bytes(bytes)}</title>
      </rect>`,
    )}
    ${line === undefined ? nothing : svg`<line class="load" x1=${line} x2=${line} y1="0" y2="26"></line>`}
  </svg>`;
}

export function phasesChart(answer: Answer, format: Format, texts: PhaseTexts): TemplateResult {
  const phases = answer.timeline ?? [];
  const tallest = Math.max(...phases.map(({ bytes }) => bytes));
  // A line far beyond the load would leave every bar a stub; then it is left out.
  const usable = answer.fit && answer.fit.usable_bytes < 3 * tallest ? answer.fit.usable_bytes : undefined;
  const whole = Math.max(tallest, usable ?? 0) * 1.02 || 1;
  // A phase's bytes are what is allocated: other rows come on top.
  const order = (answer.rows ?? []).map(({ id }) => id).filter(isAllocated);
  return html`<ol class="phases">
    ${phases.map((phase) => {
      const peak = phase.phase === answer.total.phase;
      return html`<li class=${peak ? 'peak' : ''} data-phase=${phase.phase}>
        <span class="phase">${texts.phase(phase.phase)}${peak ? html` <span class="mark">${texts.peak}</span>` : nothing}</span>
        ${phaseBar(phase, whole, usable, order, texts, format)}
        <span class="size">${format.bytes(phase.bytes)}</span>
      </li>`;
    })}
  </ol>`;
}
