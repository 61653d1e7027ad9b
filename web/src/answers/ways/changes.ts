// Which fields may be changed to make it fit, or to use the room that is left: those that the runtime and the model have.

import type { Tables } from '../../engine/assets.ts';
import type { Answer } from '../../engine/reply.ts';
import type { FieldId, Value } from '../../state/fields.ts';
import { optionsOf, runtimeOf } from '../../state/runtimes.ts';
import type { State } from '../../state/state.ts';
import { fits } from '../possible.ts';

export interface Setting {
  id: FieldId;
  /** Undefined: what was chosen goes. */
  value: Value | undefined;
}

/** What is asked for now. */
export interface Now {
  tables: Tables | undefined;
  state: State;
  answer: Answer;
  /** What holds of a field: the chosen value, or what the engine assumed. */
  own: (id: FieldId) => unknown;
}

const inferenceFields: readonly FieldId[] = [
  'inference.context',
  'inference.sequences',
  'weights.encoding',
  'inference.kv_encoding',
  'inference.offload.experts_on_cpu',
  'inference.offload.gpu_layers',
  'inference.memory_fraction',
  'inference.batch_tokens',
  'devices',
  'device.preset',
];
const trainingFields: readonly FieldId[] = ['training.micro_batch', 'training.sequence', 'training.lora.rank', 'training.devices', 'device.preset'];

/** Settings that only some runtimes have. */
const ofRuntimes: readonly FieldId[] = [
  'devices',
  'inference.offload.experts_on_cpu',
  'inference.offload.gpu_layers',
  'inference.memory_fraction',
  'inference.batch_tokens',
  'inference.offload.kv_on_host',
];

/** Values that take less by themselves, where another one holds. */
const switches: readonly Setting[] = [
  { id: 'inference.swa_full', value: undefined },
  { id: 'inference.draft.kind', value: undefined },
  { id: 'inference.replicas', value: 1 },
  { id: 'inference.offload.kv_on_host', value: true },
];

function has({ tables, state }: Now, id: FieldId): boolean {
  const runtime = runtimeOf(tables, state);
  return !ofRuntimes.includes(id) || optionsOf(runtime, 'usual').includes(id) || optionsOf(runtime, 'rare').includes(id);
}

/** Fields that have a meaning now; what is at its best already is no room to be used. */
export function fieldsOf(now: Now): FieldId[] {
  const { state, answer, own } = now;
  const more = fits(answer);
  const fields = state.task === 'training' ? trainingFields : inferenceFields;
  const { active, total } = answer.model?.parameters ?? {};
  const ruledOut: Partial<Record<FieldId, boolean>> = {
    'inference.offload.experts_on_cpu': active === total || (more && !own('inference.offload.experts_on_cpu')),
    'inference.offload.gpu_layers': more && own('inference.offload.gpu_layers') === undefined,
    'inference.memory_fraction': more,
    'inference.batch_tokens': more,
    'training.lora.rank': own('training.lora.rank') === undefined,
    'device.preset': state.device !== 'preset',
    'training.devices': Number(own('training.devices') ?? 1) < 2 && own('training.parallel.framework') === undefined,
    devices: state.device === 'list' || (more && Number(own('devices') ?? 1) < 2),
  };
  return fields.filter((id) => has(now, id) && !ruledOut[id]);
}

/** Changes that are tried as they are: what is held besides goes, or moves to the host. */
export function triedOf(now: Now): Setting[][] {
  const applies = ({ id, value }: Setting): boolean => {
    if (!id.startsWith(`${now.state.task}.`) || !has(now, id)) return false;
    const own = now.own(id);
    if (value === undefined) return own !== undefined && own !== false;
    return own !== value && (value === true || Number(own ?? 1) > 1);
  };
  return switches.filter(applies).map((setting) => [setting]);
}
