// Sweeps that leave the page to its user: a portion of the values at a time, as many as take a fraction of a frame.

import type { Engine } from '../../engine/engine.ts';
import type { Value } from '../../state/fields.ts';
import type { Reply } from '../../engine/reply.ts';
import { presetsOf } from '../../state/request.ts';
import type { State } from '../../state/state.ts';
import type { ReplyError, SweepReply } from '../../engine/wire.d.ts';

/** Milliseconds that a portion should take: half of a frame. */
const aim = 8;

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** The answer to one question by the engine that knows its model and its runtime. */
export async function prepared(engine: Engine, state: State, question: string): Promise<Reply> {
  for (const preset of presetsOf(state)) if (!engine.holds(preset)) await engine.fetchModel(preset);
  const reply = engine.estimate(question);
  if (!engine.mayKnowMore(reply)) return reply;
  await engine.becomeWhole();
  return engine.estimate(question);
}

export interface Swept {
  /** Bytes of each row, in the order of the values; rows that a value does not have are 0 there. */
  rows: Record<string, number[]>;
  error?: ReplyError;
}

/**
 * One request over many values of one field.
 * @param wanted whether the answer is still waited for
 */
export async function sweepInPortions(
  engine: Engine,
  question: string,
  field: string,
  values: readonly Value[],
  wanted: () => boolean,
): Promise<Swept> {
  const rows: Record<string, number[]> = {};
  let portion = 4;
  for (let from = 0; from < values.length;) {
    await pause();
    if (!wanted()) break;
    const some = values.slice(from, from + portion);
    const started = performance.now();
    const reply = engine.sweep(`{"request":${question},"over":${JSON.stringify([{ field, values: some }])}}`) as SweepReply;
    const took = performance.now() - started;
    if ('error' in reply) return { rows, error: reply.error };
    for (const [id, bytes] of Object.entries(reply.rows)) {
      const row = (rows[id] ??= new Array<number>(values.length).fill(0));
      bytes.forEach((size, at) => (row[from + at] = size));
    }
    from += some.length;
    portion = Math.max(1, Math.min(4 * portion, Math.floor((some.length * aim) / Math.max(took, 0.1))));
  }
  return { rows };
}
