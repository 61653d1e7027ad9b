// What the chosen runtime has a setting for. Each preset lists it, so that a runtime more needs no code here.

import type { Runtime, Tables } from '../engine/assets.ts';
import type { FieldId } from './fields.ts';
import type { State } from './state.ts';
import type { EncodingPreset } from '../engine/wire.d.ts';

/** Whether the model came from a GGUF file, which llama.cpp and what is built on it run. */
const isGguf = ({ model, values }: State): boolean => model === 'config' && /"file_format":\s*"gguf"/.test(String(values['model.config'] ?? ''));

/** The engine's own choice where a request names none: a GGUF file is llama.cpp's. */
const usual = (state: State): string => (isGguf(state) ? 'llama.cpp' : 'transformers');

export const runtimeOf = (tables: Tables | undefined, state: State): Runtime | undefined =>
  tables?.runtimes.find(({ id }) => id === (state.values['inference.runtime'] ?? usual(state)));

export const optionsOf = (runtime: Runtime | undefined, which: 'usual' | 'rare'): readonly FieldId[] =>
  (runtime?.options?.[which] ?? []) as readonly string[] as readonly FieldId[];

/** Whether the runtime takes devices of several kinds, each with a part of its own size. */
export const unequalDevices = (runtime: Runtime | undefined): boolean => runtime?.options?.unequal_devices === true;

/** The encodings that the runtime can keep its cache in. */
export const cacheEncodings = (tables: Tables | undefined, runtime: Runtime | undefined): EncodingPreset[] =>
  (tables?.encodings ?? []).filter(({ uses, family }) => uses.includes('kv') && (runtime?.cache?.includes(family) ?? true));

/** The encodings of weights that the runtime loads. */
export const weightEncodings = (tables: Tables | undefined, runtime: Runtime | undefined): EncodingPreset[] =>
  (tables?.encodings ?? []).filter(({ uses, family }) => uses.includes('weights') && (runtime?.weights?.includes(family) ?? true));

/** Those that trainers load a frozen model in, to train adapters beside it. */
const bases: readonly string[] = ['bitsandbytes', 'gptq', 'awq', 'hqq'];

export const baseEncodings = (tables: Tables | undefined): EncodingPreset[] =>
  (tables?.encodings ?? []).filter(({ uses, family }) => uses.includes('weights') && bases.includes(family));

/** A state without the settings that its runtime does not have: they belonged to the one chosen before. */
export function withoutOthers(tables: Tables | undefined, state: State): State {
  const runtime = runtimeOf(tables, state);
  if (!tables || !runtime) return state;
  const all = (one: Runtime): readonly FieldId[] => [...optionsOf(one, 'usual'), ...optionsOf(one, 'rare')];
  const own = new Set(all(runtime));
  const values = { ...state.values };
  for (const id of tables.runtimes.flatMap(all)) if (!own.has(id)) delete values[id];
  const draft = values['inference.draft.weights.encoding'];
  if (!weightEncodings(tables, runtime).some((one) => one.id === draft)) delete values['inference.draft.weights.encoding'];
  for (const id of ['inference.kv_encoding', 'inference.kv_encoding.v'] as const)
    if (!cacheEncodings(tables, runtime).some((one) => one.id === values[id])) delete values[id];
  const device = state.device === 'list' && !unequalDevices(runtime) ? 'preset' : state.device;
  return { ...state, device, values };
}

/** A state whose runtime runs its file: llama.cpp where a GGUF has come, and the one chosen before does not load it. */
export function withRuntimeOfFile(tables: Tables | undefined, state: State): State {
  const chosen = tables?.runtimes.find(({ id }) => id === state.values['inference.runtime']);
  if (!tables || !isGguf(state) || chosen?.weights?.includes('gguf')) return state;
  return withoutOthers(tables, { ...state, values: { ...state.values, 'inference.runtime': 'llama.cpp' } });
}
