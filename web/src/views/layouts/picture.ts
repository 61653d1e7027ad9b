// The cluster of a layout: nodes as boxes, devices as cells, groups of one kind coloured at a time. Nodes that are alike are one box.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { clusterOf } from '../../answers/planning.mjs';
import type { PlanAnswer, PlanLayout } from '../../engine/wire.d.ts';
import { type Box, type Cell, type Degrees, type Kind, pictured, sizesOf } from '../../layouts/grouping.mjs';
import { nameOf as classNameOf } from '../answer/devices.ts';
import type { Layouts } from './layouts.ts';
import { nameOf } from './naming.ts';

const colours = 7;
const [wide, side] = [4, 26];

/** The stage of the fullest class; undefined where all are alike. */
function fullestStage(view: Layouts): number | undefined {
  const { answer } = view.fullest ?? {};
  const [, number] = /^stage (\d+)$/.exec(answer?.total.device ?? '') ?? [];
  return number === undefined || (answer?.devices?.length ?? 0) < 2 ? undefined : Number(number);
}

function cellView(view: Layouts, { first, count, stages, groups }: Cell, at: number, fullest: number | undefined): TemplateResult {
  const full = fullest !== undefined && fullest >= stages[0] && fullest <= stages[1];
  const colour = view.pointed ? `c${(groups[view.pointed] % colours) + 1}` : 'plain';
  const [x, y] = [(at % wide) * side, Math.floor(at / wide) * side];
  const text = count > 1 ? `×${count}` : String(first);
  return svg`<rect class="device ${colour} ${full ? 'full' : ''}" x=${x + 2} y=${y + 2} width=${side - 4} height=${side - 4} rx="4"></rect>
    <text x=${x + side / 2} y=${y + side / 2 + 3.5}>${text}</text>`;
}

function boxView(view: Layouts, { first, count, cells }: Box, fullest: number | undefined): TemplateResult {
  const { t } = view.calculator.texts;
  const rows = Math.ceil(cells.length / wide);
  const width = Math.min(wide, cells.length) * side;
  return html`<li>
    <p>
      ${t('layouts.node', { number: first })}${count > 1 ? html`<br /><span class="hint">${t('layouts.alike', { count: view.format.count(count) })}</span>` : nothing}
    </p>
    <svg viewBox="0 0 ${width} ${rows * side}" width=${width} height=${rows * side} aria-hidden="true">
      ${cells.map((cell, at) => cellView(view, cell, at, fullest))}
    </svg>
  </li>`;
}

function kindsView(view: Layouts, parallel: Degrees): TemplateResult {
  const { calculator: c, format } = view;
  const { t } = c.texts;
  const point = (kind: Kind) => () => (view.pointed = kind);
  return html`<p class="kinds" role="group" aria-label=${t('layouts.groups')}>
    ${sizesOf(parallel).map(
      ({ kind, size, groups }) =>
        html`<button
          type="button"
          data-kind=${kind}
          aria-pressed=${view.pointed === kind}
          @pointerenter=${point(kind)}
          @focus=${point(kind)}
          @click=${point(kind)}
        >
          <strong>${t(`layouts.kind.${kind}`)}</strong> ${t('layouts.kind.groups', { groups: format.count(groups), size: format.count(size) })}
        </button>`,
    )}
  </p>`;
}

/** The layout that was chosen, or the best, drawn; nothing where one device runs it. */
export function pictureView(view: Layouts, reply: PlanAnswer): TemplateResult | typeof nothing {
  const layout: PlanLayout = view.drawn ?? reply.layouts[0]!;
  if (layout.devices < 2) return nothing;
  const { calculator: c, format } = view;
  const { t } = c.texts;
  const parallel = (layout.request.parallel ?? {}) as Degrees;
  const { boxes, left } = pictured(parallel, layout.devices, clusterOf(view.searched!, layout).devices_per_node ?? 8);
  const fullest = fullestStage(view);
  const { answer } = view.fullest ?? {};
  return html`<section class="picture" aria-labelledby="picture-title">
    <h3 id="picture-title">${t('layouts.picture', { layout: nameOf(view, layout) })}</h3>
    <p class="hint">${t('layouts.picture.order')}</p>
    ${kindsView(view, parallel)}
    <ul class="nodes">
      ${boxes.map((box) => boxView(view, box, fullest))}
    </ul>
    ${left > 0 ? html`<p class="hint">${t('layouts.nodes_left', { count: format.count(left) })}</p>` : nothing}
    <p class="hint" role="status">${view.pointed ? t(`layouts.kind.${view.pointed}.does`) : t('layouts.kind.none')}</p>
    ${fullest === undefined ? nothing : html`<p class="fullest">${t('layouts.fullest', { device: classNameOf(c, answer!.total.device!) })}</p>`}
  </section>`;
}
