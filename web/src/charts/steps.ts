// One training step over its phases: a bar each, stacked by part, over an axis of bytes, with the device's capacity
// down through all of them and what lies beyond it hatched.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { bytesIn, type Format } from '../languages/format.ts';
import { colourOf, percent, stack } from './scale.ts';

export interface Step {
  phase: string;
  peak: boolean;
  bytes: number;
  /** In the order of the parts. */
  parts: { id: string; bytes: number }[];
}

export interface StepTexts {
  phase: (id: string) => string;
  part: (id: string) => string;
  peak: string;
}

/** A capacity so many times the load would leave every bar a stub: it is said and not drawn. */
const farthest = 4;

export const drawsCapacity = (steps: readonly Step[], capacity: number | undefined): capacity is number =>
  capacity !== undefined && capacity <= farthest * Math.max(...steps.map(({ bytes }) => bytes));

/** Round values of the axis, four or five of them. */
export function ticks(whole: number, one: number): number[] {
  const raw = whole / one / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((times) => times * power >= raw)! * power;
  return Array.from({ length: Math.floor(whole / one / step) + 1 }, (_, at) => at * step * one);
}

function bar({ parts, bytes }: Step, whole: number, capacity: number | undefined, lines: number[], texts: StepTexts, format: Format): TemplateResult {
  const over = capacity !== undefined && bytes > capacity;
  return html`<svg width="100%" height="34" aria-hidden="true">
    ${lines.map((at) => svg`<line class="grid" x1=${percent(at, whole)} x2=${percent(at, whole)} y1="0" y2="34"></line>`)}
    ${stack(parts).map(
      ({ id, from, bytes: size }) =>
        svg`<rect class="part ${colourOf(id)}" x=${percent(from, whole)} width=${percent(size, whole)} y="5" height="24">
        <title>${texts.part(id)}: ${format.bytes(size)}</title>
      </rect>`,
    )}
    ${over ? svg`<rect class="over" x=${percent(capacity, whole)} width=${percent(bytes - capacity, whole)} y="5" height="24" fill="url(#beyond)"></rect>` : nothing}
    ${capacity === undefined ? nothing : svg`<line class="load" x1=${percent(capacity, whole)} x2=${percent(capacity, whole)} y1="0" y2="34"></line>`}
  </svg>`;
}

function axis(whole: number, at: number[], format: Format): TemplateResult {
  const one = bytesIn(format.unit);
  return html`<svg class="axis" width="100%" height="20" aria-hidden="true">
    ${at.map((value, index) => svg`<text x=${percent(value, whole)} y="14" text-anchor=${index === 0 ? 'start' : 'middle'}>${format.count(value / one)}${index === 0 ? ` ${format.unit}` : ''}</text>`)}
  </svg>`;
}

export function stepsChart(steps: readonly Step[], usable: number | undefined, format: Format, texts: StepTexts): TemplateResult {
  const capacity = drawsCapacity(steps, usable) ? usable : undefined;
  const whole = Math.max(capacity ?? 0, ...steps.map(({ bytes }) => bytes)) * 1.04 || 1;
  const lines = ticks(whole, bytesIn(format.unit));
  return html`<svg width="0" height="0" class="defs" aria-hidden="true">
      <defs>
        <pattern id="beyond" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.5" height="7"></rect>
        </pattern>
      </defs>
    </svg>
    <ol class="phases steps">
      ${steps.map(
        (step) =>
          html`<li class=${step.peak ? 'peak' : ''} data-phase=${step.phase} data-bytes=${step.bytes}>
            <span class="phase">${texts.phase(step.phase)}${step.peak ? html` <span class="mark">${texts.peak}</span>` : nothing}</span>
            ${bar(step, whole, capacity, lines, texts, format)}
            <span class="size">${format.bytes(step.bytes)}</span>
          </li>`,
      )}
      <li class="scale" aria-hidden="true"><span></span>${axis(whole, lines, format)}<span></span></li>
    </ol>`;
}
