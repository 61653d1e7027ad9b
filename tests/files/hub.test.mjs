// The hub's good and bad days, against a server that behaves like it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { hubSources, noRepository, repositoryOf } from '../../web/src/files/hub.mjs';
import { failureOf } from '../../web/src/files/source.mjs';
import { gguf, metadata, split, tensors as tensorsOf } from './gguf.mjs';
import { config, safetensors, sharded, tensors } from '../web/checkpoint.mjs';
import { serveHub } from '../web/hub_server.mjs';

const text = (value) => {
  const head = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { head, size: head.length };
};
const large = config({ hidden_size: 4096, intermediate_size: 14336, num_attention_heads: 32, vocab_size: 128256 });
const files = { 'config.json': text(large), 'README.md': text('hello'), ...sharded(tensors(large)) };
const single = { 'config.json': text(large), 'model.safetensors': safetensors(tensors(large)) };

const whole = gguf(metadata(), tensorsOf());
const tensors8 = { 'token_embd.weight': [[256, 4], 'Q8_0'] };
const inFolder = split(2, 'Q6_K/M-Q6_K');

let hub;
before(async () => {
  hub = await serveHub({
    'someone/open': { files },
    'someone/branch': { files, revision: 'v2' },
    'someone/gated': { files, gated: 'hf_good' },
    'someone/limited': { files, limited: 7 },
    'someone/silent': { files, manner: 'silent' },
    'someone/broken': { files, manner: 'broken' },
    'someone/cut': { files: single, manner: 'cut' },
    'someone/rangeless': { files: single, manner: 'rangeless' },
    'someone/failing': { files, manner: 'failing' },
    'someone/nothing-much': { files: { 'tokenizer.json': text('{}'), 'README.md': text('x') } },
    'someone/gguf': { files: { 'README.md': text('x'), 'M-Q8_0.gguf': gguf(metadata(), tensors8), 'M-Q4_K_M.gguf': whole, ...inFolder } },
  });
});
after(() => hub.close());

const open = (name, options = {}) => hubSources(repositoryOf(name), { base: hub.url, patience: 10_000, ...options });

async function failure(work) {
  try {
    await work();
  } catch (error) {
    return failureOf(error);
  }
  throw new Error('this should have failed');
}

test('names and addresses of models', () => {
  assert.deepEqual(repositoryOf('Qwen/Qwen3-8B'), { id: 'Qwen/Qwen3-8B', revision: 'main' });
  assert.deepEqual(repositoryOf(' gpt2 '), { id: 'gpt2', revision: 'main' });
  assert.deepEqual(repositoryOf('a/b@v2'), { id: 'a/b', revision: 'v2' });
  for (const path of ['a/b', 'a/b/', 'a/b/tree/main', 'a/b/blob/main/config.json?download=true'])
    assert.deepEqual(repositoryOf(`https://huggingface.co/${path}`), { id: 'a/b', revision: 'main' }, path);
  for (const bad of ['', 'a/b/c', '../etc', 'a b', 'a/..', '/', 'a/b/settings', 'x'.repeat(200)]) assert.equal(repositoryOf(bad), undefined, bad);
});

test('what leads out of a repository names none', () => {
  const out = ['..', '.', '%2e%2e', '%2E.', '..%2f..', 'v1%2f..%2f..', 'a%5c..', 'a%00', '%'];
  for (const step of out)
    for (const text of [`a/b@${step}`, `https://huggingface.co/a/b/tree/${step}`, `https://huggingface.co/a/b/resolve/${step}/x.gguf`])
      assert.equal(repositoryOf(text), undefined, text);
  assert.deepEqual(repositoryOf('a/b@refs%2Fpr%2F1'), { id: 'a/b', revision: 'refs/pr/1' });
});

test('an address of another host is no model of this hub', () => {
  const asked = 'https://mirror.example:8443';
  for (const host of ['example.com', 'huggingface.co.example.com', 'huggingface.co@example.com', 'huggingface.co:8080', 'xn--hugingface-x', '']) {
    for (const text of [`https://${host}/a/b`, ` HTTP://${host}/a/b/resolve/main/x.gguf`]) {
      assert.equal(repositoryOf(text), undefined, text);
      assert.equal(repositoryOf(text, asked), undefined, text);
      const { failure: said } = noRepository(text, asked);
      assert.equal(said.code, 'hub.other_host');
      assert.match(said.what, /mirror\.example:8443/);
    }
  }
  for (const text of ['ftp://huggingface.co/a/b', 'file:///a/b', 'javascript://huggingface.co/a/b'])
    assert.equal(repositoryOf(text), undefined, text);
  for (const text of ['https://huggingface.co/a/b', 'https://HF.co/a/b', `${asked}/a/b`])
    assert.deepEqual(repositoryOf(text, asked), { id: 'a/b', revision: 'main' }, text);
  assert.equal(repositoryOf(`${asked}/a/b`), undefined, 'who asks the hub itself');
  assert.equal(noRepository('a b').failure.code, 'hub.bad_name');
});

test('a listing that names files outside of the repository is refused, and nothing more is asked', async () => {
  for (const name of ['../../x.gguf', '../x.gguf', 'a/../../../x.gguf', '/x.gguf', 'a//x.gguf', './config.json', '..\\x.gguf', 'a/..']) {
    const asked = [];
    const fetch = async (url) => {
      asked.push(String(url));
      return new Response(
        JSON.stringify({
          siblings: [
            { rfilename: 'config.json', size: 2 },
            { rfilename: name, size: 10 },
          ],
        }),
      );
    };
    const { code, what } = await failure(() => hubSources(repositoryOf('a/b'), { base: hub.url, token: 'hf_secret', fetch }));
    assert.equal(code, 'hub.outside', name);
    assert.ok(what.includes(name));
    assert.equal(asked.length, 1, 'the listing, and nothing behind it');
  }
});

test('GGUFs of a repository: by type, by path, by address', () => {
  assert.deepEqual(repositoryOf('a/b:Q4_K_M'), { id: 'a/b', revision: 'main', type: 'Q4_K_M' });
  assert.deepEqual(repositoryOf('a/b@v2:UD-Q2_K_XL'), { id: 'a/b', revision: 'v2', type: 'UD-Q2_K_XL' });
  assert.deepEqual(repositoryOf('a/b/x.gguf'), { id: 'a/b', revision: 'main', file: 'x.gguf' });
  assert.deepEqual(repositoryOf('https://huggingface.co/a/b/blob/v2/Q4/x%20y.gguf'), { id: 'a/b', revision: 'v2', file: 'Q4/x y.gguf' });
  for (const bad of ['a/b/../x.gguf', 'a/b/resolve/main/%2e%2e/x.gguf', 'a/b/resolve/main/%.gguf', 'a/b:'])
    assert.equal(repositoryOf(bad), undefined, bad);
});

test('of GGUFs the type that is named, all its parts, wherever they lie', async () => {
  for (const [name, names] of [
    ['someone/gguf', ['M-Q4_K_M.gguf']],
    ['someone/gguf:Q8_0', ['M-Q8_0.gguf']],
    ['someone/gguf/M-Q8_0.gguf', ['M-Q8_0.gguf']],
    ['someone/gguf:Q6_K', ['M-Q6_K-00001-of-00002.gguf', 'M-Q6_K-00002-of-00002.gguf']],
  ]) {
    const { sources } = await open(name);
    assert.deepEqual(
      sources.map((source) => source.name),
      names,
    );
  }
  const { sources } = await open('someone/gguf:Q6_K');
  const second = inFolder['Q6_K/M-Q6_K-00002-of-00002.gguf'];
  assert.equal(sources[1].size, second.size);
  assert.deepEqual(Buffer.from(await sources[1].read(0, second.head.length)), second.head);
});

test('headers alone are asked for, and the large ones from where the hub sends them', async () => {
  hub.asked.length = 0;
  const { sources, left } = await open('someone/open');
  assert.deepEqual(left, ['README.md']);
  assert.deepEqual(
    sources.map(({ name }) => name).sort(),
    Object.keys(files)
      .filter((name) => name !== 'README.md')
      .sort(),
  );
  assert.equal(hub.asked.length, 1, 'nothing but the list yet');
  const shard = sources.find(({ name }) => name.endsWith('00002.safetensors'));
  const expected = files[shard.name];
  assert.equal(shard.size, expected.size);
  assert.deepEqual(Buffer.from(await shard.read(0, 500)), expected.head.subarray(0, 500));
  assert.deepEqual(Buffer.from(await shard.read(500, 700)), expected.head.subarray(500, 700));
  const stored = hub.asked.filter(({ host }) => host === 'store');
  assert.deepEqual(
    stored.map(({ range }) => range),
    ['bytes=0-499', 'bytes=500-699'],
  );
});

test('a revision', async () => {
  const { sources } = await open('someone/branch@v2');
  assert.deepEqual(JSON.parse(Buffer.from(await sources[0].read(0, sources[0].size)).toString()), large);
  assert.equal((await failure(() => open('someone/branch'))).code, 'hub.not_found');
});

test('the token goes to the hub and to nobody else', async () => {
  hub.asked.length = 0;
  const { sources } = await open('someone/gated', { token: 'hf_good' });
  await sources.find(({ name }) => name.endsWith('.safetensors')).read(0, 100);
  const tokens = (host) => hub.asked.filter((one) => one.host === host).map(({ token }) => token);
  assert.ok(tokens('hub').every((token) => token === 'Bearer hf_good'));
  assert.deepEqual(tokens('store'), [undefined]);
});

const failures = {
  'a model that is not there': ['someone/nothing', {}, 'hub.unauthorized'],
  'a model that is not there, with a token': ['someone/nothing', { token: 'hf_good' }, 'hub.not_found'],
  'a gated model without a token': ['someone/gated', {}, 'hub.unauthorized'],
  'a token that is not accepted': ['someone/gated', { token: 'wrong' }, 'hub.token_refused'],
  'an account that was not let in': ['someone/gated', { token: 'closed' }, 'hub.gated'],
  'too many requests': ['someone/limited', {}, 'hub.rate_limit_until'],
  'a hub that is silent': ['someone/silent', { patience: 300 }, 'hub.slow'],
  'an answer that is no list': ['someone/broken', {}, 'hub.broken'],
  'a hub in trouble': ['someone/failing', {}, 'hub.failed'],
  'a repository without a model': ['someone/nothing-much', {}, 'hub.nothing'],
  'a type that the repository has not': ['someone/gguf:Q3_K_S', {}, 'hub.no_type'],
  'no hub at all': ['someone/open', { base: 'http://127.0.0.1:9' }, 'hub.unreachable'],
};

for (const [what, [name, options, code]] of Object.entries(failures)) {
  test(`${what} is said plainly`, async () => {
    const said = await failure(() => open(name, options));
    assert.equal(said.code, code, JSON.stringify(said));
    assert.ok(said.what && said.hint);
    if (code === 'hub.rate_limit_until') assert.equal(said.values.seconds, 7);
  });
}

test('an answer that is cut short', async () => {
  const { sources } = await open('someone/cut');
  const weights = sources.find(({ name }) => name === 'model.safetensors');
  const said = await failure(() => weights.read(0, 10_000));
  assert.equal(said.code, 'hub.broken', JSON.stringify(said));
  assert.equal(said.where, 'model.safetensors');
});

test('a server that ignores ranges is left when the header is there', async () => {
  hub.asked.length = 0;
  const { sources } = await open('someone/rangeless');
  const weights = sources.find(({ name }) => name === 'model.safetensors');
  const { head } = single['model.safetensors'];
  assert.deepEqual(Buffer.from(await weights.read(0, 600)), head.subarray(0, 600));
  assert.deepEqual(Buffer.from(await weights.read(600, 900)), head.subarray(600, 900));
  const stored = hub.asked.filter(({ host }) => host === 'store');
  // What lies in sockets' buffers was sent before anyone could say stop.
  for (const { sent } of stored) assert.ok(sent < weights.size / 10, `${sent} of ${weights.size} bytes were sent`);
});

test('stopping stops', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await assert.rejects(open('someone/silent', { signal: stop.signal }), /enough/);
});
