// plimsoll inspect and plimsoll estimate on the files of a model: paths, folders, a hub.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { adapterConfig, config, sharded, tensors } from '../web/checkpoint.mjs';
import { gguf, metadata, split, tensors as ggufTensors } from '../files/gguf.mjs';
import { serveHub } from '../web/hub_server.mjs';
import { plimsoll, program, replies } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-files-'));
after(() => rmSync(folder, { recursive: true }));

const text = (value) => {
  const head = Buffer.from(JSON.stringify(value));
  return { head, size: head.length };
};
// Llama 3 8B's shape: 16 GB of weights, which are a hole in the files.
const shape = {
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
};
const large = config(shape);
const parameters = 8030261248;
const files = { 'config.json': text(large), 'tokenizer.json': text({}), ...sharded(tensors(large), 4) };

function put(name, content) {
  const at = join(folder, name);
  mkdirSync(at, { recursive: true });
  for (const [file, { head, size }] of Object.entries(content)) {
    writeFileSync(join(at, file), head);
    truncateSync(join(at, file), size);
  }
  return at;
}

const model = put('model', files);
const other = put('other', { ...files, 'config.json': text({ ...large, num_key_value_heads: 32 }) });
const adapter = put('adapter', { 'adapter_config.json': text(adapterConfig()) });

test('a folder stands for the model in it, and only headers are read', () => {
  const run = plimsoll(['inspect', model, '--json']);
  assert.equal(run.status, 0, run.stderr);
  const [reply] = replies(run);
  assert.equal(reply.architecture, 'LlamaForCausalLM');
  assert.equal(reply.parameters.total, parameters);
  assert.equal(reply.checkpoint.bytes, 2 * parameters);
  assert.deepEqual(reply.differences, []);
  assert.equal(reply.files.length, 6, 'config, index, four shards');
});

test('as text: architecture, parts, types, layers', () => {
  const { stdout } = plimsoll(['inspect', join(model, 'config.json'), ...Object.keys(sharded(tensors(large), 4)).map((name) => join(model, name))]);
  for (const line of [/^architecture: LlamaForCausalLM$/m, /^parameters: 8,030,261,248$/m, /^language .* 14\.96  100\.0 %$/m, /^BF16 +291 /m])
    assert.match(stdout, line);
  assert.match(stdout, /^language +31 +9 +218,112,000/m);
  assert.doesNotMatch(stdout, /disagree/);
  assert.match(plimsoll(['inspect', model, '--unit', 'GB']).stdout, /16\.06 GB$/m);
});

test('differences are named', () => {
  const { stdout, status } = plimsoll(['inspect', other]);
  assert.equal(status, 0);
  assert.match(stdout, /disagree\n- layers 0-31, each: config 243,277,824, files 218,112,000/);
});

test('an adapter', () => {
  const { stdout } = plimsoll(['inspect', join(adapter, 'adapter_config.json')]);
  assert.match(stdout, /adapter: lora, rank 12, alpha 24\n {2}of: someone\/small-llama\n {2}targets: q_proj, v_proj/);
});

test('estimate takes the same files', () => {
  const [fromFolder] = replies(plimsoll(['estimate', '--model', model, '--context', '8k', '--json']));
  const [fromConfig] = replies(plimsoll(['estimate', '--model', join(model, 'config.json'), '--context', '8k', '--json']));
  assert.equal(fromFolder.rows.find(({ id }) => id === 'weights').bytes, 2 * parameters);
  assert.equal(fromFolder.total.bytes, fromConfig.total.bytes);
  const run = plimsoll(['estimate', '--model', join(adapter, 'adapter_config.json'), '--print-request']);
  assert.equal(JSON.parse(run.stdout).training.lora.rank, 12, run.stderr);
});

test('what cannot be read is named', () => {
  const empty = put('empty', { 'model.safetensors': { head: Buffer.alloc(0), size: 0 } });
  const cut = put('cut', { 'model.safetensors': { head: files['model-00001-of-00004.safetensors'].head.subarray(0, 100), size: 100 } });
  const nothing = put('nothing', { 'README.md': text('hello'), 'notes.txt': text('hello') });
  for (const [path, said] of [
    [join(folder, 'absent.safetensors'), /absent\.safetensors: there is no such file/],
    [join(empty, 'model.safetensors'), /model\.safetensors: this file is empty/],
    [join(cut, 'model.safetensors'), /model\.safetensors/],
    [nothing, /nothing: this folder holds no file that describes a model/],
  ]) {
    const run = plimsoll(['inspect', path]);
    assert.equal(run.status, 1, run.stdout);
    assert.match(run.stderr, said);
    assert.ok(replies(plimsoll(['inspect', path, '--json']))[0].error.where);
  }
  assert.equal(plimsoll(['inspect']).status, 2);
  assert.equal(plimsoll(['inspect', model, '--hub', 'a/b']).status, 2);
});

let hub;
before(async () => {
  hub = await serveHub({
    'someone/model': { files },
    'someone/gated': { files, gated: 'hf_good' },
    'someone/limited': { files, limited: 9 },
    'someone/gguf': { files: { 'README.md': text('hello'), 'M-Q4_K_M.gguf': gguf(metadata(), ggufTensors()), ...split(2, 'parts/M-Q6_K') } },
  });
});
after(() => hub.close());

/** The hub answers in this process, which therefore must not wait. */
function asked(words, environment = {}) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, HF_ENDPOINT: hub.url, ...environment } });
    const run = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (text) => (run[stream] += text));
    child.on('close', (status) => done({ ...run, status }));
  });
}

test('--hub: the same as from the folder', async () => {
  const run = await asked(['inspect', '--hub', 'someone/model', '--json']);
  assert.equal(run.status, 0, run.stderr);
  const [local] = replies(plimsoll(['inspect', model, '--json']));
  const reply = JSON.parse(run.stdout);
  assert.deepEqual(reply.checkpoint, local.checkpoint);
  assert.deepEqual(reply.parameters, local.parameters);
  const estimate = await asked(['estimate', '--hub', 'someone/model', '--json']);
  assert.equal(JSON.parse(estimate.stdout).rows[0].bytes, 2 * parameters);
});

test('--hub: gated, with the token that an environment variable holds', async () => {
  const without = await asked(['inspect', '--hub', 'someone/gated']);
  assert.equal(without.status, 1);
  assert.match(without.stderr, /someone\/gated does not exist, or is private or gated\n {2}.*token/);
  assert.match((await asked(['inspect', '--hub', 'someone/gated', '--token-env', 'NOT_SET'])).stderr, /NOT_SET: there is no token/);
  const run = await asked(['inspect', '--hub', 'someone/gated', '--token-env', 'MY_TOKEN'], { MY_TOKEN: 'hf_good' });
  assert.equal(run.status, 0, run.stderr);
  assert.doesNotMatch(run.stdout, /hf_good/);
});

test('--hub: told to wait, and no such name', async () => {
  assert.match((await asked(['inspect', '--hub', 'someone/limited'])).stderr, /try again in 9 seconds/);
  assert.match((await asked(['inspect', '--hub', 'no name'])).stderr, /no name: this is no model of the hub/);
});

test('--hub and addresses: a GGUF, whole and in parts', async () => {
  const inspected = async (...words) => {
    const run = await asked(['inspect', ...words, '--json']);
    assert.equal(run.status, 0, run.stderr + run.stdout);
    return JSON.parse(run.stdout);
  };
  const usual = await inspected('--hub', 'someone/gguf');
  assert.equal(usual.architecture, 'LlamaForCausalLM');
  assert.equal(usual.checkpoint.count, Object.keys(ggufTensors()).length);
  for (const words of [
    ['--hub', 'someone/gguf:Q6_K'],
    [`${hub.store}/someone/gguf/M-Q4_K_M.gguf`],
    [`${hub.store}/someone/gguf/parts/M-Q6_K-00001-of-00002.gguf?download=true`],
  ]) {
    const reply = await inspected(...words);
    assert.deepEqual(reply.checkpoint, usual.checkpoint, words.join(' '));
    assert.deepEqual(reply.parameters, usual.parameters, words.join(' '));
  }
  const estimate = await asked(['estimate', '--model', `${hub.store}/someone/gguf/M-Q4_K_M.gguf`, '--context', '1k', '--json']);
  // llama.cpp's, which keeps the embedding on the host; each place's share is rounded up
  const { rows, host, assumptions } = JSON.parse(estimate.stdout);
  assert.equal(assumptions.find(({ field }) => field === 'inference.runtime').value, 'llama.cpp');
  const held = [rows, host.rows].reduce((all, list) => all + list.find(({ id }) => id === 'weights').bytes, 0);
  assert.ok(held - usual.checkpoint.bytes >= 0 && held - usual.checkpoint.bytes <= 1, `${held}`);
  const { stderr } = await asked(['inspect', `${hub.url}/nothing.gguf`]);
  assert.match(stderr, /nothing\.gguf: .* answers 40\d/);
});
