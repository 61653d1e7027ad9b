// <plimsoll-stack>: stacked areas over a logarithmic axis, drawn by uPlot. It knows nothing of models: it is handed
// numbers, names and colours, and says which point is pointed at. The arrow keys do what a pointer does.

import { html, type PropertyValues } from 'lit';
import uPlot from 'uplot';
import { bytesIn, type Unit } from '../languages/format.ts';
import { Drawn } from './drawn.ts';

export interface Plot {
  x: number[];
  /** From the bottom up; colour is a class of styles/charts.ts. */
  rows: { id: string; name: string; colour: string; bytes: number[] }[];
  capacity?: number;
  /** Index of the point that the page is at. */
  marked: number;
  unit: Unit;
  xLabel: string;
  xText: (value: number) => string;
  yText: (value: number) => string;
}

/** Sums from the bottom: the highest first, so that each lower area is painted over it. */
function sums({ x, rows, unit, capacity }: Plot): uPlot.AlignedData {
  const one = bytesIn(unit);
  const running = new Array<number>(x.length).fill(0);
  const levels = rows.map(({ bytes }) => bytes.map((size, at) => (running[at]! += size) / one));
  const line = capacity === undefined ? [] : [x.map(() => capacity / one)];
  return [x, ...levels.reverse(), ...line];
}

export class Stack extends Drawn {
  static override properties = { plot: { attribute: false }, at: { attribute: false }, label: {}, said: {} };

  declare plot: Plot;
  declare at: number;
  declare label: string;
  declare said: string;

  private built = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.built = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate();
  }

  protected override heightOf(width: number): number {
    return Math.round(Math.min(360, Math.max(220, width * 0.5)));
  }

  private areas(): uPlot.Series[] {
    const areas = this.plot.rows.toReversed().map(({ name, colour }): uPlot.Series => ({
      label: name,
      width: 1,
      stroke: () => this.colour('card'),
      fill: () => this.colour(colour),
      points: { show: false },
    }));
    const capacity: uPlot.Series = { width: 3, stroke: () => this.colour('load'), points: { show: false } };
    return [{}, ...areas, ...(this.plot.capacity === undefined ? [] : [capacity])];
  }

  private axes(): uPlot.Axis[] {
    const ink = () => this.colour('ink');
    const lines = { stroke: () => this.colour('rule'), width: 1 };
    const font = `12px ${getComputedStyle(this).fontFamily}`;
    const { xText, yText } = this.plot;
    const splits = (u: uPlot): number[] => {
      const { min = 1, max = 1 } = u.scales['x']!;
      const every = Math.ceil((Math.log2(max / min) * 52) / Math.max(u.width, 1));
      const first = Math.ceil(Math.log2(min));
      const octaves = Array.from({ length: Math.floor(Math.log2(max)) - first + 1 }, (_, at) => first + at);
      return octaves.filter((octave) => octave % every === 0).map((octave) => 2 ** octave);
    };
    const common = { stroke: ink, grid: lines, ticks: lines, font };
    return [
      {
        ...common,
        splits,
        filter: (_, at) => at,
        values: (_, at) => at.map(xText),
        label: this.plot.xLabel,
        labelFont: font,
        labelSize: 20,
        size: 34,
      },
      { ...common, values: (_, at) => at.map(yText), label: this.plot.unit, labelFont: font, labelSize: 18, size: 50 },
    ];
  }

  /** Where the page is: a line down to the axis. */
  private mark(u: uPlot): void {
    const x = this.plot.x[this.plot.marked];
    if (x === undefined) return;
    const left = Math.round(u.valToPos(x, 'x', true));
    u.ctx.save();
    u.ctx.strokeStyle = this.colour('ink');
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    u.ctx.beginPath();
    u.ctx.moveTo(left, u.bbox.top);
    u.ctx.lineTo(left, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  private point(at: number): void {
    const last = this.plot.x.length - 1;
    this.dispatchEvent(new CustomEvent('point', { detail: Math.max(0, Math.min(last, at)) }));
  }

  private build(): void {
    this.chart?.destroy();
    this.watching.disconnect();
    const width = this.place.clientWidth || 320;
    const top = (u: uPlot): number => Math.max(...u.data.slice(1).flatMap((level) => (level as number[]).filter(Number.isFinite)), 0);
    const options: uPlot.Options = {
      width,
      height: this.heightOf(width),
      legend: { show: false },
      cursor: { drag: { x: false, y: false, setScale: false }, y: false, points: { show: false } },
      scales: { x: { time: false, distr: 3, log: 2, range: (_, min, max) => [min, max] }, y: { range: (u) => [0, top(u) * 1.06 || 1] } },
      series: this.areas(),
      axes: this.axes(),
      hooks: {
        draw: [(u) => this.mark(u)],
        setCursor: [(u) => u.cursor.event && typeof u.cursor.idx === 'number' && this.point(u.cursor.idx)],
      },
    };
    this.chart = new uPlot(options, sums(this.plot), this.place);
    this.watching.observe(this.place);
  }

  override updated(changed: PropertyValues): void {
    if (!changed.has('plot') && this.chart) return;
    const shape = JSON.stringify([this.plot.rows.map(({ name }) => name), this.plot.unit, this.plot.xLabel, this.plot.capacity === undefined]);
    if (shape !== this.built) this.build();
    else this.chart?.setData(sums(this.plot));
    this.built = shape;
  }

  private turn(event: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -16,
      PageUp: 16,
      Home: -1e9,
      End: 1e9,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = Math.max(0, Math.min(this.plot.x.length - 1, this.at + step));
    this.chart?.setCursor({ left: this.chart.valToPos(this.plot.x[at]!, 'x'), top: 0 });
    this.point(at);
  }

  override render() {
    const colours = ['card', 'ink', 'rule', 'load', ...this.plot.rows.map(({ colour }) => colour)];
    return html`<div
        class="plot"
        role="slider"
        tabindex="0"
        aria-label=${this.label}
        aria-valuemin="0"
        aria-valuemax=${this.plot.x.length - 1}
        aria-valuenow=${this.at}
        aria-valuetext=${this.said}
        @keydown=${(event: KeyboardEvent) => this.turn(event)}
      ></div>
      <div class="samples" aria-hidden="true" @transitionend=${() => this.chart?.redraw()}>
        ${colours.map((name) => html`<span class="sample ${name}"></span>`)}
      </div>`;
  }
}

export function defineStack(): void {
  if (!customElements.get('plimsoll-stack')) customElements.define('plimsoll-stack', Stack);
}
