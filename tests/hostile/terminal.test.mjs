// Hostile names at every door of the command line: what is printed, as text and as JSON, steers no terminal, and JSON
// still says what it said.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { gguf, metadata, tensors } from '../files/gguf.mjs';
import { root } from '../architecture/sources.mjs';
import { progressOn } from '../../web/src/node/output/progress.mjs';
import { hostile, raw, steering } from './strings.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-terminal-'));
after(() => rmSync(folder, { recursive: true }));

/** What command lines printed, each with what it was asked. */
function printed(lines) {
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'runs.mjs')], {
    input: JSON.stringify(lines),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout).map((one, at) => ({ ...one, words: lines[at] }));
}

const put = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const json = (name, value) => put(name, JSON.stringify(value));

const config = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 512,
  intermediate_size: 1024,
  num_hidden_layers: 2,
  num_attention_heads: 8,
  vocab_size: 1000,
};
const safetensors = (header) => {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.alloc(4)]);
};

/** The doors: files that carry a name in, and command lines that do. */
function doors(name, at) {
  mkdirSync(join(folder, `${at}`), { recursive: true });
  const preset = { model: { preset: 'llama-3-8b' } };
  const adapter = { peft_type: 'LORA', r: 8, lora_alpha: 16, target_modules: [name], base_model_name_or_path: name, modules_to_save: [name] };
  const request = (label, value) => ['estimate', json(`${at}/${label}.json`, value)];
  const inspect = (label, bytes) => ['inspect', put(`${at}/${label}`, bytes)];
  return [
    request('model_type', { ...config, model_type: name }),
    request('architecture', { model: { config: { ...config, architectures: [name] } } }),
    request('preset', { model: { preset: name } }),
    request('task', { ...preset, task: name }),
    request('runtime', { ...preset, inference: { runtime: name } }),
    request('encoding', { ...preset, weights: { encoding: name } }),
    request('device', { ...preset, device: { preset: name } }),
    request('unknown_field', { ...preset, [name]: { [name]: name } }),
    request('targets', { ...preset, task: 'training', training: { method: 'lora', lora: { targets: [name] } } }),
    ['estimate', put(`${at}/lines.jsonl`, `${JSON.stringify({ model: { preset: name } })}\n${name}\n`)],
    ['estimate', put(`${at}/no_json.json`, name)],
    ['estimate', '--print-request', json(`${at}/printed.json`, { ...preset, task: name })],
    ['sweep', json(`${at}/sweep.json`, { request: preset, over: [{ field: name, values: [name] }] })],
    ['sweep', json(`${at}/values.json`, { request: preset, over: [{ field: 'weights.encoding', values: ['bf16', name] }] })],
    inspect('config.json', JSON.stringify({ ...config, model_type: name, architectures: [name] })),
    inspect('adapter_config.json', JSON.stringify(adapter)),
    inspect('named.safetensors', safetensors({ [name]: { dtype: 'BF16', shape: [2], data_offsets: [0, 4] } })),
    inspect('typed.safetensors', safetensors({ a: { dtype: name, shape: [2], data_offsets: [0, 4] } })),
    inspect('listed.safetensors.index.json', JSON.stringify({ metadata: { total_size: 4 }, weight_map: { [name]: name } })),
    inspect('named.gguf', gguf(metadata(), { ...tensors(), [name]: [[256], 'F32'] }).head),
    inspect('architecture.gguf', gguf(metadata({ 'general.architecture': name })).head),
    inspect('key.gguf', gguf({ ...metadata(), [name]: name }).head),
    ['inspect', join(folder, `${at}`, `${name.replaceAll(/[/\0]/g, '')}.json`)],
    ['inspect', '--hub', name],
    ['inspect', '--hub', 'a/b', '--token-env', name],
    ['estimate', '--model', name],
    ['estimate', '--model', 'llama-3-8b', '--device', name],
    ['estimate', '--model', 'llama-3-8b', '--context', name],
    ['estimate', '--model', 'llama-3-8b', '--unit', name],
    ['estimate', '--model', 'llama-3-8b', `--${name}`, '1'],
    ['list', name],
    [name],
    ['help', name],
  ];
}

/** All that steers in one name, as characters are written out one by one; and some names that mean something to a command line. */
const names = [steering.join(' '), '\u202e', 'one\ntwo', '--help', '__proto__', '../../etc/passwd', '{model} $& %s'];
const asked = names.flatMap((name, at) => doors(name, at));

test('as text, nothing that is printed steers a terminal', () => {
  for (const { words, stdout, stderr } of printed(asked)) {
    assert.doesNotMatch(stdout, raw, JSON.stringify({ words, stdout }));
    assert.doesNotMatch(stderr, raw, JSON.stringify({ words, stderr }));
    assert.ok(stdout + stderr !== '', words.join(' '));
  }
});

test('as JSON, nothing that is printed steers a terminal, and each line is a reply that names what it was given', () => {
  for (const { words, stdout, stderr, status } of printed(
    asked.filter(([command]) => ['estimate', 'inspect', 'sweep'].includes(command)).map((words) => [...words, '--json']),
  )) {
    assert.doesNotMatch(stdout + stderr, raw, JSON.stringify({ words, stdout, stderr }));
    if (status === 2) continue; // wrong usage is told as text
    for (const line of stdout.split('\n').filter(Boolean)) assert.equal(typeof JSON.parse(line), 'object', line);
  }
});

test('what a name looked like can still be read from the JSON that is printed', () => {
  const name = 'gpj.\u202e\u0007exe';
  const [{ stdout }] = printed([['estimate', '--print-request', '--model', name]]);
  assert.doesNotMatch(stdout, raw);
  assert.equal(JSON.parse(stdout).model.preset, name);
});

test('the line that says how far reading has come shows no raw name', () => {
  for (const name of hostile) {
    let text = '';
    const progress = progressOn({ isTTY: true, write: (more) => (text += more) });
    progress.show({ file: name, files: 2, done: 1, read: 1, wanted: 2 });
    assert.doesNotMatch(text.replace(/^\r|\u001b\[K$/g, ''), raw);
    assert.doesNotMatch(text, /\n/);
  }
});

test('only three files of the command line write, and each shows what it is given', () => {
  const sources = readdirSync(join(root, 'web/src/node'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.mjs'));
  const writing = sources.filter((name) => /process\.std(?:out|err)\.write|console\./.test(readFileSync(join(root, 'web/src/node', name), 'utf8')));
  assert.deepEqual(writing.sort(), ['commands/models.mjs', 'commands/printing.mjs', 'commands/serving.mjs']);
});
