// A training step moment by moment: the tensors of each group as a band over time, those of a row in one colour.

import { html, svg, type TemplateResult } from 'lit';
import type { StepRecord } from '../engine/wire.d.ts';
import { colourOf } from './scale.ts';

export interface Band {
  row: string;
  group: string;
  /** At each moment. */
  bytes: number[];
}

/** Equal tensors are put together by what shows them; a group that never has anything has no band. */
export function bandsOf({ tensors, moments }: StepRecord): Band[] {
  const bands: Band[] = [];
  const bandOf = tensors.map(({ row, group }) => {
    const known = bands.findIndex((band) => band.row === row && band.group === group);
    return known >= 0 ? known : bands.push({ row, group, bytes: moments.map(() => 0) }) - 1;
  });
  for (const [at, { holds }] of moments.entries())
    for (const { tensors: index, count } of holds) bands[bandOf[index]!]!.bytes[at]! += count * tensors[index]!.bytes;
  const rows = [...new Set(bands.map(({ row }) => row))];
  return bands.filter(({ bytes }) => bytes.some((one) => one > 0)).sort((a, b) => rows.indexOf(a.row) - rows.indexOf(b.row));
}

/** Each band on top of those before it: its lower and upper edge at each moment. */
export function stacked(bands: readonly Band[]): { band: Band; low: number[]; high: number[] }[] {
  let base = bands[0]?.bytes.map(() => 0) ?? [];
  return bands.map((band) => {
    const low = base;
    const high = low.map((edge, at) => edge + band.bytes[at]!);
    base = high;
    return { band, low, high };
  });
}

/** A moment is a step, and not a point of a slope: each has a width of its own. */
const outline = (low: readonly number[], high: readonly number[], whole: number): string => {
  const y = (value: number): string => (100 * (1 - value / whole)).toFixed(3);
  const along = high.map((value, at) => `${at},${y(value)} ${at + 1},${y(value)}`);
  const back = low.map((value, at) => `${at + 1},${y(value)} ${at},${y(value)}`).reverse();
  return [...along, ...back].join(' ');
};

export interface MomentTexts {
  label: string;
  group: (row: string, group: string) => string;
}

export function momentsChart(bands: readonly Band[], selected: number, texts: MomentTexts, choose: (row: string) => void): TemplateResult {
  const edges = stacked(bands);
  const whole = Math.max(...(edges.at(-1)?.high ?? [0])) * 1.04 || 1;
  const count = bands[0]?.bytes.length ?? 1;
  return html`<svg
    class="moments"
    width="100%"
    height="220"
    viewBox="0 0 ${count} 100"
    preserveAspectRatio="none"
    role="img"
    aria-label=${texts.label}
  >
    ${edges.map(
      ({ band, low, high }) =>
        svg`<polygon class="part ${colourOf(band.row)}" data-row=${band.row} data-group=${band.group} points=${outline(low, high, whole)} @click=${() => choose(band.row)}>
        <title>${texts.group(band.row, band.group)}</title>
      </polygon>`,
    )}
    ${svg`<rect class="selected" x=${selected} width="1" y="0" height="100"></rect>`}
  </svg>`;
}
