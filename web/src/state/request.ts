// A state becomes the request that the engine, and the command line, is asked.

import { shown, shownJson } from '../files/shown.mjs';
import { type Field, type FieldId, fields, pathOf, type Value } from './fields.ts';
import type { Explain } from '../engine/reply.ts';
import { counts, initialState, type State } from './state.ts';
import type { Request } from '../engine/wire.d.ts';

type Leaf = Value | string[] | { preset: string }[];
type Tree = { [name: string]: Tree | Leaf };

/** Stands for JSON's own text, which goes to the engine as it was written: parsing it here would turn 1e400 into null. */
const mark = (id: string): string => `\u0000${id}\u0000`;

function put(tree: Tree, path: string, value: Leaf): void {
  const names = path.split('.');
  const last = names.pop()!;
  let at = tree;
  for (const name of names) {
    // An encoding for the whole cache is that of the keys where the values have one of their own.
    if (typeof at[name] === 'string') at[name] = { k: at[name] };
    at = (at[name] ??= {}) as Tree;
  }
  at[last] = value;
}

function onTheWire(one: Field, value: Value): Leaf {
  if (one.kind === 'json') return mark(one.id);
  if (one.kind === 'presets')
    return String(value)
      .split(',')
      .map((preset) => ({ preset }));
  if (one.list === 'always' || (one.list && String(value).includes(','))) return String(value).split(',');
  return one.kind === 'billions' ? Math.round(Number(value) * 1e9) : value;
}

const render = (tree: Tree, state: State, indent?: number): string =>
  ['model.config', 'model.tensors'].reduce(
    (text, id) => text.replace(JSON.stringify(mark(id)), () => String(state.values[id as FieldId] ?? 'null')),
    JSON.stringify(tree, null, indent),
  );

/** @param more what a view asks for beside the state's fields */
export function request(state: State, explain: Explain, indent?: number, more: Tree = {}): string {
  const tree: Tree = { schema: 1, task: state.task, explain, ...more, model: {} };
  for (const one of fields as readonly Field[]) {
    const value = state.values[one.id as FieldId];
    if (value !== undefined && counts(state, one.id as FieldId)) put(tree, pathOf(one), onTheWire(one, value));
  }
  return render(tree, state, indent);
}

const models = fields.map(({ id }) => id).filter((id) => id.endsWith('model.preset'));

/** The model presets that a request names: the model's own, and those of models that are held beside it. */
export const presetsOf = (state: State): string[] =>
  models
    .filter((id) => counts(state, id))
    .map((id) => state.values[id])
    .filter((id) => typeof id === 'string');

/** The model alone, before anything is asked of it. */
function modelTree(state: State, task: string): Tree {
  const tree: Tree = { schema: 1, task, explain: 'rows', model: {} };
  for (const one of fields as readonly Field[]) {
    const value = state.values[one.id as FieldId];
    if (value !== undefined && one.id.startsWith('model.') && counts(state, one.id as FieldId)) put(tree, one.id, onTheWire(one, value));
  }
  return tree;
}

/** The model's weights, whatever is done with them. */
export function weightsRequest(state: State): string {
  return render(modelTree(state, 'inference'), state);
}

/** The precision that the hosted calculator knows for a training precision: it has no mixed one, nor tf32 or fp8. */
const plainPrecisions: Record<string, string> = { tf32: 'fp32', 'fp8-mixed': 'bf16', 'fp8-dynamic': 'bf16' };
const unmixed = (precision: Value | undefined): Value | undefined =>
  typeof precision === 'string' ? (plainPrecisions[precision] ?? precision.replace(/-(mixed|autocast)$/, '')) : precision;

/** What the engine took for a field that the request left out. */
export type Assumed = readonly { field: string; value?: unknown }[];

/** The same state as the hosted calculator would be asked it; what was left out is what our answer assumed. */
export function classicRequest(state: State, assumed: Assumed = []): string {
  const tree = modelTree(state, 'classic');
  const { values } = state;
  const set = (path: string, value: Value | undefined) => value !== undefined && put(tree, path, value);
  const taken = (id: FieldId): Value | undefined => values[id] ?? (assumed.find(({ field }) => field === id)?.value as Value | undefined);
  if (state.task === 'inference') {
    set('weights.encoding', values['weights.encoding']);
    set('inference.context', taken('inference.context'));
    set('inference.sequences', taken('inference.sequences'));
  } else {
    set('weights.encoding', unmixed(values['training.precision'] ?? 'bf16-mixed'));
    set('training.sequence', taken('training.sequence'));
    set('training.micro_batch', taken('training.micro_batch'));
    set('training.optimizer', values['training.optimizer'] ?? 'adamw');
    set('training.trainable_percent', values['training.method'] === 'freeze' ? values['training.trainable_percent'] : 100);
  }
  return render(tree, state);
}

/** The value of one field in a request, as the form holds it; undefined where it has none or the form cannot show it. */
function valueIn(asked: object, one: Field): Value | undefined {
  const shared = one.path ?? /^(devices|parallel)/.test(one.id);
  if (shared && one.id.startsWith('training.') !== 'training' in asked) return undefined;
  const value = pathOf(one)
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], asked);
  if (value === undefined) return undefined;
  if (one.kind === 'presets') return Array.isArray(value) ? value.map(({ preset }: { preset: string }) => preset).join(',') : undefined;
  if (one.id === 'inference.kv_encoding' && typeof value === 'object') return valueIn(value!, { ...one, path: 'k' });
  if (one.kind === 'json') return shownJson(JSON.stringify(value, null, one.id === 'model.config' ? 2 : undefined));
  if (one.kind === 'billions' && typeof value === 'number') return value / 1e9;
  if (one.list && Array.isArray(value)) return shown(value.join(','));
  if (typeof value === 'string') return shown(value);
  return ['number', 'boolean'].includes(typeof value) ? (value as Value) : undefined;
}

function valuesIn(asked: object): State['values'] {
  const found = (fields as readonly Field[]).map((one) => [one.id, valueIn(asked, one)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as State['values'];
}

const originOf = (model: object): State['model'] => ('preset' in model ? 'preset' : 'config' in model || 'tensors' in model ? 'config' : 'typed');

/** A request back into the form's state: what the form has no field for is left out. */
export function fromRequest(asked: Request): State {
  const state = initialState();
  // The hosted calculator's own arithmetic stands beside either task; its block tells which.
  state.task = asked.task === 'training' || (asked.task === 'classic' && asked.training) ? 'training' : 'inference';
  state.model = originOf(asked.model);
  if (asked.device && 'memory_bytes' in asked.device) state.device = 'typed';
  if (Array.isArray(asked.device)) state.device = 'list';
  state.values = { ...state.values, ...valuesIn(asked) };
  return state;
}

/**
 * What files say, laid over what the user has: a model takes the place of the one before, all else stays.
 * @param config the config.json as it was written, where there is one
 */
export function withFiles(state: State, said: Partial<Request>, config: string | undefined): State {
  const values = { ...state.values };
  if (said.model) {
    delete values['model.config'];
    delete values['model.tensors'];
  }
  Object.assign(values, valuesIn(said), config !== undefined && said.model && { 'model.config': config });
  return {
    ...state,
    ...(said.model && { model: originOf(said.model) }),
    ...(said.training && { task: 'training' as const }),
    values,
  };
}
