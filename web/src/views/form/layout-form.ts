// The layout of a training over several devices: who divides what, and, folded, what else the framework lets be chosen. How
// many devices there are stands beside the device.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { field, type FieldId } from '../../state/fields.ts';
import { copiesOf, degreeOf, type Holds, offered, residencesOf, several, stagesOf, usuallyOn } from '../../state/layout.ts';
import { fieldView, switchView, valueOf } from './field.ts';
import { foldOf } from './training-fold.ts';

const first: readonly FieldId[] = ['training.parallel.framework', 'training.parallel.zero', 'training.parallel.tensor', 'training.parallel.pipeline'];

const folded: Readonly<Record<string, readonly FieldId[]>> = {
  'form.layout.more': [
    'training.parallel.data',
    'training.parallel.sequence_parallel',
    'training.parallel.context',
    'training.parallel.context_kind',
    'training.parallel.expert',
    'training.parallel.expert_imbalance',
    'training.parallel.schedule',
    'training.parallel.virtual_stages',
    'training.parallel.first_stage_layers',
    'training.parallel.last_stage_layers',
    'training.parallel.shard_group',
  ],
  'form.layout.communication': [
    'training.parallel.no_sync',
    'training.parallel.gradient_as_bucket_view',
    'training.parallel.reshard_after_forward',
    'training.parallel.ends_apart',
    'training.parallel.frozen_joined',
    'training.parallel.reduce_in_fp32',
    'training.parallel.overlap_communication',
    'training.parallel.reduce_bucket',
    'training.parallel.prefetch_bucket',
    'training.parallel.live_parameters',
    'training.parallel.reuse_distance',
    'training.parallel.persistent_parameters',
    'training.parallel.loading',
    'training.parallel.backend',
  ],
  'form.layout.offload': ['training.parallel.offload.optimizer', 'training.parallel.offload.parameters', 'training.parallel.sub_group'],
};

function optionsOf(id: FieldId, holds: Holds): readonly string[] | undefined {
  if (id === 'training.parallel.zero') return stagesOf(holds);
  return id.startsWith('training.parallel.offload.') ? residencesOf(holds) : field(id).options;
}

/** What the devices are: the product of the degrees, as the engine multiplies them. */
function productView(c: Calculator, holds: Holds): TemplateResult | typeof nothing {
  const { t } = c.texts;
  const degrees = (['tensor', 'pipeline', 'context'] as const).map((name) => [name, degreeOf(holds, name)] as const);
  const copies = copiesOf(holds);
  const all = [['data', copies] as const, ...degrees.filter(([, degree]) => degree > 1)];
  const product = all.map(([name, degree]) => `${c.format.count(degree)} ${t(`layout.${name}`)}`).join(' × ');
  const devices = all.reduce((of, [, degree]) => of * degree, 1);
  if (all.length === 1) return nothing;
  return html`<p class="hint product" data-devices=${devices}>${t('layout.product', { product, devices: c.format.count(devices) })}</p>`;
}

export function layoutForm(c: Calculator): TemplateResult | typeof nothing {
  // of how many copies the engine's last answer was, says nothing of what is asked now
  const holds: Holds = (id) => (id === 'training.parallel.data' ? c.state.values[id] : valueOf(c, id));
  const isShown = (id: FieldId): boolean => c.state.values[id] !== undefined || (offered(holds, id) && isOfModel(c, id));
  const view = (id: FieldId): TemplateResult =>
    field(id).kind === 'switch' ? switchView(c, field(id), usuallyOn(holds, id)) : fieldView(c, id, optionsOf(id, holds));
  const spread = several(c.state.values);
  const sized = c.mistake('training.devices') === undefined && Number.isInteger(copiesOf(holds));
  if (!spread) return nothing;
  return html`<fieldset class="fold">
    <legend>${c.texts.t('form.layout')}</legend>
    <div class="columns rows">${first.filter(isShown).map(view)}</div>
    ${sized ? productView(c, holds) : nothing}
    ${Object.entries(folded).map(([title, ids]) => foldOf(c, title, ids.filter(isShown), (id) => view(id as FieldId)))}
  </fieldset>`;
}

/** Nobody is asked to divide experts that a model does not have. */
function isOfModel(c: Calculator, id: FieldId): boolean {
  const { active, total } = c.asking.answer?.model?.parameters ?? {};
  return id !== 'training.parallel.expert' || active !== total;
}
