// Models by name from ModelScope and from Ollama's library, against a server that behaves like both, on good and bad days.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { modelscopeRepository } from '../../web/src/files/modelscope.mjs';
import { taggedOf } from '../../web/src/files/ollama.mjs';
import { modelFiles, originOf, saysWhere, sourcesAt } from '../../web/src/files/origins.mjs';
import { failureOf } from '../../web/src/files/source.mjs';
import { config, sharded, tensors } from '../web/checkpoint.mjs';
import { gguf, metadata, tensors as tensorsOf } from './gguf.mjs';
import { serveRegistries } from './registries.mjs';

const text = (value) => {
  const head = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { head, size: head.length };
};
const large = config({ hidden_size: 4096, intermediate_size: 14336, num_attention_heads: 32, vocab_size: 128256 });
const files = { 'config.json': text(large), 'README.md': text('hello'), ...sharded(tensors(large)) };
const whole = gguf(metadata(), tensorsOf());
const layers = { model: whole, template: text('{{ .Prompt }}'), params: text('{}') };

let server;
before(async () => {
  server = await serveRegistries({
    'someone/open': { files },
    'someone/branch': { files, revision: 'v2' },
    'someone/gguf': { files: { 'M-Q8_0.gguf': gguf(metadata(), { 'token_embd.weight': [[256, 4], 'Q8_0'] }), 'M-Q4_K_M.gguf': whole } },
    'someone/silent': { files, manner: 'silent' },
    'someone/broken': { files, manner: 'broken' },
    'someone/failing': { files, manner: 'failing' },
    'someone/outside': { files, manner: 'outside' },
    'someone/cut': { files: { 'M.gguf': whole }, manner: 'cut' },
    'library/open:8b': { files: layers },
    'library/open:latest': { files: layers },
    'someone/own:v1': { files: { ...layers, projector: whole } },
    'library/silent:1b': { files: layers, manner: 'silent' },
    'library/broken:1b': { files: layers, manner: 'broken' },
    'library/cut:1b': { files: layers, manner: 'cut' },
    'library/rangeless:1b': { files: { model: { ...whole, size: 2 ** 30 } }, manner: 'rangeless' },
    'library/elsewhere:cloud': { files: { template: layers.template } },
    'library/parts:1b': { files: { model1: whole, model2: text('another') } },
  });
});
after(() => server.close());

const bases = () => ({ modelscope: server.url, ollama: server.url });
const open = (name, options = {}) => sourcesAt(originOf(name, bases()), { patience: 10_000, ...options });
const names = ({ sources }) => sources.map(({ name }) => name);

async function failure(work) {
  try {
    await work();
  } catch (error) {
    return failureOf(error);
  }
  throw new Error('this should have failed');
}

test('a name says where it is from, by a prefix or as the address of a page', () => {
  const hub = 'https://huggingface.co';
  for (const [written, kind, base, name] of [
    ['Qwen/Qwen3-8B', 'hub', hub, 'Qwen/Qwen3-8B'],
    ['hf:Qwen/Qwen3-8B', 'hub', hub, 'Qwen/Qwen3-8B'],
    ['https://huggingface.co/a/b', 'hub', hub, 'https://huggingface.co/a/b'],
    ['modelscope:Qwen/Qwen3-8B', 'modelscope', 'https://modelscope.cn', 'Qwen/Qwen3-8B'],
    ['https://www.modelscope.cn/models/a/b/files', 'modelscope', 'https://modelscope.cn', 'models/a/b/files'],
    ['https://modelscope.ai/models/a/b', 'modelscope', 'https://www.modelscope.ai', 'models/a/b'],
    ['ollama:qwen3:8b', 'ollama', 'https://registry.ollama.ai', 'qwen3:8b'],
    ['https://ollama.com/library/qwen3:8b', 'ollama', 'https://registry.ollama.ai', 'library/qwen3:8b'],
  ])
    assert.deepEqual(originOf(written), { kind, base, name }, written);
});

test('a mirror is asked where its address stands behind a prefix, and nowhere else', () => {
  assert.deepEqual(originOf('hf:https://mirror.example/a/b'), { kind: 'hub', base: 'https://mirror.example', name: 'a/b' });
  assert.deepEqual(originOf('ollama:http://mirror.example:81/library/a:b'), {
    kind: 'ollama',
    base: 'http://mirror.example:81',
    name: 'library/a:b',
  });
  assert.equal(originOf('https://mirror.example/a/b').base, 'https://huggingface.co');
  assert.equal(originOf('https://modelscope.cn.example/models/a/b').kind, 'hub');
  assert.equal(originOf('https://modelscope.cn@mirror.example/models/a/b').kind, 'hub');
});

test('what is no such name says nothing of where it is from', () => {
  for (const name of ['Qwen/Qwen3-8B', './ollama', 'C:\\models\\x.gguf', 'https://mirror.example/x.gguf', 'ollama:', 'https://[', 'file:///x'])
    assert.equal(saysWhere(name), false, name);
  for (const name of ['ollama:x', 'modelscope:a/b', 'https://ollama.com/x', 'https://huggingface.co/a/b']) assert.equal(saysWhere(name), true, name);
});

test('names within ModelScope and Ollama', () => {
  assert.deepEqual(modelscopeRepository('a/b'), { id: 'a/b', revision: 'master' });
  assert.deepEqual(modelscopeRepository('models/a/b/files'), { id: 'a/b', revision: 'master' });
  assert.deepEqual(modelscopeRepository('a/b@v2:Q4_K_M'), { id: 'a/b', revision: 'v2', type: 'Q4_K_M' });
  assert.deepEqual(modelscopeRepository('models/a/b/file/view/v2/x.gguf?status=2'), { id: 'a/b', revision: 'v2', file: 'x.gguf' });
  for (const bad of ['a', '../b', 'a/..', 'a/b/c', '']) assert.equal(modelscopeRepository(bad), undefined, bad);
  assert.deepEqual(taggedOf('qwen3'), { id: 'library/qwen3', tag: 'latest' });
  assert.deepEqual(taggedOf('someone/own:v1'), { id: 'someone/own', tag: 'v1' });
  assert.deepEqual(taggedOf('library/qwen3:8b'), { id: 'library/qwen3', tag: '8b' });
  assert.deepEqual(taggedOf('v2/library/qwen3/manifests/8b'), { id: 'library/qwen3', tag: '8b' });
  for (const bad of ['', '..', 'a/b/c', 'a:..', 'a:b/c', 'a b', 'a:%2e%2e']) assert.equal(taggedOf(bad), undefined, bad);
});

test('ModelScope: config, index and headers by ranges, at the branch that is named', async () => {
  const { sources, left } = await open('modelscope:someone/open');
  assert.ok(names({ sources }).includes('config.json'));
  assert.deepEqual(left, ['README.md']);
  const shard = sources.find(({ name }) => name.endsWith('.safetensors'));
  server.asked.length = 0;
  assert.equal((await shard.read(0, 8)).length, 8);
  assert.deepEqual(
    server.asked.map(({ host, range }) => [host, range]),
    [
      ['registry', 'bytes=0-7'],
      ['store', 'bytes=0-7'],
    ],
  );
  assert.ok((await open('modelscope:someone/branch@v2')).sources.length > 1);
  assert.equal((await failure(() => open('modelscope:someone/branch'))).code, 'hub.not_found');
  assert.deepEqual(names(await open('modelscope:someone/gguf:Q8_0')), ['M-Q8_0.gguf']);
});

test('ModelScope: a token goes to it alone, and not to where its files lie', async () => {
  server.asked.length = 0;
  const { sources } = await open('modelscope:someone/open', { token: 'ms_secret' });
  await sources.find(({ name }) => name.endsWith('.safetensors')).read(0, 8);
  assert.deepEqual(
    server.asked.map(({ host, token }) => [host, token]),
    [
      ['registry', 'Bearer ms_secret'],
      ['registry', 'Bearer ms_secret'],
      ['store', undefined],
    ],
  );
});

test('Ollama: the layer that is a GGUF, by ranges; no token is sent', async () => {
  server.asked.length = 0;
  const { sources, left } = await open('ollama:open:8b', { token: 'secret' });
  assert.deepEqual(names({ sources }), ['open-8b.gguf']);
  assert.equal(sources[0].size, whole.size);
  assert.deepEqual(left, ['template', 'params']);
  assert.deepEqual(Buffer.from(await sources[0].read(0, 4)).toString(), 'GGUF');
  assert.equal(server.asked[0].accept, 'application/vnd.docker.distribution.manifest.v2+json');
  assert.ok(server.asked.every(({ token }) => token === undefined));
  assert.deepEqual(names(await open('ollama:open')), ['open-latest.gguf']);
  const own = await open(`ollama:${server.url}/someone/own:v1`);
  assert.deepEqual(names(own), ['someone-own-v1.gguf']);
  assert.ok(own.left.includes('projector'));
});

for (const [name, code] of [
  ['modelscope:someone/none', 'hub.not_found'],
  ['modelscope:someone/broken', 'hub.broken'],
  ['modelscope:someone/failing', 'hub.failed'],
  ['modelscope:someone/outside', 'hub.outside'],
  ['modelscope:one', 'hub.bad_name'],
  ['ollama:open:9b', 'hub.not_found'],
  ['ollama:broken:1b', 'hub.broken'],
  ['ollama:elsewhere:cloud', 'hub.no_layer'],
  ['ollama:parts:1b', 'hub.no_layer'],
  ['ollama:a/b/c', 'hub.bad_name'],
])
  test(`${name} is refused as ${code}`, async () => {
    const said = await failure(() => open(name));
    assert.equal(said.code, code);
    assert.ok(said.what && said.hint, JSON.stringify(said));
  });

test('silence is given up, and so is an answer that is cut short', async () => {
  for (const name of ['modelscope:someone/silent', 'ollama:silent:1b'])
    assert.equal((await failure(() => open(name, { patience: 200 }))).code, 'hub.slow', name);
  for (const name of ['modelscope:someone/cut', 'ollama:cut:1b']) {
    const { sources } = await open(name);
    assert.equal((await failure(() => sources[0].read(0, 65536))).code, 'hub.broken', name);
  }
});

test('a store that ignores ranges is not read to its end', async () => {
  const { sources } = await open('ollama:rangeless:1b');
  server.asked.length = 0;
  assert.equal((await sources[0].read(4, 12)).length, 8);
  const { sent } = server.asked.find(({ host }) => host === 'store');
  assert.ok(sent < sources[0].size / 10, `${sent} bytes`);
});

test('the library gives a model its files by name', async () => {
  assert.deepEqual(names(await modelFiles('ollama:open', { bases: bases() })), ['open-latest.gguf']);
  assert.equal((await failure(() => modelFiles('a b c'))).code, 'hub.bad_name');
});
