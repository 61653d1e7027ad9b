// A table that is filled while its reader uses the page: cell by cell, those in sight first, with pauses in between.

import type { Engine } from '../engine/engine.ts';
import type { Reply } from '../engine/reply.ts';
import type { Cell, Question } from './fits.mjs';

/** Milliseconds after which the page gets its turn: half of a frame. */
const aim = 8;

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Turns taken and given back, so that the page is never held up for longer than one question takes. */
export class Turns {
  private since = 0;

  /** Gives the turn back where it has lasted long enough. */
  async breathe(): Promise<void> {
    if (performance.now() - this.since < aim) return;
    await pause();
    this.since = performance.now();
  }
}

/** The engine's reply, by the engine that knows what is asked about. */
export async function answerTo(engine: Engine, turns: Turns, { command, question }: Question): Promise<unknown> {
  await turns.breathe();
  const text = JSON.stringify(question);
  const ask = () => engine[command](text) as Reply;
  const found = ask();
  if (!engine.mayKnowMore(found)) return found;
  await engine.becomeWhole();
  return ask();
}

/**
 * The first of several questions whose answer is wanted: one search over all of them would hold the page up.
 * @param wanted whether anyone still waits
 */
export async function firstOf<T>(
  engine: Engine,
  turns: Turns,
  all: readonly (readonly [T, Question])[],
  takes: (reply: Reply) => boolean,
  wanted: () => boolean,
): Promise<{ one: T; reply: Reply } | undefined> {
  for (const [one, question] of all) {
    if (!wanted()) return undefined;
    const reply = (await answerTo(engine, turns, question)) as Reply;
    if (takes(reply)) return { one, reply };
  }
  return undefined;
}

/** What a cell's questions come to. @param model a preset that the engine must hold first */
export async function filled<T>(engine: Engine, cell: Cell<T>, turns: Turns, model?: string): Promise<T> {
  if (!engine.holds(model)) await engine.fetchModel(model!);
  let step = cell.next();
  while (!step.done) {
    step = cell.next(await answerTo(engine, turns, step.value));
  }
  return step.value;
}

/** A place in a table, and what fills it. */
export interface Spot<T> {
  key: string;
  cell: () => Cell<T>;
  /** The preset of the model that it asks about. */
  model?: string;
}

/**
 * Fills places one after another.
 * @param seen whether a place is in sight: those come first
 * @param take what has come of one
 * @param wanted whether the table is still waited for
 */
export async function fillInPortions<T>(
  engine: Engine,
  spots: readonly Spot<T>[],
  seen: (key: string) => boolean,
  take: (key: string, found: T) => void,
  wanted: () => boolean,
): Promise<void> {
  const left = [...spots];
  const turns = new Turns();
  while (left.length > 0) {
    await turns.breathe();
    if (!wanted()) return;
    const at = Math.max(
      0,
      left.findIndex(({ key }) => seen(key)),
    );
    const [spot] = left.splice(at, 1);
    const found = await filled(engine, spot!.cell(), turns, spot!.model);
    if (wanted()) take(spot!.key, found);
  }
}
