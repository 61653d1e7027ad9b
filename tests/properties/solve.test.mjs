// What a search finds is what trying every value finds: random requests of every task and runtime, a field of each, over a short range
// that lies anywhere. PLIMSOLL_SEARCHES: how many.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { askNative } from '../native/native.mjs';
import { Random } from '../parity/random.mjs';
import { randomRequest } from './random.mjs';

const count = Number(process.env.PLIMSOLL_SEARCHES ?? 200);
const seed = Number(process.env.PLIMSOLL_SEED ?? 20261123);
/** Values of a range. */
const width = Number(process.env.PLIMSOLL_SEARCH_WIDTH ?? 40);

const fields = {
  inference: ['inference.context', 'inference.sequences', 'inference.batch_tokens', 'inference.offload.gpu_layers', 'device.used_by_others_bytes'],
  training: ['training.micro_batch', 'training.sequence', 'training.lora.rank', 'device.used_by_others_bytes'],
};
const least = ['parallel.tensor', 'parallel.pipeline', 'parallel.data', 'devices', 'inference.offload.experts_on_cpu'];

/** The request with one field set. */
function having(request, path, value) {
  const copy = structuredClone(request);
  const keys = path.split('.');
  const holder = keys.slice(0, -1).reduce((block, key) => (block[key] ??= {}), copy);
  holder[keys.at(-1)] = value;
  return copy;
}

const asked = (texts, words) => askNative(texts, words).map((text) => JSON.parse(text));

/** From 0 to 1. */
const share = (random) => random.next() / 2 ** 32;

/** Anywhere from 1 to 2^17, small values as often as large ones. */
const anywhere = (random) => Math.floor(2 ** (17 * share(random)));

function draw(random) {
  const request = { ...randomRequest(random), explain: 'none' };
  const task = request.training && !request.inference ? 'training' : 'inference';
  if (!request[task] || request.task === 'classic' || Array.isArray(request.device)) return undefined;
  const find = share(random) < 0.2 ? random.pick(least) : random.pick(fields[task]);
  const first = least.includes(find) ? 1 : anywhere(random);
  const within = [first, first + width - 1];
  const limited = !find.startsWith('device') && share(random) < 0.7;
  if (!limited && !request.device) return undefined;
  if (limited) delete request.device; // bytes stand in for it
  return { request, find, within, ...(limited && { limit: { bytes: Math.floor(2 ** (29 + 8 * share(random))) } }) };
}

/** Whether a reply says that its process keeps within the bytes, and that a server's cache holds all. */
function fits(reply, limit) {
  const held = !['waits', 'does not start'].includes(reply.fit?.verdict);
  const bytes = limit?.bytes ?? reply.fit.usable_bytes;
  return held && Math.max(...reply.devices.map((device) => device.rows.reduce((sum, row) => sum + row.bytes, 0))) <= bytes;
}

/** The answer by trying every value; undefined where all are refused. */
function scanned(question) {
  const [first, last] = question.within;
  const values = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const replies = asked(values.map((value) => JSON.stringify({ ...having(question.request, question.find, value), explain: 'rows' })));
  const legal = values.map((value, at) => ({ value, reply: replies[at] })).filter(({ reply }) => !reply.error);
  if (legal.length === 0) return undefined;
  const tried = legal.map(({ value, reply }) => ({ value, fits: fits(reply, question.limit) }));
  const stop = tried.findIndex((one) => one.fits === least.includes(question.find));
  if (least.includes(question.find)) return { value: tried[stop]?.value ?? null, next: tried.at(stop < 0 ? -1 : stop - 1)?.value };
  return { value: (stop < 0 ? tried.at(-1) : tried[stop - 1])?.value ?? null, next: tried[stop]?.value ?? null };
}

test(`${count} searches find what trying every value finds`, () => {
  const random = new Random(seed);
  const questions = [];
  while (questions.length < count) {
    const one = draw(random);
    if (one) questions.push(one);
  }
  const replies = asked(
    questions.map((question) => JSON.stringify(question)),
    ['solve'],
  );
  let answered = 0;
  const wrong = questions.flatMap((question, at) => {
    const reply = replies[at];
    const expected = scanned(question);
    if (reply.error) return expected === undefined || reply.error.where === 'within' ? [] : [{ question, reply }];
    ++answered;
    const { value, next } = reply;
    // a range may end before: at the model's layers or positions
    if (next === null && !least.includes(question.find) && value !== null && expected?.value >= value) return [];
    const same = expected && expected.value === value && (value === null || least.includes(question.find) || expected.next === next);
    return same ? [] : [{ question, found: { value, next }, expected }];
  });
  assert.deepEqual(
    wrong.slice(0, 3).map((one) => JSON.stringify(one)),
    [],
    `${wrong.length} of ${count}`,
  );
  assert.ok(answered > count / 4, `${answered} of ${count} were answered`);
});
