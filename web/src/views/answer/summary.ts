// The answer first: verdict, one large number, the capacity under it, and the bar.

import { html, nothing, type TemplateResult } from 'lit';
import { barChart } from '../../charts/bar.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { Unit } from '../../languages/format.ts';
import type { Answer } from '../../engine/reply.ts';
import { headline } from '../../engine/reply.ts';
import { fieldAt } from '../../state/fields.ts';
import { runtimeOf } from '../../state/runtimes.ts';
import { deviceOrigin } from '../../state/state.ts';
import { errorText } from '../form/field.ts';
import { retryView } from '../retry.ts';
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
  const { t, name } = c.texts;
  const { bytes, low, high } = headline(answer);
  const { number, unit } = c.format.split(bytes);
  const capacity = answer.fit && t('summary.capacity', { bytes: c.format.bytes(answer.fit.usable_bytes), device: deviceName(c) });
  const range =
    low !== undefined && high !== undefined && high > low ? t('summary.range', { low: c.format.bytes(low), high: c.format.bytes(high) }) : undefined;
  const peak = answer.total.phase && t('summary.peak', { phase: name('phase', answer.total.phase) });
  const count = answer.devices?.reduce((sum, device) => sum + device.count, 0) ?? 1;
  const fullest = count > 1 && t('summary.fullest', { count });
  const missing = answer.missing?.length ? t('summary.incomplete') : undefined;
  return html`<p class="number"><span class="value">${number}</span> <span class="unit">${unit}</span></p>
    <p class="capacity">${capacity}</p>
    <p class="facts">
      ${missing ? html`<strong class="incomplete">${missing}</strong>` : nothing}${fullest ? html`<span>${fullest}</span>` : nothing}${peak ? html`<span>${peak}</span>` : nothing}${range ? html`<span class="range">${range}</span>` : nothing}
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
  return c.later.got.time?.timeLine(c) ?? (c.asking.engine?.isWhole ? html`<p class="speed"></p>` : nothing);
}

/** An error that belongs to no field of the form stands here. */
function bannerView(c: Calculator): TemplateResult | typeof nothing {
  const { error, answer, canRetry } = c.asking;
  const { t } = c.texts;
  const below = html`<p class="banner">${t(answer ? 'summary.stale' : 'summary.none')}</p>`;
  if (!error) return below;
  if (canRetry) return html`<div class="banner">${retryView(c, error, () => c.again())}</div>`;
  const id = fieldAt(error.where, c.state.task);
  const seen = id !== undefined && c.renderRoot.querySelector(`[data-field="${id}"]`) !== null;
  return seen ? below : html`<p class="banner" role="alert">${errorText(c, error)}</p>`;
}

export function summaryView(c: Calculator, answer: Answer | undefined, stale: boolean): TemplateResult {
  const { t } = c.texts;
  const units = [
    ['GiB', 'GiB'],
    ['GB', 'GB'],
  ] as const;
  const unit = (chosen: Unit) => {
    c.unit = chosen;
    c.dispatchEvent(new CustomEvent('plimsoll-change', { bubbles: true, composed: true }));
  };
  return html`<section aria-label=${t('summary.title')}>
    <div class="top">${answer ? verdictView(c, answer) : nothing}${strip<Unit>('unit', t('summary.unit'), units, c.unit, unit)}</div>
    ${stale ? bannerView(c) : nothing}
    <div class="last-good">
      ${answer ? [numberView(c, answer), claimView(c, answer), barView(c, answer), speedView(c, answer), answer.fit ? c.later.got.possible?.possibleView(c, answer) : nothing] : stale ? nothing : html`<p class="number waiting">${t('summary.loading')}</p>`}
    </div>
  </section>`;
}
