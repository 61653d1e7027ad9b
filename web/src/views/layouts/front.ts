// Layouts as points: bytes of a device up, what a layout costs across. A brush from the corner of the least leaves those that are at
// most so large and so costly: it is drawn with a pointer, or set with two sliders.
// Positions are attributes of SVG: a strict Content-Security-Policy forbids inline styles.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { PlanAnswer, PlanLayout } from '../../engine/wire.d.ts';
import { type Measure, measures, type Point, pointsOf, spanOf, within } from '../../layouts/brushing.mjs';
import { strip } from '../form/strip.ts';
import type { Layouts } from './layouts.ts';
import { nameOf } from './naming.ts';

/** Pixels of the plot's height, and steps of a slider. */
const high = 220;
const steps = 100;

interface Span {
  low: number;
  high: number;
}

const share = (value: number, { low, high }: Span): number => (value - low) / (high - low || 1);

/** Where a share of the width lies: room at both sides, so that a point at 0 is seen whole. */
const room = 0.02;
const across = (part: number): number => 100 * (room + (1 - 2 * room) * part);

const measuresOf = (view: Layouts): Measure[] =>
  view.state.task === 'training' ? ['overhead', 'between', 'devices'] : ['devices', 'sequences', 'between'];

function saidOf(view: Layouts, measure: Measure, value: number): string {
  if (measure === 'overhead') return view.format.percent(value, 1);
  return measure === 'between' ? view.format.bytes(value) : view.format.count(Math.floor(value));
}

function pointView(view: Layouts, { layout, front }: Point, cost: Span, bytes: Span): TemplateResult {
  const value = measures[view.measure](layout);
  const [x, y] = [`${across(share(value, cost)).toFixed(2)}%`, (high * (1 - share(layout.process, bytes))).toFixed(1)];
  const left = within(layout, view.measure, view.brush);
  const title = `${nameOf(view, layout)}: ${view.format.bytes(layout.process)}, ${saidOf(view, view.measure, value)}`;
  return svg`<circle class="point ${front ? 'unbeaten' : ''} ${left ? '' : 'out'} ${view.drawn === layout ? 'drawn' : ''}" cx=${x} cy=${y} r=${front ? 6 : 4.5}
    @click=${() => left && (view.drawn = layout)}><title>${title}</title></circle>`;
}

/** The corner that a pointer draws, from where it is pressed until it is let go. */
function brushed(view: Layouts, cost: Span, bytes: Span) {
  return (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    const plot = event.currentTarget as SVGElement;
    const { left, top, width, height } = plot.getBoundingClientRect();
    const at = (part: number, { low, high }: Span) => low + Math.min(1, Math.max(0, part)) * (high - low);
    if (event.type === 'pointerdown') return void (event.target === plot && plot.setPointerCapture(event.pointerId));
    view.brush = { cost: at(((event.clientX - left) / width - room) / (1 - 2 * room), cost), bytes: at(1 - (event.clientY - top) / height, bytes) };
  };
}

function sliderView(view: Layouts, name: 'bytes' | 'cost', span: Span, text: (value: number) => string): TemplateResult {
  const { t } = view.calculator.texts;
  const value = view.brush[name];
  const label = name === 'bytes' ? t('layouts.brush.bytes') : t(`layouts.brush.${view.measure}`);
  const slide = (event: Event) => {
    const step = Number((event.target as HTMLInputElement).value);
    view.brush = { ...view.brush, [name]: step === steps ? undefined : span.low + (step / steps) * (span.high - span.low) };
  };
  return html`<label class="slider">
    <span class="label">${label}</span> <output>${value === undefined ? t('layouts.brush.any') : text(value)}</output>
    <input
      type="range"
      name="layouts-${name}"
      min="0"
      max=${steps}
      .value=${String(value === undefined ? steps : Math.round(steps * share(value, span)))}
      aria-valuetext=${value === undefined ? t('layouts.brush.any') : text(value)}
      @input=${slide}
    />
  </label>`;
}

/** The layouts of a reply as points, and the brush over them. */
export function frontView(view: Layouts, reply: PlanAnswer): TemplateResult | typeof nothing {
  const { calculator: c, format, brush } = view;
  const { t } = c.texts;
  const points = pointsOf(reply);
  const of = (value: (layout: PlanLayout) => number): Span => spanOf(points.map(({ layout }) => value(layout)));
  const [cost, bytes] = [of(measures[view.measure]), of(({ process }) => process)];
  const all = measuresOf(view).map((measure) => [measure, t(`layouts.measure.${measure}`)] as const);
  const choose = (measure: Measure) => Object.assign(view, { measure, brush: { ...brush, cost: undefined } });
  const pointer = brushed(view, cost, bytes);
  const edge = high * (1 - share(brush.bytes ?? bytes.high, bytes));
  const count = t('layouts.points', { count: points.length, axis: t(`layouts.measure.${view.measure}`) });
  return html`<section class="front" aria-labelledby="front-title">
    <h3 id="front-title">${t('layouts.front')}</h3>
    ${strip<Measure>('layouts-measure', t('layouts.axis'), all, view.measure, choose)}
    <div class="plot">
      <span class="up">${format.bytes(bytes.high)}</span>
      <svg class="points" role="img" aria-label=${count} width="100%" height=${high} @pointerdown=${pointer} @pointermove=${pointer}>
        <rect class="ground" width="100%" height=${high}></rect>
        <rect
          class="brush"
          y=${edge.toFixed(1)}
          width=${brush.cost === undefined ? '100%' : `${across(share(brush.cost, cost)).toFixed(2)}%`}
          height=${(high - edge).toFixed(1)}
        ></rect>
        ${points.map((point) => pointView(view, point, cost, bytes))}
      </svg>
      <span class="up">${format.bytes(bytes.low)}</span>
      <p class="across">
        <span>${saidOf(view, view.measure, cost.low)}</span> <span>${t(`layouts.measure.${view.measure}`)} →</span>
        <span>${saidOf(view, view.measure, cost.high)}</span>
      </p>
    </div>
    <p class="hint">${t('layouts.front.hint')}</p>
    <div class="brushes">
      ${sliderView(view, 'bytes', bytes, (value) => format.bytes(value))}
      ${sliderView(view, 'cost', cost, (value) => saidOf(view, view.measure, value))}
      <button type="button" data-act="all" ?disabled=${brush.bytes === undefined && brush.cost === undefined} @click=${() => (view.brush = {})}>
        ${t('layouts.brush.all')}
      </button>
    </div>
  </section>`;
}
