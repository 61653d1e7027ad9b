// One state ⇄ one link. Values that equal their field's initial value are not written.

import { shown, shownJson } from '../files/shown.mjs';
import { type Field, field, type FieldId, fields, type Value } from './fields.ts';

export type Origin = 'preset' | 'config' | 'typed';

export interface State {
  task: 'inference' | 'training';
  /** Where the model comes from, and where the device. */
  model: Origin;
  device: 'preset' | 'typed' | 'list';
  values: Partial<Record<FieldId, Value>>;
}

/** A configuration that is put aside, to be compared with. */
export interface Pin {
  /** What its reader calls it; empty where they gave no name. */
  name: string;
  state: State;
}

/** Configurations that are compared at most, the one in the form among them. */
export const mostCompared = 4;

export const initialState = (): State => ({
  task: 'inference',
  model: 'preset',
  device: 'preset',
  values: Object.fromEntries(fields.flatMap((one: Field) => (one.initial === undefined ? [] : [[one.id, one.initial]]))),
});

/** Where the device comes from; training is estimated on one. */
export const deviceOrigin = ({ device, task }: State): State['device'] => (device === 'list' && task === 'training' ? 'preset' : device);

const hasDevice = (state: State): boolean => state.values[deviceOrigin(state) === 'typed' ? 'device.memory_bytes' : 'device.preset'] !== undefined;

/** Whether a field takes part: those of the other tab, or of another origin, keep their value but do not count. */
export function counts(state: State, id: FieldId): boolean {
  if (id.startsWith('model.')) {
    if (id === 'model.config' || id === 'model.tensors') return state.model === 'config';
    return state.model === (id === 'model.preset' ? 'preset' : 'typed');
  }
  // other programs are told of a device that is there, and of each alike
  if (id === 'device.used_by_others_bytes') return deviceOrigin(state) !== 'list' && hasDevice(state);
  if (id.startsWith('device.')) return id === { preset: 'device.preset', typed: 'device.memory_bytes', list: 'device.list' }[deviceOrigin(state)];
  // parts are named, or counted
  if (id === 'training.trainable_percent' && state.values['training.freeze.trainable_layers'] !== undefined) return false;
  if (/^training\.freeze\..*_modules$/.test(id) && state.values['training.freeze.trainable_layers'] === undefined) return false;
  const [other, among] = field(id).with ?? [];
  if (other) return counts(state, other as FieldId) && among!.includes(String(state.values[other as FieldId]));
  if (id === 'training.lengths.deviation' || id === 'training.lengths.longer')
    return state.task === 'training' && state.values['training.lengths.mean'] !== undefined;
  if (id === 'weights.sparsity.of' || id === 'weights.sparsity.fraction')
    return state.task === 'inference' && state.values['weights.sparsity.kind'] === 'structured';
  if (id === 'devices' && state.device === 'list') return false;
  if (id === 'devices' || /^(weights|parallel)\./.test(id)) return state.task === 'inference';
  return id.startsWith(`${state.task}.`);
}

const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const fromBase64 = (text: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)));

const write = (one: Field, value: Value): string => (one.kind === 'json' ? toBase64(String(value)) : String(value));

function read(one: Field, text: string): Value | undefined {
  if (one.kind === 'json') return shownJson(fromBase64(text));
  if (one.kind === 'switch') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  if (['count', 'tokens', 'billions', 'memory', 'fraction', 'percent'].includes(one.kind))
    return Number.isFinite(Number(text)) ? Number(text) : undefined;
  return shown(text);
}

/** The same, also of a link that a mail program cut short. */
function readable(one: Field, text: string): Value | undefined {
  try {
    return read(one, text);
  } catch {
    return undefined;
  }
}

/** Letters of what files added to a config. More would be cut by the programs that links are sent with. */
const longestTensors = 8000;

/** Whether a link to this state leaves out what the weights' files said. */
export const linkOmitsTensors = (state: State): boolean =>
  counts(state, 'model.tensors') && toBase64(String(state.values['model.tensors'] ?? '')).length > longestTensors;

/** @param pins configurations that are put aside: each is a link within the link */
export function toLink(state: State, view: Record<string, string> = {}, pins: readonly Pin[] = []): string {
  const link = new URLSearchParams();
  if (state.task !== 'inference') link.set('task', state.task);
  if (state.model !== 'preset') link.set('from', state.model);
  for (const one of fields as readonly Field[]) {
    if (!counts(state, one.id as FieldId)) continue;
    const value = state.values[one.id as FieldId];
    if (value === one.initial || (one.id === 'model.tensors' && linkOmitsTensors(state))) continue;
    link.set(one.key, value === undefined ? '' : write(one, value));
  }
  for (const pin of pins) link.append('pin', toLink(pin.state, pin.name ? { name: pin.name } : {}));
  for (const [key, value] of Object.entries(view)) link.set(key, value);
  return link.toString();
}

/** What a link says and a state cannot hold: the name that the link has for it, and the text. */
export type Unread = readonly [key: string, text: string][];

interface Said {
  state: State;
  view: Record<string, string>;
  pins: Pin[];
  unread: Unread;
}

function pinsIn(link: URLSearchParams): { pins: Pin[]; unread: Unread } {
  const all = link
    .getAll('pin')
    .slice(0, mostCompared - 1)
    .map(fromLink);
  return {
    pins: all.map(({ state, view }) => ({ name: shown(view['name'] ?? ''), state })),
    unread: all.flatMap(({ unread, view }) => [...unread, ...Object.entries(view).filter(([key]) => key !== 'name')]),
  };
}

/** What is no field's stands in `view`: the page has some settings of its own there. */
export function fromLink(text: string): Said {
  const link = new URLSearchParams(text.replace(/^#/, ''));
  const state = initialState();
  const { pins, unread } = pinsIn(link);
  const missed = [...unread];
  const task = link.get('task') ?? 'inference';
  if (task === 'training') state.task = task;
  else if (task !== 'inference') missed.push(['task', task]);
  const from = link.get('from') ?? 'preset';
  if (from === 'config' || from === 'typed') state.model = from;
  else if (from !== 'preset') missed.push(['from', from]);
  if (link.has('memory')) state.device = 'typed';
  if (link.has('device-list')) state.device = 'list';
  for (const one of fields as readonly Field[]) {
    const text = link.get(one.key);
    if (text === null) continue;
    const id = one.id as FieldId;
    const value = text === '' ? undefined : readable(one, text);
    if (value !== undefined) state.values[id] = value;
    else if (text === '') delete state.values[id];
    else missed.push([one.key, text]); // the field keeps its initial value
  }
  const known = new Set(['task', 'from', 'pin', ...fields.map(({ key }) => key as string)]);
  return { state, view: Object.fromEntries([...link].filter(([key]) => !known.has(key))), pins, unread: missed };
}
