// How a training is spread over devices: what each framework lets be chosen, and what it takes where nothing is chosen.
// The engine says what cannot be; this says what is not offered.

import { type Field, type FieldId, fields, type Value } from './fields.ts';
import type { State } from './state.ts';

/** What holds: a chosen value, or what the engine assumed. */
export type Holds = (id: FieldId) => unknown;

const ofDeepSpeed: readonly FieldId[] = ['training.parallel.overlap_communication', 'training.parallel.reduce_bucket'];

/** Stage 3 gathers weights again, by rules of its own. */
const ofStageThree: readonly FieldId[] = [
  'training.parallel.prefetch_bucket',
  'training.parallel.live_parameters',
  'training.parallel.reuse_distance',
  'training.parallel.persistent_parameters',
  'training.parallel.sub_group',
];

const ofUnits: readonly FieldId[] = ['training.parallel.ends_apart', 'training.parallel.reduce_in_fp32'];

/** What only some frameworks have. */
const own: Readonly<Record<string, readonly FieldId[]>> = {
  ddp: ['training.parallel.gradient_as_bucket_view'],
  deepspeed: [...ofDeepSpeed, ...ofStageThree, 'training.parallel.offload.optimizer', 'training.parallel.offload.parameters'],
  fsdp: [...ofUnits, 'training.parallel.frozen_joined', 'training.parallel.offload.parameters'],
  fsdp2: [...ofUnits, 'training.parallel.reshard_after_forward', 'training.parallel.offload.parameters'],
  megatron: [],
};

const stages: Readonly<Record<string, readonly string[]>> = {
  ddp: ['0'],
  deepspeed: ['0', '1', '2', '3'],
  fsdp: ['2', '3'],
  fsdp2: ['2', '3'],
  megatron: ['0', '1'],
};

const usualStage: Readonly<Record<string, number>> = { deepspeed: 2, fsdp: 3, fsdp2: 3 };

const number = (value: unknown): number => Number(value ?? 1);

/** As the engine takes it: a stage is DeepSpeed's, and without one each copy has everything. */
export const frameworkOf = (holds: Holds): string =>
  String(holds('training.parallel.framework') ?? (Number(holds('training.parallel.zero') ?? 0) > 0 ? 'deepspeed' : 'ddp'));

export const stageOf = (holds: Holds): number => Number(holds('training.parallel.zero') ?? usualStage[frameworkOf(holds)] ?? 0);

export const degreeOf = (holds: Holds, name: 'data' | 'tensor' | 'pipeline' | 'context' | 'expert'): number =>
  number(holds(`training.parallel.${name}`));

/** Copies of the model: those that were asked for, else what the other degrees leave of the devices. */
export function copiesOf(holds: Holds): number {
  const others = degreeOf(holds, 'tensor') * degreeOf(holds, 'pipeline') * degreeOf(holds, 'context');
  const devices = holds('training.devices');
  return number(holds('training.parallel.data') ?? (devices === undefined ? 1 : Number(devices) / others));
}

/** Switches that stand on where nobody turned them off. */
export function usuallyOn(holds: Holds, id: FieldId): boolean {
  const [, name] = /(\w+)$/.exec(id)!;
  if (name === 'reshard_after_forward' || name === 'overlap_communication') return stageOf(holds) === 3;
  return name === 'reduce_in_fp32' && frameworkOf(holds) === 'fsdp2';
}

/** DeepSpeed's pipeline keeps gradients whole until its last micro-batch. */
export function stagesOf(holds: Holds): readonly string[] {
  const all = stages[frameworkOf(holds)] ?? [];
  return frameworkOf(holds) === 'deepspeed' && degreeOf(holds, 'pipeline') > 1 ? all.filter((stage) => Number(stage) < 2) : all;
}

/** Only DeepSpeed reads disks, with divided weights; FSDP off-loads all it divides at once. */
export function residencesOf(holds: Holds): readonly string[] {
  return frameworkOf(holds) === 'deepspeed' && stageOf(holds) === 3 ? ['device', 'cpu', 'nvme'] : ['device', 'cpu'];
}

const offers: Partial<Record<FieldId, (holds: Holds) => boolean>> = {
  'training.parallel.zero': (holds) => stagesOf(holds).length > 1,
  'training.parallel.sequence_parallel': (holds) => degreeOf(holds, 'tensor') > 1,
  'training.parallel.context_kind': (holds) => degreeOf(holds, 'context') > 1,
  'training.parallel.schedule': (holds) => degreeOf(holds, 'pipeline') > 1,
  'training.parallel.first_stage_layers': (holds) => degreeOf(holds, 'pipeline') > 1,
  'training.parallel.last_stage_layers': (holds) => degreeOf(holds, 'pipeline') > 1,
  'training.parallel.virtual_stages': (holds) => degreeOf(holds, 'pipeline') > 1,
  'training.parallel.expert_imbalance': (holds) => degreeOf(holds, 'expert') > 1,
  'training.parallel.shard_group': (holds) => stageOf(holds) > 0 && copiesOf(holds) > 1,
  'training.parallel.no_sync': (holds) => stageOf(holds) > 1 && number(holds('training.accumulation')) > 1,
  'training.parallel.frozen_joined': (holds) => holds('training.method') === 'lora',
  'training.parallel.offload.optimizer': (holds) => stageOf(holds) > 0,
  'training.parallel.loading': (holds) => stageOf(holds) === 3 && copiesOf(holds) > 1,
  'training.parallel.offload.parameters': (holds) => stageOf(holds) === 3,
};

/** Whether a field is offered in this layout. */
export function offered(holds: Holds, id: FieldId): boolean {
  const framework = frameworkOf(holds);
  const others = Object.values(own).some((ids) => ids.includes(id)) && !own[framework]?.includes(id);
  const early = ofStageThree.includes(id) && stageOf(holds) < 3;
  return !others && !early && (offers[id]?.(holds) ?? true);
}

/** What holds of a layout's switches and choices that nobody made, by their places in a request, for who must say them. */
export function effective(holds: Holds): Record<string, unknown> {
  const switches = (fields as readonly Field[]).filter(({ id, kind }) => id.startsWith('training.parallel.') && kind === 'switch');
  const ids = switches.map(({ id }) => id as FieldId).filter((id) => offered(holds, id));
  const stand = ids.map((id) => [id.slice('training.'.length), holds(id) ?? usuallyOn(holds, id)] as const);
  return { ...Object.fromEntries(stand), 'parallel.framework': frameworkOf(holds), 'parallel.zero': stageOf(holds) };
}

/** Whether anything is spread at all. */
export const several = (values: State['values']): boolean =>
  Object.entries(values).some(([id, value]) => id.startsWith('training.parallel.') || (id === 'training.devices' && Number(value) > 1));

/** A state in which a framework was chosen, without the settings of the one before. */
export function withoutOtherFrameworks(state: State): State {
  const values: Partial<Record<FieldId, Value>> = { ...state.values };
  const framework = values['training.parallel.framework'];
  if (framework === undefined) return state;
  const ids = new Set(Object.values(own).flat());
  for (const id of ids) if (!own[String(framework)]?.includes(id)) delete values[id];
  const stage = values['training.parallel.zero'];
  if (stage !== undefined && !stages[String(framework)]?.includes(String(stage))) delete values['training.parallel.zero'];
  return { ...state, values };
}
