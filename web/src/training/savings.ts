// What would make a training smaller, and what would make it fit: the engine is asked one change after another, with
// pauses between them in which the page serves its user.

import type { Tables } from '../engine/assets.ts';
import type { Engine } from '../engine/engine.ts';
import { type FieldId, field, pathOf, type Value } from '../state/fields.ts';
import { prepared } from '../answers/asking/portions.ts';
import { type Answer, headline } from '../engine/reply.ts';
import { request } from '../state/request.ts';
import type { State } from '../state/state.ts';
import { type Change, changed, whatIfs, type WhatIf } from './what-ifs.ts';

/** A change that saves, with what the engine answers to it. */
export interface Saving extends WhatIf {
  saved: number;
  answer: Answer;
  /** The part that it shrinks most. */
  row: string;
}

/** Changes that together make it fit. */
export interface Fitting {
  steps: WhatIf[];
  answer: Answer;
}

export interface Savings {
  before: Answer;
  /** What saves most first. */
  savings: Saving[];
  /** Of a training that does not fit; undefined where no changes make it fit. */
  fitting: Fitting | undefined;
}

/** Savings of less than this share of the whole are none. */
const leastSaving = 0.002;

/** From what costs nothing to what makes another training of it: in this order changes are tried until it fits. */
const kindest = [
  ['expandable', 'fused_step', 'attention', 'precomputed', 'fused_loss', 'fused_norm', 'mixed', 'backward_soon', 'sequence_parallel', 'divided'],
  ['checkpointing', 'half_batch', 'one_by_one', 'host', 'states_on_host', 'weights_on_host', 'eight_bits', 'gradients'],
  ['sixteen_bits', 'freeze_towers', 'paged', 'galore', 'lora', 'qlora', 'half_sequence'],
].flat();

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

export const bytesOf = ({ rows = [] }: Answer, id: string): number => rows.find((row) => row.id === id)?.bytes ?? 0;

/** Whether a part shrinks by enough to be named. */
export const shrinks = (before: Answer, after: Answer, id: string): boolean =>
  bytesOf(before, id) - bytesOf(after, id) > leastSaving * headline(before).bytes;

function mostShrunk(before: Answer, after: Answer): string {
  const rows = (before.rows ?? []).map(({ id, bytes }) => ({ id, less: bytes - bytesOf(after, id) }));
  return rows.reduce((best, one) => (one.less > best.less ? one : best)).id;
}

const merged = (steps: readonly WhatIf[]): Change => Object.assign({}, ...steps.map(({ change }) => change)) as Change;

class Search {
  constructor(
    private engine: Engine,
    private tables: Tables | undefined,
    private state: State,
    private wanted: () => boolean,
  ) {}

  /** The answer to the state with a change; undefined where the engine refuses it. */
  private async answer(change: Change): Promise<Answer | undefined> {
    await pause();
    const reply = this.engine.estimate(request(this.with(change), 'rows'));
    return 'error' in reply ? undefined : reply;
  }

  private with(change: Change): State {
    return { ...this.state, values: changed(this.state.values, change) };
  }

  private whatIfs(answer: Answer, values: Partial<Record<FieldId, Value>>): WhatIf[] {
    const holding = (id: FieldId): unknown => values[id] ?? answer.assumptions?.find((one) => one.field === pathOf(field(id)))?.value;
    return whatIfs(this.tables, holding);
  }

  async savings(before: Answer): Promise<Saving[]> {
    const found: Saving[] = [];
    for (const one of this.whatIfs(before, this.state.values)) {
      if (!this.wanted()) break;
      const answer = await this.answer(one.change);
      const saved = answer ? headline(before).bytes - headline(answer).bytes : 0;
      if (answer && saved >= leastSaving * headline(before).bytes) found.push({ ...one, saved, answer, row: mostShrunk(before, answer) });
    }
    return found.sort((a, b) => b.saved - a.saved);
  }

  /** Changes laid over each other until it fits; then those are left out that it fits without. */
  async fitting(before: Answer): Promise<Fitting | undefined> {
    let now: Fitting = { steps: [], answer: before };
    for (const id of kindest) {
      const step = this.whatIfs(now.answer, this.with(merged(now.steps)).values).find((one) => one.id === id);
      if (!step || !this.wanted()) continue;
      const steps = [...now.steps, step];
      const answer = await this.answer(merged(steps));
      if (answer && headline(answer).bytes < headline(now.answer).bytes) now = { steps, answer };
      if (now.answer.fit?.verdict === 'fits') return this.fewest(now);
    }
    return undefined;
  }

  private async fewest(found: Fitting): Promise<Fitting> {
    let now = found;
    for (const step of found.steps) {
      const steps = now.steps.filter((one) => one !== step);
      const answer = await this.answer(merged(steps));
      if (answer?.fit?.verdict === 'fits') now = { steps, answer };
    }
    return now;
  }
}

/** The change that a fitting makes in all. */
export const changeOf = ({ steps }: Fitting): Change => merged(steps);

/** @param wanted whether the answer is still waited for */
export async function findSavings(engine: Engine, tables: Tables | undefined, state: State, wanted: () => boolean): Promise<Savings | undefined> {
  const before = await prepared(engine, state, request(state, 'rows'));
  if ('error' in before) return undefined;
  const search = new Search(engine, tables, state, wanted);
  const savings = await search.savings(before);
  const fitting = before.fit && before.fit.verdict !== 'fits' ? await search.fitting(before) : undefined;
  return wanted() ? { before, savings, fitting } : undefined;
}
