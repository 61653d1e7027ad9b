// A class of equal devices as squares that fill from below, as a hold does: height and colour say how full each is, and
// what does not fit is hatched.

import { html, nothing, svg, type TemplateResult } from 'lit';

/** Squares of a cell at most: of more devices a square stands for several. */
const most = 16;

/** Devices of one square, alike for all cells: the fewest that divide every count and leave few enough squares. */
export function devicesOfSquare(counts: readonly number[]): number {
  const largest = Math.max(...counts, 1);
  for (let each = Math.ceil(largest / most); each <= largest; each++) if (counts.every((count) => count % each === 0)) return each;
  return Math.min(...counts);
}

/** Where each level of fullness ends; styles/training/cluster.ts has a colour for each. */
export const levels = [0.5, 0.75, 0.9, 1, Infinity] as const;

const levelOf = (share: number): number => levels.findIndex((end) => share <= end);

const side = 24;

/** One device. @param share of it that is taken; undefined where its size is not known */
export function square(share: number | undefined): TemplateResult {
  const high = side * Math.min(share ?? 0.5, 1);
  const over = share !== undefined && share > 1;
  return html`<svg class="square ${share === undefined ? 'unknown' : `level-${levelOf(share)}`}" viewBox="0 0 ${side} ${side}" aria-hidden="true">
    <rect class="hold" width=${side} height=${side} rx="3"></rect>
    <rect class="load" y=${(side - high).toFixed(2)} width=${side} height=${high.toFixed(2)} rx="3"></rect>
    ${over ? svg`<path class="beyond" d="M2 10 10 2M2 18 18 2M6 22 22 6M14 22 22 14"></path>` : nothing}
  </svg>`;
}

export const squares = (count: number, share: number | undefined): TemplateResult =>
  html`<span class="squares" aria-hidden="true">${Array.from({ length: Math.max(1, Math.round(count)) }, () => square(share))}</span>`;
