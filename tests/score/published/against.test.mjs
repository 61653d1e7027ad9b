// Other calculators: commands that answer, that answer nonsense, that do not answer, and that never end.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { against, asked } from './against.mjs';

const node = (program) => `'${process.execPath}' -e '${program}'`;
const one = (answer) => node(`process.stdout.write(JSON.stringify(${answer}))`);

const figure = { metric: 'peak', at: ['total/process'], unit: 'bytes', truth: 100, from: 95, to: 105, tolerance: 0.1, ours: {} };
const vector = { kind: 'training', name: 'x', request: { training: { method: 'lora' } }, figures: [figure] };
const results = (command, vectors = [vector], seconds = 20) => against(command, vectors, { seconds, jobs: 2 });
const reasons = async (...words) => (await results(...words)).map(({ reason }) => reason);

test('a command reads the request and writes a reply', async () => {
  const echo = node(
    'let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => console.log(JSON.stringify({ got: JSON.parse(text) })))',
  );
  const request = { schema: 1, model: { config: { a: '“ü' } } };
  assert.deepEqual(await asked(echo, request, 20), { reply: { got: request } });
});

test('what it says is held against the figure, its band too', async () => {
  const [near] = await results(one('{ total: { process: { bytes: 114, low: 90, high: 120 } } }'));
  assert.deepEqual([near.answer, near.low, near.high, near.held], [114, 90, 120, true]);
  assert.deepEqual([near.kind, near.engine, near.metric], ['training', 'lora', 'peak']);
  const [far] = await results(one('{ total: { process: { bytes: 116 } } }'));
  assert.deepEqual([far.answer, far.low, far.held], [116, 116, false]);
});

test('of two requests the difference is what is held', async () => {
  const both = { ...vector, request: { bytes: 7 }, less: { bytes: 2 }, kind: 'saved' };
  const command = node(
    'let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => console.log(JSON.stringify({ total: { process: JSON.parse(text) } })))',
  );
  const [result] = await results(command, [both]);
  assert.equal(result.answer, 5);
});

test('nonsense, silence and faults are counted with their reasons', async () => {
  assert.deepEqual(await reasons('echo nonsense'), ['the reply is no JSON']);
  assert.deepEqual(await reasons('echo 7'), ['the reply is no JSON']);
  assert.deepEqual(await reasons('true'), ['no reply']);
  assert.deepEqual(await reasons("echo 'no such model' >&2; exit 3"), ['no reply, status 3, no such model']);
  assert.deepEqual(await reasons(one('{ total: { process: "much" } }')), ['the reply has no total/process']);
  assert.deepEqual(await reasons(one('{ error: { code: "unknown_model" } }')), ['refused: unknown_model']);
  assert.match((await reasons('/no/such/program'))[0], /no reply, status 127/);
});

test('a command that never ends is ended, with what it has started', async () => {
  assert.deepEqual(await reasons('sleep 1000000; echo late', [vector, vector], 0.3), ['no reply within 0.3 s', 'no reply within 0.3 s']);
});
