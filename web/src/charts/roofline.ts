// <plimsoll-roofline>: operations over arithmetic intensity, both axes logarithmic, beneath the roofs of a device, drawn by uPlot.
// It knows nothing of models: it is handed numbers and colours. (Williams, Waterman, Patterson: Roofline, 2009)

import { html, type PropertyValues } from 'lit';
import uPlot from 'uplot';
import { Drawn } from './drawn.ts';
import { reach, type Roof, roofAt } from './roofs.mjs';

export interface Roofline {
  points: { intensity: number; rate: number; colour: string; share: number }[];
  /** The device's own, and what is reached of it. */
  peak: Roof;
  reached: Roof;
  xLabel: string;
  yLabel: string;
  text: (value: number) => string;
}

export class RooflineChart extends Drawn {
  static override properties = { roofline: { attribute: false }, label: {} };

  declare roofline: Roofline;
  declare label: string;

  protected override heightOf(width: number): number {
    return Math.round(Math.min(360, Math.max(240, width * 0.5)));
  }

  private height(): [number, number] {
    const { points, peak, reached } = this.roofline;
    const [left, right] = reach(this.roofline);
    const lowest = Math.min(roofAt(reached, left), ...points.map(({ rate }) => rate));
    return [lowest / 2, roofAt(peak, right) * 3];
  }

  private line(u: uPlot, roof: Roof, colour: string, dashed: boolean): void {
    const [left, right] = reach(this.roofline);
    const ridge = Math.min(right, roof.rate === undefined ? right : roof.rate / roof.bandwidth);
    u.ctx.strokeStyle = this.colour(colour);
    u.ctx.lineWidth = (dashed ? 1.5 : 3) * devicePixelRatio;
    u.ctx.setLineDash(dashed ? [5 * devicePixelRatio, 4 * devicePixelRatio] : []);
    u.ctx.beginPath();
    for (const x of [left, ridge, right]) u.ctx.lineTo(u.valToPos(x, 'x', true), u.valToPos(roofAt(roof, x), 'y', true));
    u.ctx.stroke();
  }

  private draw(u: uPlot): void {
    const { points, peak, reached } = this.roofline;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    u.ctx.clip();
    this.line(u, peak, 'load', false);
    this.line(u, reached, 'ink', true);
    u.ctx.setLineDash([]);
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.strokeStyle = this.colour('card');
    // the longest beneath, so that it hides none
    for (const { intensity, rate, colour, share } of points.toSorted((a, b) => b.share - a.share)) {
      u.ctx.fillStyle = this.colour(colour);
      u.ctx.beginPath();
      const radius = (3.5 + 14 * Math.sqrt(share)) * devicePixelRatio;
      u.ctx.arc(u.valToPos(intensity, 'x', true), u.valToPos(rate, 'y', true), radius, 0, 2 * Math.PI);
      u.ctx.fill();
      u.ctx.stroke();
    }
    u.ctx.restore();
  }

  private axis(label: string, size: number): uPlot.Axis {
    const font = `12px ${getComputedStyle(this).fontFamily}`;
    const line = { stroke: () => this.colour('rule'), width: 1 };
    const { text } = this.roofline;
    const decades = (u: uPlot, at: number): number[] => {
      const { min = 1, max = 1 } = u.scales[at === 0 ? 'x' : 'y']!;
      const first = Math.ceil(Math.log10(min));
      return Array.from({ length: Math.max(0, Math.floor(Math.log10(max)) - first + 1) }, (_, i) => 10 ** (first + i));
    };
    const common = { font, labelFont: font, stroke: () => this.colour('ink'), grid: line, ticks: line, label, labelSize: 20, size };
    return { ...common, splits: decades, filter: (_, values) => values, values: (_, values) => values.map(text) };
  }

  private build(): void {
    this.chart?.destroy();
    this.watching.disconnect();
    const width = this.place.clientWidth || 320;
    const scale = (range: () => [number, number]): uPlot.Scale => ({ time: false, distr: 3, log: 10, range });
    const x = reach(this.roofline);
    this.chart = new uPlot(
      {
        width,
        height: this.heightOf(width),
        legend: { show: false },
        cursor: { show: false },
        scales: { x: scale(() => x), y: scale(() => this.height()) },
        series: [{}, { paths: () => null, points: { show: false } }],
        axes: [this.axis(this.roofline.xLabel, 34), this.axis(this.roofline.yLabel, 58)],
        hooks: { draw: [(u) => this.draw(u)] },
      },
      [x, x.map((at) => roofAt(this.roofline.peak, at))],
      this.place,
    );
    this.watching.observe(this.place);
  }

  override updated(changed: PropertyValues): void {
    if (changed.has('roofline')) this.build();
  }

  override render() {
    return html`<div class="plot" role="img" aria-label=${this.label}></div>
      <div class="samples" aria-hidden="true" @transitionend=${() => this.chart?.redraw()}>
        ${['card', 'ink', 'rule', 'load', ...new Set(this.roofline.points.map(({ colour }) => colour))].map((name) => html`<span class="sample ${name}"></span>`)}
      </div>`;
  }
}

export function defineRoofline(): void {
  if (!customElements.get('plimsoll-roofline')) customElements.define('plimsoll-roofline', RooflineChart);
}
