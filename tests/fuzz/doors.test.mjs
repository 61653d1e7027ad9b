// The doors that are no C++: what names a model on the hub, a listing of the hub, names in a dropped folder. A grammar with a
// seed makes them; whatever they say, the token goes to the hub alone, no address leaves the repository, and a refusal is one of
// ours. PLIMSOLL_DOORS: how many of each; PLIMSOLL_SEED.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseFiles } from '../../web/src/files/choosing.mjs';
import { hubSources, repositoryOf } from '../../web/src/files/hub.mjs';
import { FileError, failureOf } from '../../web/src/files/source.mjs';
import { steering } from '../hostile/strings.mjs';
import { Random } from '../parity/random.mjs';

const count = Number(process.env.PLIMSOLL_DOORS ?? 3000);
const random = new Random(Number(process.env.PLIMSOLL_SEED ?? 20261123));
const base = 'https://hub.test';

const words = ['org', 'name', 'model', 'Q4_K_M', 'main', 'v1.0', '..', '.', '', 'a'.repeat(100), '%2e%2e', '%2f', 'gguf', '中文'];
const joints = ['/', '//', '@', ':', '/tree/', '/blob/', '/resolve/', '?', '#', '\\', '/../', '.', ' '];
const hosts = ['', 'https://hub.test/', 'https://huggingface.co/', 'https://hub.test@evil.test/', 'http://evil.test/', '//evil.test/', 'file:///'];
const endings = ['', '.gguf', '.safetensors', '.json', '-00001-of-00002.gguf', '-00002-of-00002.safetensors', '.GGUF'];
const bases = ['config', 'model', 'model.safetensors.index', 'adapter_config', 'mmproj-F16', 'x-Q4_K_M', 'sub/x-Q8_0', '../x', 'a/../../x', '/etc/x'];

const word = () => (random.chance(10) ? random.pick(steering) : random.pick(words));
const some = (most, make) => Array.from({ length: random.between(1, most) }, make);
const name = () => `${random.chance(70) ? random.pick(bases) : some(3, word).join('/')}${random.pick(endings)}`;
const given = () => random.pick(hosts) + some(4, word).reduce((text, next) => text + random.pick(joints) + next);

/** A value that a listing may have instead of what belongs there. */
const odd = () => random.pick([null, 0, -1, 2 ** 60, '', [], {}, true, 'x', 1.5]);
const size = () => (random.chance(80) ? random.between(0, 1e9) : odd());

function listing() {
  const file = () => (random.chance(90) ? { rfilename: random.chance(90) ? name() : odd(), size: size() } : odd());
  const whole = { id: 'org/name', siblings: random.chance(90) ? some(8, file) : odd(), gated: odd(), private: odd() };
  if (random.chance(20)) delete whole[random.pick(Object.keys(whole))];
  const text = JSON.stringify(random.chance(95) ? whole : odd());
  return random.chance(10) ? text.slice(0, random.between(0, text.length)) : text;
}

/** A hub that answers with one text, and remembers what it was asked. */
function hubOf(text) {
  const asked = [];
  const fetch = (url, { headers = {} } = {}) => {
    asked.push({ url: new URL(url), headers });
    return Promise.resolve(new Response(asked.length === 1 ? text : new Uint8Array(8), { status: asked.length === 1 ? 200 : 206 }));
  };
  return { asked, fetch };
}

const isPlain = (path) => !path.split('/').some((part) => part === '..' || part === '.' || /%2e%2e|%2f/i.test(part));

test('a text names a repository of this hub, or none', () => {
  for (let i = 0; i < count; ++i) {
    const text = given();
    const found = repositoryOf(text, base);
    if (!found) continue;
    assert.match(found.id, /^[^/\s]+(\/[^/\s]+)?$/, JSON.stringify(text));
    for (const part of [found.id, found.revision, found.file ?? '']) assert.ok(isPlain(part), JSON.stringify({ text, found }));
    assert.ok(!/evil/.test(new URL(`${base}/${found.id}`).host), text);
  }
});

test('whatever a listing says, files of the repository alone are asked for, and refusals are ours', async () => {
  let answered = 0;
  for (let i = 0; i < count; ++i) {
    const text = listing();
    const { asked, fetch } = hubOf(text);
    try {
      const { sources } = await hubSources({ id: 'org/name', revision: 'main' }, { base, token: 'secret', fetch });
      ++answered;
      for (const source of sources) await source.read(0, 8).catch((error) => assert.ok(failureOf(error).code, text));
    } catch (error) {
      assert.ok(error instanceof FileError, `${error.stack} for ${text}`);
    }
    for (const { url } of asked) {
      assert.equal(url.host, 'hub.test', text);
      assert.match(url.pathname, /^\/(api\/models\/org\/name$|org\/name\/resolve\/main\/)/, text);
    }
  }
  assert.ok(answered > count / 10, `${answered} of ${count}`);
});

test('of any folder each file is chosen or left, and none twice', () => {
  for (let i = 0; i < count; ++i) {
    const files = some(12, () => ({ name: name() }));
    const wanted = random.pick([{}, { type: word() }, { file: name() }]);
    const { chosen, left } = chooseFiles(files, wanted);
    assert.equal(chosen.length + left.length, files.length);
    assert.deepEqual(new Set([...chosen, ...left]), new Set(files));
  }
});
