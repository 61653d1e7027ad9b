// A log beside the form: what it states becomes the form's, and its figures are held against what the engine then answers.

import { contextsUpTo } from '../answers/tables.ts';
import { Turns } from '../answers/filling.ts';
import type { ModelEntry, Tables } from '../engine/assets.ts';
import type { Engine } from '../engine/engine.ts';
import { prepared } from '../answers/asking/portions.ts';
import type { Answer, Failure } from '../engine/reply.ts';
import type { ComparedFigure, LogFigure, ReconcileReply, Request, StatedField } from '../engine/wire.d.ts';
import { type Field, type FieldId, fields, pathOf, type Value } from '../state/fields.ts';
import { request, withFiles } from '../state/request.ts';
import { runtimeOf, weightEncodings, withoutOthers } from '../state/runtimes.ts';
import type { State } from '../state/state.ts';
import { apart, nearest } from './agreeing.mjs';
import { against } from './asking.ts';
import { candidates } from './candidates.mjs';
import { compared } from './comparing.mjs';
import { requestOf } from './laying.mjs';
import { withoutWeights } from './reconciling.mjs';
import { trainers } from './training.mjs';

/** An answer, and figures beside it; or why there is none. */
export type Held = { answer: Answer; compared: readonly ComparedFigure[] } | { failure: Failure };

/** Fields that a log may leave open, and that are asked for by trying values. */
export const asked = { weights: 'weights.encoding', 'inference.context': 'inference.context' } as const satisfies Record<string, FieldId>;
export type Open = keyof typeof asked;

/** Values under which the figures agree. */
export interface Offer {
  values: readonly Value[];
  /** None of them does. */
  far: boolean;
}

/** Whether a log is of a training, and the form of something else. */
export const isOfAnotherTask = ({ tool }: ReconcileReply, { task }: State): boolean => task !== 'training' && trainers.includes(tool ?? '');

/** Values that are offered for one field at most. */
const mostOffered = 3;

/** The field of the form at a place in a request. */
export const formField = (path: string): FieldId | undefined =>
  (fields as readonly Field[]).find((one) => pathOf(one) === path)?.id as FieldId | undefined;

/** The form with what a log states laid over it. */
export function withLog(tables: Tables | undefined, state: State, taken: readonly StatedField[]): State {
  const said = requestOf(taken) as Partial<Request>;
  const laid = withFiles(state, said, undefined);
  if (said.device && 'memory_bytes' in said.device) laid.device = 'typed';
  const runtime = said.inference?.runtime;
  if (runtime === undefined) return laid;
  const values = { ...laid.values };
  const fitting = weightEncodings(tables, runtimeOf(tables, { ...laid, values })).some(({ id }) => id === values['weights.encoding']);
  if (!fitting) delete values['weights.encoding'];
  const own: State = { ...laid, task: 'inference', values };
  return runtime === state.values['inference.runtime'] ? own : withoutOthers(tables, own);
}

/** The request of a state, with what a log states and the form has no field for. */
export function requestWith(state: State, taken: readonly StatedField[]): string {
  const beside = state.task === 'inference' ? taken.filter(({ field }) => formField(field) === undefined) : [];
  return request(state, 'rows', undefined, requestOf(beside));
}

const knowsWeights = ({ task, model, values }: State): boolean =>
  task === 'training' || values['weights.encoding'] !== undefined || (model === 'config' && values['model.tensors'] !== undefined);

/** What is asked with: of the settings that a log states, those that are taken. */
export interface Asking {
  engine: Engine;
  tables: Tables | undefined;
  log: ReconcileReply;
  taken: readonly StatedField[];
}

/** Figures beside what the engine answers for a state. */
export async function held({ engine, log, taken }: Asking, state: State): Promise<Held> {
  const reply = await prepared(engine, state, requestWith(state, taken));
  if ('error' in reply) return { failure: reply.error };
  const sure = knowsWeights(state) ? against : withoutWeights(against);
  return { answer: reply, compared: compared(log.figures as LogFigure[], reply, sure, log.tool, log.settings) as ComparedFigure[] };
}

function valuesFor(open: Open, tables: Tables | undefined, state: State, limit: number): readonly Value[] {
  if (open === 'weights') return weightEncodings(tables, runtimeOf(tables, state)).map(({ id }) => id);
  const chosen = state.values['inference.context'];
  return contextsUpTo(limit, typeof chosen === 'number' ? chosen : undefined);
}

/** Presets of the shape that a log states, those first under which its figures agree best. @param wanted whether anyone still waits */
export async function offeredModels(asking: Asking, state: State, models: readonly ModelEntry[], wanted: () => boolean): Promise<readonly string[]> {
  const turns = new Turns();
  const named = models.map(({ id, name, parameters, shape }) => ({ id, name, parameters, config: shape }));
  const found = await candidates(asking.log.settings, named, async (id) => {
    await turns.breathe();
    if (!wanted()) return undefined;
    const reply = await held(asking, { ...state, model: 'preset', values: { ...state.values, 'model.preset': id } });
    return 'compared' in reply ? reply.compared.map(({ ours, difference }) => ({ ours, difference })) : undefined;
  });
  return found.map(({ model }) => model);
}

/**
 * Values of a field that is left open, those under which the figures agree best first: each is asked of the engine.
 * @param limit the longest context of the model
 * @param wanted whether anyone still waits
 */
export async function offered(asking: Asking, state: State, open: Open, limit: number, wanted: () => boolean): Promise<Offer> {
  const turns = new Turns();
  const tried: { value: Value; apart: number | undefined }[] = [];
  for (const value of valuesFor(open, asking.tables, state, limit)) {
    await turns.breathe();
    if (!wanted()) return { values: [], far: false };
    const reply = await held(asking, { ...state, values: { ...state.values, [asked[open]]: value } });
    tried.push({ value, apart: 'compared' in reply ? apart(reply.compared) : undefined });
  }
  return nearest(tried, mostOffered);
}
