// One block of an encoding: a strip for each of its parts, cut into as many cells as the block has of them, and below
// all of them in proportion.

import { html, svg, type TemplateResult } from 'lit';
import type { Block, Part } from '../state/blocks.ts';
import { percent } from './scale.ts';

/** More would be hair on a narrow screen; each cell then stands for several. */
export const mostCells = 64;

const colours: Record<Part['holds'], string> = {
  value: 'c1',
  low_bits: 'c1',
  high_bits: 'c2',
  ternary: 'c1',
  table_index: 'c1',
  grid_index: 'c1',
  signs: 'c2',
  shift: 'c3',
  scale: 'c4',
  minimum: 'c6',
  zero_point: 'c6',
  block_zero_point: 'c7',
  block_scale: 'c5',
  block_minimum: 'c7',
  scale_of_scales: 'c5',
  scale_of_minimums: 'c7',
  sign: 'c7',
  exponent: 'c4',
  fraction: 'c1',
  unused: 'c9',
};

export const partColour = ({ holds }: Part): string => colours[holds];

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** A part over the width of its block: what stands above the same place belongs together. */
export function partStrip(part: Part): TemplateResult {
  const cells = Math.min(part.count, mostCells);
  return html`<svg class="strip-of-cells" width="100%" height="20" aria-hidden="true">
    ${range(cells).map((at) => svg`<rect class="part ${partColour(part)}" x=${percent(at, cells)} width=${percent(1, cells)} height="20"></rect>`)}
  </svg>`;
}

/** All bits end to end; those of a single value one by one. */
export function proportions({ elements, parts, bits }: Block): TemplateResult {
  const ends = parts.map((_, at) => parts.slice(0, at + 1).reduce((sum, part) => sum + part.count * part.bits, 0));
  const pieces = parts.flatMap((part, at) => {
    const size = part.count * part.bits;
    const from = ends[at]! - size;
    return elements > 1 ? [{ part, from, size }] : range(size).map((bit) => ({ part, from: from + bit, size: 1 }));
  });
  return html`<svg class="proportions" width="100%" height="20" aria-hidden="true">
    ${pieces.map(
      ({ part, from, size }) => svg`<rect class="part ${partColour(part)}" x=${percent(from, bits)} width=${percent(size, bits)} height="20"></rect>`,
    )}
  </svg>`;
}
