// A search over layouts: its parts are handed out one by one, and what has come is joined.

import { clustersOf, joined, partsOf } from '../answers/planning.mjs';
import type { Plan, PlanReply } from '../engine/wire.d.ts';
import type { Answering, Answers } from './spread.ts';

/** Parts at least and at most: each shows its own best anew, so that more than are needed only take time. */
const [fewest, most] = [4, 512];

/** The share of a search that is looked at first, to know how many layouts there are. */
const sample = 512;

export interface Progress {
  done: number;
  of: number;
  /** Of the parts that have come. */
  reply: PlanReply;
}

/** Into how many parts a search over so many layouts is divided. */
export const partsFor = (layouts: number, { lanes, atOnce }: Pick<Answering, 'lanes' | 'atOnce'>): number =>
  Math.min(most, Math.max(fewest, lanes.length, Math.ceil(layouts / atOnce)));

/**
 * Searches, until it is done or nobody wants it any longer.
 * @param answering who answers
 * @param wanted whether it is still waited for
 * @param show what has come so far
 */
export async function search(question: Plan, answering: Answering, wanted: () => boolean, show: (progress: Progress) => void): Promise<void> {
  const { lanes } = answering;
  const clusters = clustersOf(question);
  let layouts = 0;
  for (const one of clusters) {
    const first = await lanes[0]!(JSON.stringify({ ...one, keep: 1, part: [0, sample] }));
    if ('error' in first) return show({ done: 1, of: 1, reply: first });
    layouts += first.counted.all * sample;
  }
  const left = partsOf(question, partsFor(layouts / clusters.length, answering));
  const of = left.length;
  const replies: PlanReply[] = [];
  const work = async (answer: Answers): Promise<void> => {
    for (let part = left.shift(); part && wanted(); part = left.shift()) {
      const reply = await answer(JSON.stringify(part));
      if (!wanted()) return;
      replies.push(reply);
      show({ done: replies.length, of, reply: joined(replies, question.keep) });
      if ('error' in reply) left.length = 0;
    }
  };
  await Promise.all(lanes.map(work));
}
