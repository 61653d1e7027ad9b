// Which part of a reply to a training request means what a row measured: a total of the fullest device or of one stage of a pipeline, what is
// there before the first step, or what is left between two.

import { betweenCounters } from './unstated.mjs';

/** Where the reply says what was measured (`at`, its place there): allocated, reserved, or all that the driver sees; and the rows that this leaves out. */
const counters = {
  'measured max_allocated': { of: 'allocated', at: 'total', total: (reply) => reply.total, beside: ['slack', 'device_context'] },
  'measured max_reserved': { of: 'reserved', at: 'total/reserved', total: (reply) => reply.total.reserved, beside: ['device_context'] },
  'measured nvidia-smi/pynvml (incl. CUDA context)': { of: 'process', at: 'total/process', total: (reply) => reply.total.process, beside: [] },
  'measured, metric not stated': {
    of: 'process',
    unstated: true,
    at: 'total/process',
    total: ({ total }, truth) => betweenCounters(total, truth),
    beside: [],
  },
};

/** Rows of what is there before the first step. */
export const isLoad = ({ task }) => /after model init|weights loaded/.test(task);

/** What the rows of the load phase add up to. */
function totalAtLoad(reply, { beside }) {
  const total = { bytes: 0, low: 0, high: 0 };
  for (const { id, by_phase, bytes, low, high } of reply.rows) {
    if (beside.includes(id)) continue;
    total.bytes += by_phase.load;
    total.low += bytes ? (by_phase.load * low) / bytes : 0;
    total.high += bytes ? (by_phase.load * high) / bytes : 0;
  }
  return total;
}

/** What stays allocated from one step to the next. */
const held = ['weights', 'adapters', 'master_weights', 'gradients', 'optimizer', 'workspace'];

/** The last stage of a pipeline, as those see it whose last rank writes the log; without stages the one device that there is. */
const lastStage = (reply) => reply.devices?.at(-1) ?? { rows: reply.rows, ...reply.total };

/** Bands are of the fullest device: another stage's total comes without. */
function totalOfLastStage(reply, part, truth) {
  const { device, bytes } = lastStage(reply);
  return device === undefined || device === reply.total.device ? part.total(reply, truth) : { bytes };
}

const heldBetweenSteps = (reply) => ({
  bytes: lastStage(reply)
    .rows.filter(({ id }) => held.includes(id))
    .reduce((sum, { bytes }) => sum + bytes, 0),
});

/**
 * What is compared with a row's figure.
 * @param {object} row @returns {{metric: string, of?: string, at?: string, unstated?: boolean, total: (reply: object, truth: number) => object} | undefined} nothing where
 *   what the row counts is no total of a run
 */
export function partOf(row) {
  if (row.kind === 'measured allocated between steps') return { metric: 'held between steps', total: heldBetweenSteps };
  const counter = counters[row.kind];
  if (!counter) return undefined;
  if (isLoad(row)) return { metric: 'loaded', total: (reply) => totalAtLoad(reply, counter) };
  const { of, at, unstated } = counter;
  if (row.settings.rank === 'last stage')
    return { metric: 'peak of the last stage', total: (reply, truth) => totalOfLastStage(reply, counter, truth) };
  return { metric: 'peak', of, at, unstated, total: counter.total };
}
