// The roofline of one pass, its key, and the same as a table.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Roofline } from '../../charts/roofline.ts';
import type { Answer } from '../../engine/reply.ts';
import type { OperationTime, PassTime } from '../../engine/wire.d.ts';
import { formatIn } from '../../languages/format.ts';
import { table } from '../answer/table.ts';
import { colourOfPart } from './colours.ts';
import { partName } from './rows.ts';
import { duration } from './said.ts';

/**
 * What the engine took for a device: values of its formulas. Where none says a bandwidth, there is nothing to draw. Seconds are of all times
 * that an operation runs.
 */
export function rooflineOf(c: Calculator, { symbols }: Answer, pass: PassTime): Roofline | undefined {
  const value = (name: string): number | undefined => symbols?.[name]?.value;
  const bandwidth = value('bandwidth');
  if (bandwidth === undefined) return undefined;
  const wide = value('peak_rate');
  const packed = value('packed_peak');
  const rate = packed === undefined ? wide : Math.max(packed, wide ?? 0);
  const share = value('share_of_peak') ?? value('share_of_peak_packed') ?? 1;
  const whole = pass.operations.reduce((sum, { seconds }) => sum + seconds, 0);
  const drawn = pass.operations.filter(({ operations, bytes, seconds }) => operations > 0 && bytes > 0 && seconds > 0);
  return {
    points: drawn.map(({ operations, bytes, layers, seconds, times, part }) => ({
      intensity: operations / bytes,
      rate: (operations * layers * times) / seconds,
      colour: colourOfPart(part),
      share: seconds / whole,
    })),
    peak: { bandwidth, rate },
    reached: { bandwidth: bandwidth * (value('share_of_bandwidth') ?? 1), rate: rate === undefined ? undefined : rate * share },
    xLabel: c.texts.t('time.roofline.x'),
    yLabel: c.texts.t('time.roofline.y'),
    text: (number) => (number < 1 ? c.format.count(number) : c.format.short(number, 3)),
  };
}

function numbers(c: Calculator, pass: PassTime): TemplateResult {
  const { t, name } = c.texts;
  const whole = pass.operations.reduce((sum, { seconds }) => sum + seconds, 0);
  const intensity = ({ operations, bytes }: OperationTime): string => (bytes > 0 ? c.format.short(operations / bytes, 3) : '–');
  return html`<details>
    <summary>${t('time.roofline.table')}</summary>
    ${table(
      t('time.roofline'),
      pass.operations,
      { title: t('time.roofline.operation'), cell: (one) => name('symbols', one.name) },
      [
        { title: t('rows.part'), cell: (one) => partName(c, one.part) },
        { title: t('time.roofline.layers'), cell: (one) => c.format.count(one.layers) },
        { title: t('time.roofline.operations'), cell: (one) => c.format.short(one.operations, 3) },
        { title: t('time.roofline.bytes'), cell: (one) => c.format.bytes(one.bytes) },
        { title: t('time.roofline.x'), cell: intensity },
        { title: t('time.rows.time'), cell: (one) => duration(c, one.seconds) },
        { title: t('rows.share'), cell: (one) => c.format.percent(one.seconds, whole) },
        { title: t('time.passes.binds'), cell: (one) => t(`time.bound.${one.binds}`) },
      ],
      true,
    )}
  </details>`;
}

/** @param roofline of `rooflineOf`, the same object as long as nothing in it has changed */
export function rooflineView(c: Calculator, pass: PassTime, roofline: Roofline | undefined): TemplateResult {
  const { t } = c.texts;
  const parts = [...new Set(pass.operations.map(({ part }) => part))];
  const { bandwidth, rate } = roofline?.peak ?? {};
  const chart = html`<p class="about">${t('time.roofline.about')}</p>
    <plimsoll-roofline .roofline=${roofline} label=${t('time.roofline')}></plimsoll-roofline>
    <ul class="key">
      <li class="roof">
        ${bandwidth === undefined ? nothing : t('time.roofline.bandwidth', { value: formatIn(c.texts.language, 'GB').bytes(bandwidth) })}${rate === undefined ? nothing : ` · ${t('time.roofline.peak', { value: c.format.short(rate, 3) })}`}
      </li>
      <li class="reached">${t('time.roofline.reached')}</li>
      ${parts.map((part) => html`<li><span class="swatch ${colourOfPart(part)}" aria-hidden="true"></span> ${partName(c, part)}</li>`)}
    </ul>`;
  return html`<section aria-labelledby="roofline-title">
    <h3 id="roofline-title">${t('time.roofline')}</h3>
    ${roofline && roofline.points.length > 0 ? chart : nothing} ${numbers(c, pass)}
  </section>`;
}
