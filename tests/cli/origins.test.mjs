// Models by name from ModelScope and from Ollama's library, on the command line, against a server that behaves like both.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';

import { config, sharded, tensors } from '../web/checkpoint.mjs';
import { gguf, metadata, tensors as tensorsOf } from '../files/gguf.mjs';
import { serveRegistries } from '../files/registries.mjs';
import { program } from './run.mjs';

const text = (value) => {
  const head = Buffer.from(JSON.stringify(value));
  return { head, size: head.length };
};
const own = config({ hidden_size: 1024, intermediate_size: 4096, num_attention_heads: 16, vocab_size: 32000 });

let server;
before(async () => {
  server = await serveRegistries({
    'someone/open': { files: { 'config.json': text(own), ...sharded(tensors(own)) } },
    'library/open:8b': { files: { model: gguf(metadata(), tensorsOf()), template: text('x') } },
    'library/broken:1b': { files: { model: gguf(metadata(), tensorsOf()) }, manner: 'broken' },
  });
});
after(() => server.close());

/** Beside this process, which has to serve meanwhile. */
const run = (words, env = {}) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, ...env } });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (part) => (printed[stream] += part));
    child.on('close', (status) => done({ status, ...printed }));
  });

test("--model ollama:… is a model of Ollama's library, its header alone", async () => {
  server.asked.length = 0;
  const { status, stdout, stderr } = await run(['estimate', '--model', `ollama:${server.url}/library/open:8b`, '--context', '512', '--json']);
  assert.equal(status, 0, stderr + stdout);
  assert.equal(JSON.parse(stdout).model.architecture, 'LlamaForCausalLM');
  assert.ok(server.asked.filter(({ host }) => host === 'store').every(({ range }) => range));
});

test('--hub modelscope:… is one of ModelScope, whose host the usual variable names', async () => {
  const { status, stdout, stderr } = await run(['inspect', '--hub', 'modelscope:someone/open', '--json'], { MODELSCOPE_DOMAIN: server.url });
  assert.equal(status, 0, stderr + stdout);
  assert.equal(JSON.parse(stdout).architecture, 'LlamaForCausalLM');
});

for (const [name, code] of [
  ['ollama:SERVER/library/open:9b', 'hub.not_found'],
  ['ollama:SERVER/library/broken:1b', 'hub.broken'],
  ['modelscope:SERVER/models/someone/none', 'hub.not_found'],
  ['ollama:a/b/c', 'hub.bad_name'],
])
  test(`${name}: ${code}, with status 1`, async () => {
    const { status, stdout } = await run(['estimate', '--model', name.replace('SERVER', server.url), '--json']);
    assert.equal(status, 1);
    assert.equal(JSON.parse(stdout).error.code, code);
  });
