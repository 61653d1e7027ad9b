// The native engine and the WebAssembly engine give the same reply text, and they give answers, not refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../web/src/node/engine.mjs';
import { columns } from '../../web/src/node/output/table.mjs';
import { askNative } from '../native/native.mjs';
import { answerRequests, damagedRequests, randomRequests } from './requests.mjs';

const seed = 20261121;
const asked = randomRequests(500, seed);
const engine = await load();

/** Where two texts part, with enough of both to see why. */
function assertSame(texts, wasm, native) {
  assert.equal(native.length, texts.length, 'one reply a request');
  for (const [i, text] of texts.entries()) {
    if (wasm[i] === native[i]) continue;
    let at = 0;
    while (wasm[i][at] === native[i][at]) ++at;
    const around = (reply) => reply.slice(Math.max(0, at - 120), at + 120);
    assert.fail(`request ${i} ${text}\nWebAssembly …${around(wasm[i])}\nnative      …${around(native[i])}`);
  }
}

const ask = (command, texts) => texts.map((text) => engine.ask(command, text));

test('500 seeded requests: replies equal byte for byte', () => {
  const texts = asked.map(({ text }) => text);
  assertSame(texts, ask('estimate', texts), askNative(texts));
});

test('200 trainings on answers: replies equal byte for byte, half of them no refusals', () => {
  const texts = answerRequests(200, seed + 2);
  const native = askNative(texts);
  assertSame(texts, ask('estimate', texts), native);
  assert.ok(native.filter((reply) => !JSON.parse(reply).error).length >= 100);
});

test('damaged requests: refused in the same words', () => {
  const texts = damagedRequests(200, seed + 1).filter((text) => !text.includes('\n'));
  assertSame(texts, ask('estimate', texts), askNative(texts));
});

test('sweeps: replies equal byte for byte', () => {
  const texts = asked.slice(0, 60).flatMap(({ text }) => {
    const request = JSON.parse(text);
    if (request.task === 'classic') return [];
    const field = request.task === 'training' ? 'training.sequence' : 'inference.context';
    delete request.inference?.prompt;
    return [JSON.stringify({ request, over: [{ field, values: [1, 100, 1024, 4096] }] })];
  });
  assertSame(texts, ask('sweep', texts), askNative(texts, ['sweep']));
});

test('searches: replies equal byte for byte', () => {
  const fields = { training: ['training.micro_batch'], inference: ['inference.context', 'inference.sequences', 'weights.encoding'] };
  const texts = asked.slice(0, 60).flatMap(({ text }, at) => {
    const request = JSON.parse(text);
    if (request.task === 'classic') return [];
    const names = fields[request.training ? 'training' : 'inference'];
    return [JSON.stringify({ request: { ...request, explain: 'rows' }, find: names[at % names.length], limit: { bytes: 4e10 } })];
  });
  assertSame(texts, ask('solve', texts), askNative(texts, ['solve']));
});

test('layouts: replies equal byte for byte', () => {
  const cluster = { device: { preset: 'h100-sxm-80gb' }, devices_per_node: 4, nodes: 2 };
  const texts = asked.slice(0, 12).flatMap(({ text }) => {
    const { device, devices, parallel, ...request } = JSON.parse(text);
    if (request.task === 'classic') return [];
    return [JSON.stringify({ request, cluster, want: 'least_traffic', keep: 3 })];
  });
  assertSame(texts, ask('plan', texts), askNative(texts, ['plan']));
});

test('at least nine in ten of each family, task, encoding and optimizer are answered', (t) => {
  const groups = new Map();
  const refusals = new Map();
  for (const { text, strata } of asked) {
    const { error } = JSON.parse(engine.ask('estimate', text));
    for (const [kind, name] of Object.entries(strata)) {
      if (name === undefined) continue;
      const key = `${kind}: ${name}`;
      const group = groups.get(key) ?? { requests: 0, answered: 0 };
      groups.set(key, { requests: group.requests + 1, answered: group.answered + (error ? 0 : 1) });
    }
    if (error) refusals.set(`${error.code} ${error.where}`, (refusals.get(`${error.code} ${error.where}`) ?? 0) + 1);
  }
  const table = [...groups].sort().map(([key, { requests, answered }]) => [key, `${answered}`, `${requests}`]);
  for (const line of columns([['group', 'answered', 'of'], ...table], ['left', 'right', 'right'])) t.diagnostic(line);
  for (const [reason, times] of refusals) t.diagnostic(`refused ${times} times: ${reason}`);
  const poor = [...groups].filter(([, { requests, answered }]) => answered < 0.9 * requests).map(([key]) => key);
  assert.deepEqual(poor, []);
});
