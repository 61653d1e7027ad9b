// What a layout is called, in the terms of the field, which every language has.

import { clustersOf, degreesText, deviceOf, shardingText } from '../../answers/planning.mjs';
import type { PlanLayout } from '../../engine/wire.d.ts';
import type { Layouts } from './layouts.ts';

/** A layout's degrees, such as `DP 4 · TP 8`; a single device where it is one. */
export function degreesOf(view: Layouts, layout: PlanLayout): string {
  const { t } = view.calculator.texts;
  const { parallel } = layout.request;
  const divided = ['data', 'tensor', 'pipeline', 'context', 'expert'].some((name) => Number(parallel?.[name as 'data'] ?? 1) > 1);
  if (divided) return degreesText(layout);
  return layout.devices === 1 ? t('layouts.one_device') : t('layouts.whole_each', { count: view.format.count(layout.devices) });
}

/** What else was chosen of the pipeline, and of the tokens between products. */
export function furtherOf(view: Layouts, { request: { parallel } }: PlanLayout): string {
  const { t } = view.calculator.texts;
  return [
    ...(Number(parallel?.virtual_stages ?? 1) > 1 ? [t('layouts.virtual', { count: Number(parallel!.virtual_stages) })] : []),
    ...(parallel?.sequence_parallel ? [t('layouts.sequence_parallel')] : []),
  ].join(', ');
}

export const sharedBy = (layout: PlanLayout): string => shardingText(layout);

/** Whether the search was over devices of several kinds. */
export const isOnSeveral = ({ searched }: Layouts): boolean => searched !== undefined && clustersOf(searched).length > 1;

/** The device of a layout, by its name. */
export const deviceNameOf = (view: Layouts, layout: PlanLayout): string => {
  const id = deviceOf(layout);
  return view.calculator.tables?.devices.find((device) => device.id === id)?.name ?? id;
};

/** A layout in one line. */
export const nameOf = (view: Layouts, layout: PlanLayout): string =>
  [
    degreesOf(view, layout),
    isOnSeveral(view) ? deviceNameOf(view, layout) : '',
    sharedBy(layout),
    ...(layout.micro_batch === undefined ? [] : [`${layout.micro_batch} × ${layout.accumulation ?? 1}`]),
  ]
    .filter(Boolean)
    .join(', ');
