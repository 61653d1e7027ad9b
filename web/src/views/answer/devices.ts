// Several devices side by side, and what lies in the host's memory.

import { nothing, type TemplateResult, html } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { type Answer, bytesOf } from '../../engine/reply.ts';
import { fold } from '../form/fold.ts';
import { table } from './table.ts';

export type DeviceClass = NonNullable<Answer['devices']>[number];

/** The engine numbers devices and stages in English. */
export const nameOf = (c: Calculator, device: string): string => {
  const [, kind, number = ''] = /^(device|stage) (\d+)$/.exec(device) ?? [];
  return kind === undefined ? device : c.texts.t(kind === 'stage' ? 'devices.stage' : 'devices.name', { number });
};

/** Why the fullest device is the fullest: what it has most of, and, where devices are unequal, how much of its own. */
export function becauseView(c: Calculator, { total }: Answer): TemplateResult | typeof nothing {
  const { row, more_bytes: more, share } = total.because ?? {};
  if (row === undefined || more === undefined || total.device === undefined) return nothing;
  const said = c.texts.t('devices.because', { device: nameOf(c, total.device), row: c.texts.name('row', row), bytes: c.format.bytes(more) });
  return html`<p class="hint">${said}${share === undefined ? nothing : ` ${c.texts.t('devices.share', { share: c.format.percent(share, 1) })}`}</p>`;
}

/** The same rows of every class, side by side. */
export function classTable(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  const { devices = [] } = answer;
  const { t, name } = c.texts;
  const rows = [...new Set(devices.flatMap(({ rows }) => rows?.map(({ id }) => id) ?? []))];
  const fullest = (one: DeviceClass): string => (devices.length > 1 && one.device === answer.total.device ? ` (${t('devices.fullest')})` : '');
  const sizeOf = (one: DeviceClass, id: string): number => one.rows?.find((row) => row.id === id)?.bytes ?? 0;
  return table(
    t('devices.title'),
    devices,
    {
      title: t('form.device'),
      cell: (one) =>
        `${one.count > 1 ? `${c.format.count(one.count)} × ` : ''}${nameOf(c, one.device)}${one.name ? `: ${one.name}` : ''}${fullest(one)}`,
    },
    [
      { title: t('rows.total'), cell: (one) => c.format.bytes(bytesOf(one)) },
      ...rows.map((id) => ({ title: name('row', id), cell: (one: DeviceClass) => c.format.bytes(sizeOf(one, id)) })),
    ],
    true,
  );
}

export function devicesView(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  if ((answer.devices ?? []).reduce((sum, { count }) => sum + count, 0) < 2) return nothing;
  return html`<section class="devices" aria-labelledby="devices-title">
    <h2 id="devices-title">${c.texts.t('devices.title')}</h2>
    ${classTable(c, answer)} ${becauseView(c, answer)}
  </section>`;
}

export function hostView(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  const { host } = answer;
  if (!host?.rows?.length) return nothing;
  const { t, name } = c.texts;
  const title = t('host.title', { bytes: c.format.bytes(host.bytes) });
  const body = () =>
    table(
      title,
      host.rows!,
      { title: t('rows.part'), cell: ({ id }) => name('row', id) },
      [
        { title: t('rows.size'), cell: ({ bytes }) => c.format.bytes(bytes) },
        { title: t('rows.share'), cell: ({ bytes }) => c.format.percent(bytes, host.bytes) },
        { title: t('rows.basis'), cell: ({ basis }) => name('basis', basis) },
      ],
      true,
    );
  return fold(c, { name: 'host', title, body, card: true });
}
