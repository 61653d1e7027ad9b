// <plimsoll-scatter>: what was said across and what we say up, both logarithmic, drawn by uPlot on a canvas; on the diagonal they agree.
// It knows nothing of cases: it is handed numbers and colours, and says which dot is pointed at.

import { html, type PropertyValues } from 'lit';
import uPlot from 'uplot';
import { Drawn } from './drawn.ts';

export interface Dots {
  /** Sorted by `x`. */
  x: number[];
  y: number[];
  /** A class of styles/charts.ts for each. */
  colour: string[];
  xLabel: string;
  yLabel: string;
  text: (value: number) => string;
}

/** Pixels from a dot at which it is still meant. */
const reach = 14;

export class Scatter extends Drawn {
  static override properties = { dots: { attribute: false }, label: {} };

  declare dots: Dots;
  declare label: string;

  protected override heightOf(width: number): number {
    return Math.round(Math.min(520, Math.max(260, width * 0.6)));
  }

  /** Both axes reach from the smallest to the largest of either, a little farther. */
  private range(): [number, number] {
    let [low, high] = [Infinity, 0];
    for (const list of [this.dots.x, this.dots.y])
      for (const value of list) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    return high > 0 ? [low / 1.5, high * 1.5] : [1, 10];
  }

  /** The dots of one colour are one path. */
  private draw(u: uPlot): void {
    const { x, y, colour } = this.dots;
    const at = (value: number, scale: 'x' | 'y') => u.valToPos(value, scale, true);
    const [low, high] = this.range();
    const size = 2.2 * devicePixelRatio;
    u.ctx.save();
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.strokeStyle = this.colour('load');
    u.ctx.beginPath();
    u.ctx.moveTo(at(low, 'x'), at(low, 'y'));
    u.ctx.lineTo(at(high, 'x'), at(high, 'y'));
    u.ctx.stroke();
    for (const name of new Set(colour)) {
      u.ctx.fillStyle = this.colour(name);
      u.ctx.beginPath();
      for (let i = 0; i < x.length; i++) if (colour[i] === name) u.ctx.rect(at(x[i]!, 'x') - size, at(y[i]!, 'y') - size, 2 * size, 2 * size);
      u.ctx.fill();
    }
    u.ctx.restore();
  }

  private axis(label: string, size: number): uPlot.Axis {
    const font = `12px ${getComputedStyle(this).fontFamily}`;
    const line = { stroke: () => this.colour('rule'), width: 1 };
    const { text } = this.dots;
    /** Each 1024th, or each 32nd where that would be few: what people read as KiB, MiB, GiB. */
    const splits = (u: uPlot, at: number): number[] => {
      const { min = 1, max = 1 } = u.scales[at === 0 ? 'x' : 'y']!;
      const octaves = Math.log2(max / min);
      const every = octaves > 30 && u.width < 500 ? 10 : octaves > 12 ? 5 : octaves > 5 ? 2 : 1;
      const first = Math.ceil(Math.log2(min) / every);
      return Array.from({ length: Math.max(0, Math.floor(Math.log2(max) / every) - first + 1) }, (_, i) => 2 ** ((first + i) * every));
    };
    const common = { font, labelFont: font, stroke: () => this.colour('ink'), grid: line, ticks: line, label, labelSize: 20, size };
    return { ...common, splits, filter: (_, values) => values, values: (_, values) => values.map(text) };
  }

  private build(): void {
    this.chart?.destroy();
    this.watching.disconnect();
    const width = this.place.clientWidth || 320;
    const scale = (): uPlot.Scale => ({ time: false, distr: 3, log: 2, range: () => this.range() });
    this.chart = new uPlot(
      {
        width,
        height: this.heightOf(width),
        legend: { show: false },
        cursor: { drag: { x: false, y: false, setScale: false }, points: { show: false } },
        scales: { x: scale(), y: scale() },
        series: [{}, { paths: () => null, points: { show: false } }],
        axes: [this.axis(this.dots.xLabel, 34), this.axis(this.dots.yLabel, 62)],
        hooks: { draw: [(u) => this.draw(u)], setCursor: [(u) => u.cursor.event && this.point(u)] },
      },
      [this.dots.x, this.dots.y],
      this.place,
    );
    this.watching.observe(this.place);
  }

  /** Says which dot is nearest to the pointer, where one is near. */
  private point(u: uPlot): void {
    const { left = -1, top = -1 } = u.cursor;
    const { x, y } = this.dots;
    let [nearest, least] = [-1, reach ** 2];
    for (let i = 0; left >= 0 && i < x.length; i++) {
      const off = (u.valToPos(x[i]!, 'x') - left) ** 2 + (u.valToPos(y[i]!, 'y') - top) ** 2;
      if (off < least) [nearest, least] = [i, off];
    }
    if (nearest >= 0) this.dispatchEvent(new CustomEvent('point', { detail: nearest }));
  }

  override updated(changed: PropertyValues): void {
    if (changed.has('dots')) this.build();
  }

  override render() {
    return html`<div class="plot" role="img" aria-label=${this.label}></div>
      <div class="samples" aria-hidden="true" @transitionend=${() => this.chart?.redraw()}>
        ${['card', 'ink', 'rule', 'load', ...new Set(this.dots.colour)].map((name) => html`<span class="sample ${name}"></span>`)}
      </div>`;
  }
}

export function defineScatter(): void {
  if (!customElements.get('plimsoll-scatter')) customElements.define('plimsoll-scatter', Scatter);
}
