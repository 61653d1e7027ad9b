// Layouts one step from one that was found: what each takes, and why it is behind, too large or refused.

import { clusterOf } from './planning.mjs';

const degrees = ['data', 'tensor', 'pipeline', 'context'];
const recomputes = ['none', 'selective', 'full'];
const stages = [0, 1, 2, 3];

/** Differences below this share of a figure are none. */
const alike = 0.0005;

const degreeOf = ({ parallel = {} }, name) => parallel[name] ?? 1;

/** A degree goes up by two where another goes down by two: as many devices as before. */
function traded(request) {
  const known = degrees.filter((name) => request.task === 'training' || name !== 'context');
  const pairs = known.flatMap((up) => known.filter((down) => down !== up && degreeOf(request, down) % 2 === 0).map((down) => [up, down]));
  return pairs.map(([up, down]) => ({
    [`parallel.${up}`]: degreeOf(request, up) * 2,
    [`parallel.${down}`]: degreeOf(request, down) / 2,
  }));
}

/** A server on half as many devices: one degree alone goes down. */
function halved(request) {
  if (request.training) return [];
  return degrees.filter((down) => degreeOf(request, down) % 2 === 0).map((down) => ({ [`parallel.${down}`]: degreeOf(request, down) / 2 }));
}

/** What lies beside a value in a list. */
function beside(list, value) {
  const at = list.indexOf(value);
  return at < 0 ? [] : [list[at - 1], list[at + 1]].filter((one) => one !== undefined);
}

/** One other choice of a training: how much is recomputed, the micro-batch, what ZeRO divides. */
function rechosen({ training, parallel = {} }) {
  if (!training) return [];
  const size = training.micro_batch ?? 1;
  return [
    ...beside(recomputes, training.checkpointing).map((checkpointing) => ({ 'training.checkpointing': checkpointing })),
    ...[size / 2, size * 2].filter((one) => Number.isInteger(one)).map((one) => ({ 'training.micro_batch': one })),
    ...(parallel.zero === undefined ? [] : beside(stages, parallel.zero).map((zero) => ({ 'parallel.zero': zero }))),
  ];
}

/** Devices that the degrees make. */
const placesOf = (request) => degrees.reduce((all, name) => all * degreeOf(request, name), 1);

function changed(request, values) {
  const copy = JSON.parse(JSON.stringify(request));
  for (const [field, value] of Object.entries(values)) {
    const [block, name] = field.split('.');
    copy[block] = { ...copy[block], [name]: value };
  }
  if (copy.devices !== undefined) copy.devices *= placesOf(copy) / placesOf(request);
  // what one stage or one slice cannot have is no choice of theirs
  if (degreeOf(copy, 'pipeline') === 1) delete copy.parallel?.virtual_stages;
  if (degreeOf(copy, 'tensor') === 1) delete copy.parallel?.sequence_parallel;
  return copy;
}

/** The same step of all devices in other portions; undefined where none make it. */
function accumulated(request, batch) {
  if (!request.training) return request;
  const accumulation = batch / (degreeOf(request, 'data') * (request.training.micro_batch ?? 1));
  if (!Number.isInteger(accumulation)) return undefined;
  return { ...request, training: { ...request.training, accumulation } };
}

/** Sequences of a step over all devices. */
const batchOf = (request) => degreeOf(request, 'data') * (request.training?.micro_batch ?? 1) * (request.training?.accumulation ?? 1);

const valueAt = (request, field) => {
  const [block, name] = field.split('.');
  return request[block]?.[name] ?? (block === 'parallel' ? 1 : undefined);
};

/**
 * The layouts one step from `layout`, each with what differs and as a question that leaves nothing else open.
 * @param {any} question of the search @param {any} layout of its reply
 */
export function neighboursOf(question, layout) {
  const { request } = layout;
  const asked = { ...question, cluster: clusterOf(question, layout) };
  delete asked.bounds; // a neighbour may lie outside of them
  return [...halved(request), ...traded(request), ...rechosen(request)].flatMap((values) => {
    const other = accumulated(changed(request, values), batchOf(request));
    if (!other) return [];
    const changes = Object.entries(values).map(([field, to]) => ({ field, from: valueAt(request, field), to }));
    return [{ changes, question: { ...asked, request: other, keep: 1 } }];
  });
}

const timeOf = ({ step, token = step }) => token ?? {};

/** Figures by which layouts are compared, and of what kind each is; less is better. */
const measures = {
  seconds: { kind: 'time', of: (layout) => timeOf(layout).seconds },
  // where nobody measured this runtime, all that is known is the time below which no device gets
  roof: { kind: 'time', of: (layout) => (timeOf(layout).seconds === undefined ? timeOf(layout).roof : undefined) },
  recompute: { kind: 'share', of: ({ recompute }) => recompute },
  bubble: { kind: 'share', of: ({ bubble }) => bubble },
  between: { kind: 'bytes', of: ({ sent_between: sent }) => sent },
  within: { kind: 'bytes', of: ({ sent_within: sent }) => sent },
  devices: { kind: 'count', of: ({ devices }) => devices },
  process: { kind: 'bytes', of: ({ process }) => process },
  sequences: { kind: 'count', of: ({ sequences }) => sequences && -sequences },
};

export const kindOf = (measure) => measures[measure].kind;

/** Whether one ranks before the other; the last of a rank is its number within its search. */
function isAhead(one, other) {
  const at = one.rank.slice(0, -1).findIndex((value, place) => value !== other.rank[place]);
  return at >= 0 && one.rank[at] < other.rank[at];
}

function compared(layout, other) {
  const differing = Object.entries(measures).flatMap(([measure, { of }]) => {
    const [from, to] = [of(layout), of(other)];
    if (from === undefined || to === undefined || Math.abs(to - from) <= alike * Math.abs(from)) return [];
    return [{ measure, from: Math.abs(from), to: Math.abs(to), worse: to > from }];
  });
  return {
    kind: isAhead(other, layout) ? 'ahead' : 'behind',
    layout: other,
    worse: differing.filter(({ worse }) => worse),
    better: differing.filter(({ worse }) => !worse),
  };
}

/** Why a layout that the search does not list is none: refused at a field, or what it lacks. */
function unlisted(layout, question, reply) {
  if (reply.error) return { kind: 'refused', error: reply.error };
  const { bytes, high } = reply.total.process ?? reply.total;
  const room = layout.process + layout.free_bytes - (question.room ?? 0);
  return { kind: 'unfit', verdict: reply.fit?.verdict, process: bytes, over: Math.max(0, (question.sure ? high : bytes) - room) };
}

const kinds = ['ahead', 'behind', 'unfit', 'refused'];

function inOrder(one, other) {
  if (one.kind !== other.kind) return kinds.indexOf(one.kind) - kinds.indexOf(other.kind);
  if (!one.layout || !other.layout) return (one.over ?? 0) - (other.over ?? 0);
  return isAhead(one.layout, other.layout) ? -1 : Number(isAhead(other.layout, one.layout));
}

/**
 * Why each neighbour of a layout is no better: it is `behind` (what of it is worse, and what is better), `unfit` (so many bytes over),
 * or `refused` with the engine's error; `ahead` where the search had not looked at it. Nearest to the layout's rank first.
 * @param {any} question of the search @param {any} layout of its reply
 * @param {{plan: (question: any) => any, estimate: (request: any) => any}} ask such as an engine: replies, or promises of them
 */
export async function whyNot(question, layout, ask) {
  const found = [];
  for (const { changes, question: other } of neighboursOf(question, layout)) {
    const { layouts: [fits] = [] } = await ask.plan(other);
    if (fits) found.push({ changes, ...compared(layout, fits) });
    else found.push({ changes, ...unlisted(layout, question, await ask.estimate({ ...other.request, explain: 'none' })) });
  }
  return found.sort(inOrder);
}

/**
 * A search's reply with why each neighbour of its best layout is no better; none where no layout fits, and an error as it is.
 * @param {any} question @param {any} reply to it @param {{plan: (question: any) => any, estimate: (request: any) => any}} ask
 */
export async function withNeighbours(question, reply, ask) {
  const [best] = reply.layouts ?? [];
  return best ? { ...reply, neighbours: await whyNot(question, best, ask) } : reply;
}
