// Who answers the parts of a search: as many workers as there are cores, up to four; where none may be made, the page itself.

import { source } from 'virtual:plimsoll-layouts-worker';
import { scriptUrl } from '../engine/script-urls.ts';
import { assets } from '../engine/assets.ts';
import { timed } from '../answers/asking/timed.ts';
import type { Engine } from '../engine/engine.ts';
import type { PlanReply } from '../engine/wire.d.ts';
import { parsedShown } from '../files/shown.mjs';
import type { Kit } from './worker.ts';

/** Workers at most: each holds an engine of its own. */
const most = 4;

export type Answers = (question: string) => Promise<PlanReply>;

/** Those who answer, side by side, until they are let go. */
export interface Answering {
  lanes: readonly Answers[];
  /** Layouts of a part: in the page none may take long. */
  atOnce: number;
  letGo(): void;
}

/** One worker that has its engine. It fails where the page's policy forbids workers. */
function started(url: string, kit: Kit): Worker {
  const worker = new Worker(scriptUrl(url));
  worker.postMessage(kit);
  return worker;
}

const answersOf =
  (worker: Worker): Answers =>
  (question) =>
    new Promise((done, failed) => {
      worker.onmessage = ({ data }: MessageEvent<string>) => done(parsedShown(data) as PlanReply);
      worker.onerror = (event) => {
        event.preventDefault();
        failed(new Error(event.message || 'the worker failed'));
      };
      worker.postMessage(question);
    });

async function kitFor(models: readonly string[]): Promise<Kit> {
  const presets = [assets().wholeParts(), assets().tables(), assets().rates()] as const; // of rates the shortest step is made
  const [[wasm, bands], tables, rates, ...texts] = await Promise.all([...presets, ...models.map((id) => assets().model(id))]);
  const named = texts.filter((text) => text !== undefined).map((text) => `{"models":[${text}]}`);
  return { wasm, presets: [tables, bands, rates, ...named] };
}

/** Whether a worker answers at all: a policy may forbid them, and says so later. */
async function answers(worker: Worker): Promise<boolean> {
  return answersOf(worker)('{}').then(
    () => true,
    () => false,
  );
}

/** @param models presets that the engines must know; @param wanted how many, where there are as many cores */
export async function workers(models: readonly string[], wanted = most): Promise<Answering | undefined> {
  const kit = await kitFor(models);
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const all: Worker[] = [];
  const letGo = () => {
    for (const worker of all) worker.terminate();
    URL.revokeObjectURL(url);
  };
  try {
    const count = Math.min(wanted, Math.max(1, navigator.hardwareConcurrency || 1));
    for (let one = 0; one < count; one++) all.push(started(url, kit));
    if (await answers(all[0]!)) return { lanes: all.map(answersOf), atOnce: 6000, letGo };
  } catch {
    // the policy of a page that holds the element forbids it
  }
  letGo();
  return undefined;
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** The page's own engine: it answers a small part, and gives the page its turn. */
export async function ofThePage(engine: Engine, models: readonly string[]): Promise<Answering> {
  for (const id of models) if (!engine.holds(id)) await engine.fetchModel(id);
  await timed(engine); // of rates the shortest step is made
  const lane: Answers = async (question) => {
    await pause();
    return (await engine.plan(question)) as PlanReply;
  };
  return { lanes: [lane], atOnce: 250, letGo: () => undefined };
}
