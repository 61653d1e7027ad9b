// Attributes become a state: a whole request where there is one, and each field by its name laid over it. What is locked is
// what the markup says.

import { type Field, type FieldId, fields, type Value } from '../../state/fields.ts';
import { parseNumber } from '../../state/numbers.ts';
import { fromRequest } from '../../state/request.ts';
import { initialState, type State } from '../../state/state.ts';
import { shown, shownJson } from '../../files/shown.mjs';
import { lostOf } from './lost.ts';
import type { Request } from '../../engine/wire.d.ts';
import type { Attributes } from '../answers.ts';

const all = fields as readonly Field[];
const numeric: readonly Field['kind'][] = ['count', 'tokens', 'billions', 'fraction', 'percent', 'memory'];

export interface Asked {
  state: State;
  /** Text that is no number, by field. */
  mistakes: ReadonlyMap<FieldId, string>;
  /** What is wrong with a request as a whole. */
  fault?: string;
  /** Paths of what a request says and the form has no field for. */
  lost: readonly string[];
}

/** An attribute's text as its field has values; undefined is none, null what cannot be read. */
function valueOf(one: Field, text: string): Value | undefined | null {
  if (one.kind === 'switch') return text === 'true' || text === '';
  if (text.trim() === '') return undefined;
  if (one.kind === 'json') return shownJson(text);
  if (numeric.includes(one.kind)) return parseNumber(text) ?? null;
  return shown(text);
}

/** Where a field says that its model or device is from. */
const origins: Record<string, Partial<State>> = {
  'model.config': { model: 'config' },
  'model.parameters': { model: 'typed' },
  'device.memory_bytes': { device: 'typed' },
  'device.list': { device: 'list' },
};

function base(text: string | undefined): Asked {
  const plain = { state: initialState(), mistakes: new Map(), lost: [] };
  if (!text) return plain;
  try {
    const asked = JSON.parse(text) as Request;
    const state = fromRequest(asked);
    return { ...plain, state, lost: lostOf(asked, state) };
  } catch {
    return { ...plain, fault: 'the request is no JSON text of a request' };
  }
}

/** What attributes ask for. */
export function stateOf(attributes: Attributes): Asked {
  const { state, fault, lost } = base(attributes['request']);
  const mistakes = new Map<FieldId, string>();
  if (attributes['task'] !== undefined) state.task = attributes['task'] === 'training' ? 'training' : 'inference';
  for (const one of all) {
    const text = attributes[one.key];
    if (text === undefined) continue;
    const id = one.id as FieldId;
    const value = valueOf(one, text);
    if (value === null) mistakes.set(id, text);
    else if (value === undefined) delete state.values[id];
    else state.values[id] = value;
    if (text !== '') Object.assign(state, origins[id]);
  }
  return { state, mistakes, lost, ...(fault !== undefined && { fault }) };
}

/** A state with what the markup has changed since; what a reader has chosen elsewhere stays. */
export function followed(now: State, before: State, after: State): State {
  const values = { ...now.values };
  for (const id of all.map((one) => one.id as FieldId)) {
    if (before.values[id] === after.values[id]) continue;
    if (after.values[id] === undefined) delete values[id];
    else values[id] = after.values[id]!;
  }
  const part = <K extends 'task' | 'model' | 'device'>(name: K): State[K] => (before[name] === after[name] ? now[name] : after[name]);
  return { task: part('task'), model: part('model'), device: part('device'), values };
}

/** The names that `locked` gives, or all; undefined where nothing is locked. */
function namesIn(locked: string | null): string[] | 'all' | undefined {
  if (locked === null) return undefined;
  const names = locked.split(/[\s,]+/).filter(Boolean);
  return names.length === 0 ? 'all' : names;
}

/** A state with what is locked as the markup has it, whoever has changed it. */
export function held(now: State, authored: State, locked: string | null): State {
  const names = namesIn(locked);
  if (!names) return now;
  if (names === 'all') return authored;
  const locks = (name: string): boolean => names.includes(name);
  const values = { ...now.values };
  for (const one of all) {
    const id = one.id as FieldId;
    if (!locks(one.key) && !locks(id.split('.')[0]!)) continue;
    if (authored.values[id] === undefined) delete values[id];
    else values[id] = authored.values[id]!;
  }
  return {
    task: locks('task') ? authored.task : now.task,
    model: locks('model') ? authored.model : now.model,
    device: locks('device') ? authored.device : now.device,
    values,
  };
}

/** The value of a field by its attribute's name. */
export function valueIn(state: State, name: string): Value | undefined {
  const one = all.find(({ key }) => key === name);
  return one && state.values[one.id as FieldId];
}
