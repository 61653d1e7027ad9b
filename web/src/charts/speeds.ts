// <plimsoll-speeds>: a rate with its range, and a limit above it, over a logarithmic axis, drawn by uPlot. It knows nothing of models.

import { html, type PropertyValues } from 'lit';
import uPlot from 'uplot';
import { Drawn } from './drawn.ts';

export interface Speeds {
  x: number[];
  /** What is not told has a gap. */
  told: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  most: (number | null)[];
  xLabel: string;
  yLabel: string;
  xText: (value: number) => string;
  yText: (value: number) => string;
}

export class SpeedsChart extends Drawn {
  static override properties = { speeds: { attribute: false }, label: {} };

  declare speeds: Speeds;
  declare label: string;

  protected override heightOf(width: number): number {
    return Math.round(Math.min(320, Math.max(200, width * 0.45)));
  }

  private axes(): uPlot.Axis[] {
    const font = `12px ${getComputedStyle(this).fontFamily}`;
    const line = { stroke: () => this.colour('rule'), width: 1 };
    const common = { font, labelFont: font, stroke: () => this.colour('ink'), grid: line, ticks: line, labelSize: 20 };
    const { xText, yText, xLabel, yLabel } = this.speeds;
    const octave = (value: number): string => (Number.isInteger(Math.log2(value)) ? xText(value) : '');
    return [
      { ...common, label: xLabel, size: 34, values: (_, values) => values.map(octave) },
      { ...common, label: yLabel, size: 58, values: (_, values) => values.map(yText) },
    ];
  }

  private build(): void {
    this.chart?.destroy();
    this.watching.disconnect();
    const width = this.place.clientWidth || 320;
    const { x, told, low, high, most } = this.speeds;
    const top = Math.max(0, ...[...high, ...most].filter((value) => value !== null));
    // a value that stands alone is a dot, since no line reaches it
    const alone = told.filter((value) => value !== null).length === 1 || x.length === 1;
    const edge: uPlot.Series = { stroke: () => this.colour('c2'), width: 1, points: { show: alone } };
    this.chart = new uPlot(
      {
        width,
        height: this.heightOf(width),
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, distr: 3, log: 2, range: (_, min, max) => [min, max > min ? max : min * 2] },
          y: { range: () => [0, top * 1.08 || 1] },
        },
        series: [
          {},
          edge,
          edge,
          { stroke: () => this.colour('c1'), width: 2.5, points: { show: alone, size: 8 } },
          { stroke: () => this.colour('load'), width: 2, dash: [6, 4], points: { show: x.length === 1 } },
        ],
        bands: [{ series: [1, 2], fill: () => `color-mix(in srgb, ${this.colour('c2')} 30%, transparent)` }],
        axes: this.axes(),
      },
      [x, high, low, told, most],
      this.place,
    );
    this.watching.observe(this.place);
  }

  override updated(changed: PropertyValues): void {
    if (changed.has('speeds')) this.build();
  }

  override render() {
    return html`<div class="plot" role="img" aria-label=${this.label}></div>
      <div class="samples" aria-hidden="true" @transitionend=${() => this.chart?.redraw()}>
        ${['card', 'ink', 'rule', 'load', 'c1', 'c2'].map((name) => html`<span class="sample ${name}"></span>`)}
      </div>`;
  }
}

export function defineSpeeds(): void {
  if (!customElements.get('plimsoll-speeds')) customElements.define('plimsoll-speeds', SpeedsChart);
}
