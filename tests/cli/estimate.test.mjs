// plimsoll estimate: requests from files, standard input and options; exit status 0, 1 and 2.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { plimsoll, replies } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-cli-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const good = {
  schema: 1,
  task: 'classic',
  model: { preset: 'llama-3-70b' },
  weights: { encoding: 'bf16' },
  inference: { context: 2048, sequences: 1 },
};
const bad = { ...good, model: { preset: 'no-such-model' } };
const goodBytes = 153019119616;

test('a request file is answered', () => {
  const run = plimsoll(['estimate', file('request.json', JSON.stringify(good)), '--json']);
  assert.equal(run.status, 0, run.stderr);
  assert.equal(replies(run)[0].total.bytes, goodBytes);
});

test('a model that is held beside the first is found as the first is, and a name near it is named', () => {
  const distilled = (preset) => ({
    schema: 1,
    task: 'training',
    model: { preset: 'llama-3.2-1b' },
    training: { objective: 'distill', models: { teacher: { model: { preset } } } },
  });
  const [reply] = replies(plimsoll(['estimate', '-', '--json'], JSON.stringify(distilled('llama-3.1-8b'))));
  const teacher = reply.rows.find(({ id }) => id === 'teacher');
  assert.equal(teacher.rows.find(({ id }) => id === 'weights').bytes, 2 * 8030261248);
  const unknown = plimsoll(['estimate', '-'], JSON.stringify(distilled('llama-3.1-8')));
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /training\.models\.teacher\.model\.preset.*\n.*did you mean llama-3\.1-8b\?/s);
});

test('answers of its own: who generates, what sleeps and who judges are said by options', () => {
  const options = [
    '--objective',
    'ppo',
    '--rollout',
    'vllm',
    '--sleep',
    'all',
    '--completion',
    '1k',
    '--beta',
    '0.05',
    '--reward-model',
    'llama-3.1-8b',
  ];
  const run = plimsoll(['estimate', '--model', 'llama-3.2-1b', '--device', 'h100-sxm-80gb', '--sequence', '2k', ...options, '--print-request']);
  assert.equal(run.status, 0, run.stderr);
  const asked = JSON.parse(run.stdout);
  assert.deepEqual(asked.training, {
    objective: 'ppo',
    sequence: 2048,
    rollout: { runtime: 'vllm', sleep: 'all', completion: 1024 },
    beta: 0.05,
    models: { reward: { model: { preset: 'llama-3.1-8b' } } },
  });
  const [reply] = replies(plimsoll(['estimate', '-', '--json'], JSON.stringify(asked)));
  const bytes = (id) => reply.rows.find((row) => row.id === id).bytes;
  for (const id of ['reference', 'reward', 'critic']) assert.ok(bytes(id) > 2e9, id);
});

test('- is standard input, one request or one a line', () => {
  const one = plimsoll(['estimate', '-', '--json'], JSON.stringify(good, null, 2));
  assert.equal(replies(one)[0].total.bytes, goodBytes);
  const two = plimsoll(['estimate', '-', '--json'], `${JSON.stringify(good)}\n${JSON.stringify(good)}\n`);
  assert.deepEqual(
    replies(two).map((reply) => reply.total.bytes),
    [goodBytes, goodBytes],
  );
});

test('a batch answers every line in order, and says by its status that one was bad', () => {
  const lines = [good, bad, good].map((request) => JSON.stringify(request));
  const run = plimsoll(['estimate', file('batch.jsonl', `${[...lines, '{not json'].join('\n')}\n`), '--json']);
  const answers = replies(run);
  assert.equal(run.status, 1);
  assert.equal(answers.length, 4);
  assert.equal(answers[0].total.bytes, goodBytes);
  assert.equal(answers[1].error.where, 'model.preset');
  assert.equal(answers[2].total.bytes, goodBytes);
  assert.ok(answers[3].error.what);
});

test('a layout has short forms of its own, and means training', () => {
  const words = '--model llama-3-8b --devices 8 --framework deepspeed --zero 3 --offload-optimizer cpu --offload-parameters nvme'.split(' ');
  const asked = JSON.parse(plimsoll(['estimate', ...words, '--print-request']).stdout);
  assert.equal(asked.task, 'training');
  assert.deepEqual(asked.parallel, { zero: 3, framework: 'deepspeed', offload: { optimizer: 'cpu', parameters: 'nvme' } });
  const [reply] = replies(plimsoll(['estimate', ...words, '--json']));
  assert.ok(reply.host.bytes > 0);
  const stages = '--tensor-parallel 2 --sequence-parallel --pipeline-parallel 4 --schedule interleaved --virtual-stages 2 --shard-group 4'.split(' ');
  assert.deepEqual(JSON.parse(plimsoll(['estimate', '--model', 'llama-3-8b', ...stages, '--print-request']).stdout).parallel, {
    tensor: 2,
    pipeline: 4,
    shard_group: 4,
    sequence_parallel: true,
    schedule: 'interleaved',
    virtual_stages: 2,
  });
  const refused = plimsoll(['estimate', '--model', 'llama-3-8b', '--devices', '8', '--framework', 'ddp', '--zero', '2']);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr + refused.stdout, /parallel\.zero: DistributedDataParallel divides nothing/);
});

test('short forms make the same request as a file', () => {
  const words = ['--task', 'classic', '--model', 'llama-3-70b', '--weights', 'bf16', '--context', '2k', '--sequences', '1'];
  assert.equal(replies(plimsoll(['estimate', ...words, '--json']))[0].total.bytes, goodBytes);
});

test('short forms change the requests of a file', () => {
  const run = plimsoll(['estimate', file('other.json', JSON.stringify({ ...good, weights: { encoding: 'fp32' } })), '--weights=bf16', '--json']);
  assert.equal(replies(run)[0].total.bytes, goodBytes);
});

test('the words of the options become the fields of the request', () => {
  const words =
    '--model llama-3.1-8b --runtime transformers --context 32k --no-flash-attention --memory 24GiB --trainable-percent 12.5 --lora-targets q_proj,v_proj --print-request';
  assert.deepEqual(JSON.parse(plimsoll(['estimate', ...words.split(' ')]).stdout), {
    schema: 1,
    model: { preset: 'llama-3.1-8b' },
    inference: { runtime: 'transformers', context: 32768, flash_attention: false },
    device: { memory_bytes: 24 * 2 ** 30 },
    training: { trainable_percent: 12.5, lora: { targets: ['q_proj', 'v_proj'] } },
  });
});

test('options of training alone ask for training', () => {
  const run = plimsoll(['estimate', '--model', 'llama-3-8b', '--micro-batch', '2', '--print-request']);
  assert.deepEqual(JSON.parse(run.stdout), { schema: 1, model: { preset: 'llama-3-8b' }, training: { micro_batch: 2 }, task: 'training' });
});

const config = {
  model_type: 'llama',
  hidden_size: 512,
  intermediate_size: 1024,
  num_hidden_layers: 2,
  num_attention_heads: 8,
  vocab_size: 1000,
  tie_word_embeddings: false,
};
const configParameters = 2 * 1000 * 512 + 2 * (4 * 512 * 512 + 3 * 512 * 1024 + 2 * 512) + 512;

test('a config.json stands for its model, as --model and as a file', () => {
  const path = file('config.json', JSON.stringify(config));
  for (const words of [['--model', path], [path]]) {
    const run = plimsoll(['estimate', ...words, '--context', '128', '--json']);
    assert.equal(run.status, 0, run.stderr + run.stdout);
    assert.equal(replies(run)[0].model.parameters.total, configParameters);
  }
});

test("a config.json with Python's Infinity is read", () => {
  const path = file('infinite.json', JSON.stringify({ ...config, time_step_limit: 'x' }).replace('"x"', '[0.0, Infinity]'));
  assert.equal(replies(plimsoll(['estimate', '--model', path, '--json']))[0].model.parameters.total, configParameters);
});

test('a bad request goes to standard error with status 1, naming field and near names', () => {
  const run = plimsoll(['estimate', '--model', 'llama-3-70', '--context', '2k']);
  assert.equal(run.status, 1);
  assert.equal(run.stdout, '');
  assert.match(run.stderr, /model\.preset/);
  assert.match(run.stderr, /llama-3-70b/);
});

test('a file that is not there is an error reply in its place', () => {
  const run = plimsoll(['estimate', join(folder, 'none.json'), file('there.json', JSON.stringify(good)), '--json']);
  assert.equal(run.status, 1);
  assert.deepEqual(
    replies(run).map((reply) => reply.error?.code ?? reply.total.bytes),
    ['file.unreadable', goodBytes],
  );
});

test('the table says what is needed, row by row', () => {
  const run = plimsoll(['estimate', '--model', 'llama-3-8b', '--device', 'rtx-4090', '--context', '8k']);
  assert.equal(run.status, 0, run.stderr);
  for (const part of [/8,030,261,248 parameters/, /GiB/, /weights +\d/, /kv_cache +1\.00/, /fits|tight|too large/, /Assumed/])
    assert.match(run.stdout, part);
  assert.doesNotMatch(run.stdout, /\u001b/, 'no colours into a pipe');
});

test('--unit changes the figures, --explain adds the formulas', () => {
  const words = ['estimate', '--model', 'llama-3-8b', '--context', '8k'];
  assert.match(plimsoll([...words, '--unit', 'bytes']).stdout, /kv_cache +1,073,741,824/);
  const explained = plimsoll([...words, '--explain']).stdout;
  assert.match(explained, /Formulas/);
  assert.match(explained, /Symbols/);
  assert.match(explained, /hidden_size = 4,096/);
});

for (const [words, message] of [
  [['estimate'], /needs a request/],
  [['estimate', '--contxt', '3'], /did you mean --context\?/],
  [['estimate', '--model', 'llama-3-8b', '--context', 'long'], /not of the form/],
  [['estimate', '--model', 'llama-3-8b', '--device', '--json'], /needs a value/],
  [['estimate', '--model', 'llama-3-8b', '--unit', 'GIB'], /did you mean GiB\?/],
  [['estimate', '--json=yes', '-'], /takes no value/],
  [['estimat'], /did you mean estimate\?/],
  [[], /which command/],
]) {
  test(`wrong usage: plimsoll ${words.join(' ')}`, () => {
    const run = plimsoll(words);
    assert.equal(run.status, 2);
    assert.match(run.stderr, message);
    assert.equal(run.stdout, '');
  });
}
