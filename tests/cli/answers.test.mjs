// plimsoll solve, fit and compare: what each says is what single estimates say.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { root } from '../architecture/sources.mjs';
import { plimsoll, replies } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-answers-'));
after(() => rmSync(folder, { recursive: true }));

const request = {
  model: { preset: 'llama-3.1-8b' },
  weights: { encoding: 'bf16' },
  device: { preset: 'rtx-4090' },
  inference: { runtime: 'vllm', context: 8192, sequences: 1 },
};
const estimated = (one) => replies(plimsoll(['estimate', '-', '--json'], JSON.stringify(one)))[0];
const having = (context) => ({ ...request, inference: { ...request.inference, context } });

test('solve answers with the last value that fits and the first that does not', () => {
  const [reply] = replies(plimsoll(['solve', '-', '--json'], JSON.stringify({ request, find: 'inference.context' })));
  assert.equal(estimated(having(reply.value)).fit.verdict, reply.reply.fit.verdict);
  assert.equal(estimated(having(reply.next)).fit.verdict, 'does not start');
  assert.equal(reply.binds.row, 'kv_cache');
});

test('solve in words says what binds', () => {
  const { stdout, status } = plimsoll(['solve', '-'], JSON.stringify({ request, find: 'inference.context' }));
  assert.equal(status, 0);
  assert.match(stdout, /^inference\.context: up to [\d,]+; [\d,]+ does not fit: kv_cache on device 0, decode\n/);
});

test('--find is short for a question', () => {
  const words = [
    'estimate',
    '--model',
    'llama-3.1-8b',
    '--weights',
    'bf16',
    '--device',
    'rtx-4090',
    '--runtime',
    'vllm',
    '--context',
    '8k',
    '--json',
  ];
  const [short] = replies(plimsoll([...words, '--find', 'context']));
  const [long] = replies(
    plimsoll(
      ['solve', '-', '--json'],
      JSON.stringify({ request: { ...request, inference: { runtime: 'vllm', context: 8192 } }, find: 'inference.context' }),
    ),
  );
  assert.equal(short.value, long.value);
  const [sure] = replies(plimsoll([...words, '--find', 'context', '--sure']));
  assert.ok(sure.value < short.value);
  const [limited] = replies(plimsoll([...words, '--find', 'context', '--limit', '18GB']));
  assert.ok(limited.value < short.value);
  assert.match(plimsoll([...words, '--find', 'contxt']).stderr, /did you mean context\?/);
});

test('two fields give an edge', () => {
  const { stdout } = plimsoll(['estimate', '--model', 'llama-3.1-8b', '--device', 'rtx-4090', '--find', 'context,sequences']);
  const [head, first, second] = stdout.split('\n');
  assert.match(head, /inference\.context +inference\.sequences/);
  assert.match(first, /[\d,]+ +1$/);
  assert.match(second, /[\d,]+ +2$/);
});

test('--fail-if-too-large ends with 3 where it is, and with 0 where it is not', () => {
  const asked = (model) => plimsoll(['estimate', '--model', model, '--device', 'rtx-4090', '--fail-if-too-large']).status;
  assert.equal(asked('llama-3-70b'), 3);
  assert.equal(asked('llama-3.2-1b'), 0);
});

test('fit: what runs on a device', () => {
  const [reply] = replies(plimsoll(['fit', '--device', 'rtx-4090', '--runtime', 'llama.cpp', '--context', '8k', '--json']));
  const row = reply.rows.find(({ request: { model } }) => model.preset === 'llama-3-70b');
  assert.equal(reply.kind, 'models');
  assert.ok(reply.rows.length > 200);
  for (const one of [row, ...reply.rows.filter((_, at) => at % 60 === 0)]) {
    const { fit } = estimated(one.request);
    assert.equal(fit.verdict, one.verdict);
    assert.equal(fit.free_bytes, one.free_bytes);
  }
});

test('fit: on what a model runs, as Markdown and as CSV', () => {
  const words = ['fit', '--model', 'llama-3.1-8b', '--runtime', 'vllm'];
  const markdown = plimsoll([...words, '--markdown']).lines;
  assert.equal(markdown[0], '| device | verdict | GiB | left GiB |');
  assert.ok(markdown.some((line) => line.startsWith('| H100 SXM')));
  assert.ok(!markdown.some((line) => line.includes('M2 Max')), 'vLLM runs on none of Apple');
  const csv = plimsoll([...words, '--csv']).lines;
  assert.equal(csv[0], 'device,verdict,bytes,left bytes');
});

test('fit: encodings of a model on a device', () => {
  const { lines } = plimsoll(['fit', '--model', 'llama-3.1-8b', '--device', 'rtx-3060-12gb', '--runtime', 'llama.cpp', '--context', '8k']);
  assert.match(lines[0], /^encoding +context +verdict/);
  assert.ok(lines.some((line) => /^gguf-q4_k_m +8,192 +fits/.test(line)));
  assert.ok(lines.some((line) => /^gguf-f16 +8,192 +too large/.test(line)));
});

test('fit and compare: how fast, where time is asked for; a limit is marked as one', () => {
  const words = ['fit', '--model', 'llama-3.1-8b', '--device', 'rtx-4090', '--runtime', 'llama.cpp', '--context', '8k'];
  const { lines } = plimsoll([...words, '--time']);
  assert.match(lines[0], /tokens\/s$/);
  assert.ok(lines.some((line) => /^gguf-q4_k_m .* \d+$/.test(line)));
  assert.doesNotMatch(plimsoll(words).lines[0], /tokens/);
  const [reply] = replies(plimsoll([...words, '--time', '--json']));
  const row = reply.rows.find(({ encoding }) => encoding === 'gguf-q4_k_m');
  assert.deepEqual(row.tokens_per_second, estimated(row.request).time.tokens_per_second);
  const served = ['fit', '--model', 'llama-3.1-8b', '--device', 'h100-sxm-80gb', '--runtime', 'vllm', '--context', '8k', '--time'];
  assert.ok(plimsoll(served).lines.some((line) => /^bf16 .* ≤ \d+$/.test(line)));
  assert.match(plimsoll([...served, '--csv']).lines[0], /,tokens\/s,tokens\/s at most$/);
});

test('a price of an hour and a power in watts are told beside times, and belong to no request', () => {
  const words = ['estimate', '--model', 'llama-3.1-8b', '--device', 'rtx-4090', '--runtime', 'llama.cpp', '--weights', 'gguf-q4_k_m'];
  const { tokens_per_second: told } = replies(plimsoll([...words, '--time', '--json']))[0].time;
  const { stdout } = plimsoll([...words, '--time', '--price', '0.5', '--power', '450']);
  const tokens = Math.round((told.value * 3600) / 0.5).toLocaleString('en-US');
  assert.ok(stdout.includes(`one unit of currency buys about ${tokens} tokens`), stdout);
  assert.ok(stdout.includes(`a million tokens take at most ${(450 / 3.6 / told.low).toPrecision(3)} kWh: an upper bound`), stdout);
  const served = [
    'estimate',
    '--model',
    'llama-3.1-8b',
    '--device',
    'h100-sxm-80gb',
    '--runtime',
    'vllm',
    '--time',
    '--price',
    '2',
    '--power',
    '700',
  ];
  const limited = plimsoll(served).stdout;
  assert.match(limited, /buys at most [\d,]+ tokens; a million cost at least/);
  assert.match(limited, /energy has no bound: only a limit of the speed is known/);
  assert.doesNotMatch(plimsoll([...words, '--time', '--price', '0.5', '--power', '450', '--print-request']).stdout, /price|power|450/);
  assert.match(plimsoll([...words, '--time', '--price', '0']).stderr, /--price is above 0/);
  assert.match(plimsoll([...words, '--time', '--price', '1', '--json']).stderr, /answered as text/);
});

test('--find within limits of time, and how many days a training takes', () => {
  const words = ['estimate', '--model', 'llama-3.1-8b', '--device', 'rtx-4090', '--runtime', 'llama.cpp', '--weights', 'gguf-q4_k_m'];
  const [found] = replies(plimsoll([...words, '--find', 'context', '--limit-latency', '0.01', '--json']));
  assert.ok(found.reply.time.token.seconds <= 0.01 && found.next_reply.time.token.seconds > 0.01);
  assert.deepEqual(found.binds, { limit: 'token_seconds' });
  assert.equal(found.untold, undefined);
  // Nobody printed enough speeds of several sequences there: all of them are passed over, and the reply says so.
  const several = [...words, '--context', '4k', '--find', 'sequences', '--limit-latency', '0.05'];
  const [passed] = replies(plimsoll([...several, '--json']));
  assert.equal(passed.value, 1);
  assert.match(passed.untold, /the roof alone/);
  assert.match(plimsoll(several).stdout, /values whose speed is not told were passed over: no speeds were printed/);
  const [refused] = replies(plimsoll([...words, '--find', 'sequences', '--limit-speed', '100', '--json']));
  assert.equal(refused.error.where, 'limit.tokens_per_second');
  const training = [
    'estimate',
    '--model',
    'llama-3.1-8b',
    '--device',
    'h100-sxm-80gb',
    '--devices',
    '64',
    '--method',
    'full',
    '--time',
    '--tokens',
    '1t',
  ];
  assert.ok(plimsoll([...training, '--framework', 'megatron']).lines.some((line) => /the training .* days/.test(line)));
});

test('fit needs a model or a device', () => {
  const run = plimsoll(['fit', '--context', '8k']);
  assert.equal(run.status, 2);
  assert.match(run.stderr, /--device, --model, or both/);
});

test('compare gives differences and the symbols that make them', () => {
  const other = { ...request, model: { preset: 'qwen3-8b' } };
  const text = [request, other].map((one) => JSON.stringify(one)).join('\n');
  const [reply] = replies(plimsoll(['compare', '-', '--json'], text));
  assert.deepEqual(
    reply.total,
    [request, other].map((one) => estimated(one).total.bytes),
  );
  const keys = reply.rows.find(({ id }) => id === 'kv_cache.keys');
  assert.deepEqual(
    keys.differs.find(({ symbol }) => symbol === 'num_hidden_layers'),
    { symbol: 'num_hidden_layers', values: [32, 36] },
  );
  const { stdout } = plimsoll(['compare', '-'], text);
  assert.match(stdout, /^kv_cache\.keys .*num_hidden_layers 32 → 36/m);
});

test('compare refuses what it cannot line up', () => {
  assert.equal(plimsoll(['compare', '-'], JSON.stringify(request)).status, 2);
  const refused = plimsoll(['compare', '-'], [request, { model: { preset: 'nonsense' } }].map((one) => JSON.stringify(one)).join('\n'));
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /model\.preset/);
});

test('a model is known by its name on the hub, too', () => {
  const [reply] = replies(plimsoll(['estimate', '--model', 'qwen/qwen3-8b', '--json']));
  assert.equal(reply.model.name, 'Qwen3 8B');
  const run = plimsoll(['estimate', '--model', 'somebody/Llama-3.1-8B-Instruct']);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /--hub somebody\/Llama-3\.1-8B-Instruct fetches its headers; or did you mean llama-3\.1-8b/);
});

test('a chat model takes the memory of the model that it was tuned from, and that is told', () => {
  const run = plimsoll(['estimate', '--model', 'meta-llama/Llama-3.1-8B-Instruct', '--weights', 'q4_k_m', '--device', '4090', '--json']);
  assert.equal(run.status, 0, run.stderr);
  assert.equal(replies(run)[0].model.name, 'Llama 3.1 8B');
  assert.match(run.stderr, /--model meta-llama\/Llama-3\.1-8B-Instruct is taken as llama-3\.1-8b \(Llama 3\.1 8B\)/);
  assert.match(run.stderr, /--weights q4_k_m is taken as gguf-q4_k_m/);
  assert.match(run.stderr, /--device 4090 is taken as rtx-4090/);
});

test('a folder is found without ./, and a preset comes before a folder of its name', () => {
  const { config } = JSON.parse(readFileSync(join(root, 'presets', 'models', 'llama-3.2-1b.json'), 'utf8'));
  for (const name of ['my model', 'qwen3-8b']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'config.json'), JSON.stringify(config));
  }
  const asked = (...words) => replies(plimsoll(['estimate', '--model', ...words, '--json'], '', { cwd: folder }))[0].model;
  const own = asked('my model').parameters.total;
  assert.equal(own, asked('llama-3.2-1b').parameters.total);
  assert.equal(asked('qwen3-8b').name, 'Qwen3 8B');
  assert.equal(asked('./qwen3-8b').parameters.total, own);
});

for (const [words, meant] of [
  [['--model', 'llama-3.1-70'], 'llama-3.1-70b'],
  [['--model', 'qwen3-8b', '--device', 'h10'], 'h100-sxm-80gb'],
  [['--model', 'qwen3-8b', '--device', 'rtx-5070-laptp'], 'rtx-5070-laptop'],
  [['--model', 'qwen3-8b', '--weights', 'q4_k_x'], 'gguf-q4_k'],
])
  test(`${words.at(-1)}: did you mean ${meant}`, () => {
    const run = plimsoll(['estimate', ...words]);
    assert.equal(run.status, 1);
    assert.ok(run.stderr.includes(`did you mean ${meant}`), run.stderr);
  });

test('of several devices of a name the common one is taken, and that is told', () => {
  const run = plimsoll(['estimate', '--model', 'qwen3-8b', '--device', 'h100', '--print-request']);
  assert.equal(JSON.parse(run.stdout).device.preset, 'h100-sxm-80gb');
  assert.match(run.stderr, /--device h100 is taken as h100-sxm-80gb \(H100 SXM 80GB\)/);
});

test('the address of a repository that a preset was made from is that preset, without a network', () => {
  for (const address of ['https://huggingface.co/Qwen/Qwen3-8B', 'https://hf.co/Qwen/Qwen3-8B/blob/main/config.json']) {
    const run = plimsoll(['estimate', '--model', address, '--print-request']);
    assert.deepEqual(JSON.parse(run.stdout).model, { preset: 'qwen3-8b' }, address);
  }
});

test('what else fits stands under the table, as options that make it so', () => {
  const words = ['estimate', '--model', 'llama-3.1-8b', '--device', 'rtx-4090', '--runtime', 'vllm', '--context', '8k'];
  const { stdout } = plimsoll(words);
  assert.match(stdout, /\ncache: [\d.]+ GiB hold [\d,]+ tokens, [\d.]+ sequences of this length\n/);
  const [, longest] = /\nFits as well\n(?:.*\n)*? {2}--context (\d+) +the most that fits/.exec(stdout) ?? [];
  const [solved] = replies(plimsoll([...words, '--find', 'context', '--json']));
  assert.equal(Number(longest), solved.value);
});

test('where it does not fit, each way out that is told does', () => {
  const words = ['estimate', '--model', 'llama-3-70b', '--device', 'rtx-4090', '--runtime', 'llama.cpp', '--context', '8k'];
  const { stdout } = plimsoll(words);
  const ways = [.../\nEach of these would fit\n((?: {2}--.*\n)+)/.exec(stdout)[1].matchAll(/ {2}--(\S+) (\S+)/g)];
  assert.ok(ways.length >= 2, stdout);
  for (const [, name, value] of ways) assert.equal(plimsoll([...words, `--${name}`, value, '--fail-if-too-large']).status, 0, `--${name} ${value}`);
});

test('an estimate as CSV and as Markdown', () => {
  const lines = [request, request].map((one) => JSON.stringify(one)).join('\n');
  const csv = plimsoll(['estimate', '-', '--csv'], lines).lines.map((line) => line.split(','));
  assert.deepEqual(csv[0], ['request', 'model', 'verdict', 'row', 'bytes', 'low', 'high', 'basis']);
  const weights = csv.filter(([, , , row]) => row === 'weights');
  assert.deepEqual(
    weights.map(([at, , , , bytes]) => [at, Number(bytes)]),
    [1, 2].map((at) => [String(at), estimated(request).rows.find(({ id }) => id === 'weights').bytes]),
  );
  assert.ok(plimsoll(['estimate', '-', '--markdown'], JSON.stringify(request)).lines.some((line) => line.startsWith('| weights | ')));
  assert.equal(plimsoll(['estimate', '-', '--markdown', '--json'], JSON.stringify(request)).status, 2);
});
