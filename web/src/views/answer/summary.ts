// The answer first: verdict, one large number and the capacity, which stay in sight; under them the bar, and what its parts are.

import { html, nothing, type TemplateResult } from 'lit';
import { barChart, emptyBar } from '../../charts/bar.ts';
import { colourOf, stack } from '../../charts/scale.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { Unit } from '../../languages/format.ts';
import type { Answer } from '../../engine/reply.ts';
import { headline } from '../../engine/reply.ts';
import { fieldAt } from '../../state/fields.ts';
import { runtimeOf } from '../../state/runtimes.ts';
import { deviceOrigin } from '../../state/state.ts';
import { errorText } from '../form/field.ts';
import { notHereYet, retryView } from '../retry.ts';
import { strip } from '../form/strip.ts';

const verdictClass = (verdict: string): string => verdict.replaceAll(' ', '-');

function verdictView(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  const { fit } = answer;
  if (!fit) return nothing;
  const { t, name } = c.texts;
  if (c.asking.waits) return html`<p class="verdict"><span class="badge">${t('summary.waits')}</span></p>`;
  const atOnce = fit.sequences === undefined ? nothing : html`<span class="left">${t('verdict.at_once', { count: fit.sequences })}</span>`;
  const says = fit.says === undefined ? nothing : html`<span class="left">${t('verdict.says', { says: fit.says })}</span>`;
  const left =
    fit.free_bytes >= 0
      ? t('summary.left', { bytes: c.format.bytes(fit.free_bytes) })
      : t('summary.over', { bytes: c.format.bytes(-fit.free_bytes) });
  return html`<p class="verdict ${verdictClass(fit.verdict)}">
    <span class="badge">${name('verdict', fit.verdict)}</span> <span class="left" data-free=${fit.free_bytes}>${left}</span> ${atOnce} ${says}
  </p>`;
}

export function deviceName(c: Calculator): string {
  const { answer } = c.asking;
  const origin = deviceOrigin(c.state);
  if (origin === 'list') return answer?.devices?.find(({ device }) => device === answer.total.device)?.name ?? c.texts.t('summary.this_device');
  if (origin === 'typed') return c.texts.t('summary.this_device');
  return c.tables?.devices.find(({ id }) => id === c.state.values['device.preset'])?.name ?? c.texts.t('summary.this_device');
}

function numberView(c: Calculator, answer: Answer): TemplateResult {
  const { number, unit } = c.format.split(headline(answer).bytes);
  const capacity = answer.fit && c.texts.t('summary.capacity', { bytes: c.format.bytes(answer.fit.usable_bytes), device: deviceName(c) });
  return html`<div class="headline">
    <p class="number"><span class="value">${number}</span> <span class="unit">${unit}</span></p>
    <p class="capacity">${capacity}</p>
  </div>`;
}

function factsView(c: Calculator, answer: Answer): TemplateResult {
  const { t, name } = c.texts;
  const peak = answer.total.phase && t('summary.peak', { phase: name('phase', answer.total.phase) });
  const count = answer.devices?.reduce((sum, device) => sum + device.count, 0) ?? 1;
  const fullest = count > 1 && t('summary.fullest', { count });
  const missing = answer.missing?.length ? t('summary.incomplete') : undefined;
  return html`<p class="facts">
    ${missing ? html`<strong class="incomplete">${missing}</strong>` : nothing}${fullest ? html`<span>${fullest}</span>` : nothing}${peak ? html`<span>${peak}</span>` : nothing}
  </p>`;
}

/** What the runtime takes whatever is needed, and what its cache then holds. */
function claimView(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  const { capacity, total } = answer;
  const { t } = c.texts;
  const whole = (value: number): string => c.format.count(Math.floor(value));
  const facts = [
    total.claimed && t('summary.claimed', { bytes: c.format.bytes(total.claimed), runtime: runtimeOf(c.tables, c.state)?.name ?? '' }),
    capacity?.kv_tokens !== undefined && t('summary.holds', { tokens: whole(capacity.kv_tokens) }),
    capacity?.sequences !== undefined && t('summary.holds_sequences', { sequences: whole(capacity.sequences) }),
  ].filter(Boolean);
  if (facts.length === 0) return nothing;
  return html`<p class="claim" data-claimed=${total.claimed ?? nothing} data-tokens=${capacity?.kv_tokens ?? nothing}>${facts.join(' · ')}</p>`;
}

function barView(c: Calculator, answer: Answer): TemplateResult {
  const { t, name } = c.texts;
  const total = headline(answer).bytes;
  const parts = (answer.rows ?? []).map((row) => `${name('row', row.id)} ${c.format.percent(row.bytes, total)}`).join(', ');
  return barChart(answer, c.format, { label: t('summary.bar', { parts }), name: (id) => name('row', id) });
}

/** How fast it is, of what runs: where that is told at once, its room is kept until it is. */
function speedView(c: Calculator, { fit }: Answer): TemplateResult | typeof nothing {
  if (!c.time || !fit || ['too large', 'does not start'].includes(fit.verdict)) return nothing;
  if (c.later.got.time) return c.later.got.time.timeLine(c);
  if (c.later.misses('time')) return notHereYet(c);
  return c.asking.engine?.isWhole ? html`<p class="speed"></p>` : nothing;
}

/** An error that belongs to no field of the form stands here. */
function bannerView(c: Calculator, answer: Answer | undefined): TemplateResult | typeof nothing {
  const { error, canRetry } = c.asking;
  const { t } = c.texts;
  const below = html`<p class="banner">${t(answer ? 'summary.stale' : 'summary.marked')}</p>`;
  if (!error) return below;
  if (canRetry) return html`<div class="banner">${retryView(c, error, () => c.again())}</div>`;
  const id = fieldAt(error.where, c.state.task);
  const seen = id !== undefined && c.renderRoot.querySelector(`[data-field="${id}"]`) !== null;
  // a field that the form does not show now is named
  const name = id && c.texts.maybe(`field.${id}`);
  return seen ? below : html`<p class="banner" role="alert">${name ? html`<strong>${name}</strong> ` : nothing}${errorText(c, error)}</p>`;
}

/** Parts of a smaller share stand in the breakdown alone. */
const leastNamed = 0.005;

/** What the bar's parts and signs are. */
function legendView(c: Calculator, answer: Answer): TemplateResult {
  const { t, name } = c.texts;
  const { bytes, low, high } = headline(answer);
  const entry = (sign: string, title: string, said: string) =>
    html`<li><span class=${sign} aria-hidden="true"></span><span>${title}</span> <strong>${said}</strong></li>`;
  const parts = stack(answer.rows ?? []).filter((part) => part.bytes >= leastNamed * bytes);
  const ranged = low !== undefined && high !== undefined && high > low;
  return html`<ul class="legend">
    ${parts.map((part) => entry(`swatch ${colourOf(part.id)}`, name('row', part.id), c.format.bytes(part.bytes)))}
    ${answer.fit ? entry('sign limit', t('summary.limit'), c.format.bytes(answer.fit.usable_bytes)) : nothing}
    ${ranged ? entry('sign spread', t('summary.band'), t('summary.range', { low: c.format.bytes(low), high: c.format.bytes(high) })) : nothing}
  </ul>`;
}

/** Before the first answer there is nothing to show but that it comes, or why there is none. */
function nothingYet(c: Calculator): TemplateResult {
  const { t } = c.texts;
  return html`<p class="number none">${t(c.asking.error || c.mistakes.size > 0 ? 'summary.none' : 'summary.loading')}</p>`;
}

function unitView(c: Calculator): TemplateResult {
  const units = [
    ['GiB', 'GiB'],
    ['GB', 'GB'],
  ] as const;
  return strip<Unit>('unit', c.texts.t('summary.unit'), units, c.unit, (chosen) => {
    c.unit = chosen;
    c.dispatchEvent(new CustomEvent('plimsoll-change', { bubbles: true, composed: true }));
  });
}

export function summaryView(c: Calculator, answer: Answer | undefined, stale: boolean): TemplateResult {
  return html`<section aria-label=${c.texts.t('summary.title')}>
    <div class="brief">${answer ? [verdictView(c, answer), numberView(c, answer)] : nothingYet(c)} ${stale ? bannerView(c, answer) : nothing}</div>
    <div class="picture">
      <div class="top">${answer ? factsView(c, answer) : nothing} ${unitView(c)}</div>
      ${
        answer
          ? [
              claimView(c, answer),
              barView(c, answer),
              legendView(c, answer),
              speedView(c, answer),
              answer.fit ? (c.later.got.possible?.possibleView(c, answer) ?? html`<div class="possible"></div>`) : nothing,
            ]
          : emptyBar
      }
    </div>
  </section>`;
}
