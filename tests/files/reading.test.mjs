// The loop that reads for the engine: first bytes, then what it asks for, and polite refusals. Here the engine is a
// stand-in that asks as the real one does.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inspect } from '../../web/src/files/reading.mjs';
import { textSource } from '../../web/src/files/source.mjs';
import { config, safetensors, tensors } from '../web/checkpoint.mjs';

/** A file of which every read is noted; beyond its head it is zeros. */
function noted(name, { head, size }) {
  const reads = [];
  const read = async (from, to) => {
    reads.push([from, to]);
    const bytes = new Uint8Array(Math.min(to, size) - from);
    bytes.set(head.subarray(from, to).subarray(0, bytes.length));
    return bytes;
  };
  return { name, size, read, reads };
}

/** Asks for each safetensors header as a whole, then replies with what it was given. */
function standIn() {
  const memory = { bytes: new Uint8Array() };
  const headerEnd = (bytes) => 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  return {
    reserve(size) {
      memory.bytes = new Uint8Array(size + 16);
      return 16;
    },
    get HEAPU8() {
      return memory.bytes;
    },
    inspect(text) {
      const { files } = JSON.parse(text);
      const given = files.map(({ at, length }) => memory.bytes.slice(16 + at, 16 + at + length));
      const need = files.flatMap(({ name, length }, file) => {
        const wanted = name.endsWith('.safetensors') ? headerEnd(given[file]) : length;
        return wanted > length ? [{ file, bytes: wanted }] : [];
      });
      if (need.length > 0) return JSON.stringify({ schema: 1, need });
      return JSON.stringify({ schema: 1, files: files.map(({ name, size }, file) => ({ name, size, read: given[file].length })) });
    },
  };
}

test('a header is read, the weights are not', async () => {
  const file = noted('model.safetensors', safetensors(tensors(config({ hidden_size: 8192, vocab_size: 128256 }))));
  const reply = await inspect(standIn(), [file]);
  assert.deepEqual(reply.files, [{ name: file.name, size: file.size, read: 65536 }]);
  assert.deepEqual(file.reads, [[0, 65536]]);
});

test('a long header is read on from where the first bytes end', async () => {
  const model = safetensors(tensors(config()), { padding: 200_000 });
  const file = noted('model.safetensors', model);
  const reply = await inspect(standIn(), [file, textSource('config.json', JSON.stringify(config()))]);
  assert.equal(reply.files[0].read, model.head.length);
  assert.deepEqual(file.reads, [
    [0, 65536],
    [65536, model.head.length],
  ]);
});

test('many shards together, with progress that ends at everything', async () => {
  const files = Array.from({ length: 30 }, (_, i) => noted(`model-${i}.safetensors`, safetensors({ [`t${i}`]: [1000, 1000] })));
  const seen = [];
  const reply = await inspect(standIn(), files, { progress: (now) => seen.push(now) });
  assert.deepEqual(
    reply.files.map(({ name }) => name),
    files.map(({ name }) => name),
  );
  const last = seen.at(-1);
  assert.equal(last.read, last.wanted);
  assert.equal(last.files, 30);
  assert.ok(seen.every((now, i) => i === 0 || now.read > seen[i - 1].read));
});

test('a byte order mark is not handed on', async () => {
  const reply = await inspect(standIn(), [textSource('config.json', '\uFEFF{}')]);
  assert.deepEqual(reply.files, [{ name: 'config.json', size: 2, read: 2 }]);
});

const refusals = {
  'an empty file': [[textSource('config.json', '')], 'file.empty'],
  'no file': [[], 'file.none'],
  'JSON beyond 128 MiB': [[noted('index.json', { head: Buffer.from('{'), size: 2 ** 27 + 1 })], 'file.too_large'],
  'a header beyond 128 MiB': [[noted('x.safetensors', { head: Buffer.from([0, 0, 0, 16, 0, 0, 0, 0]), size: 2 ** 33 })], 'file.too_large'],
  'a file that became shorter': [[{ name: 'x.json', size: 100, read: async () => new Uint8Array(10) }], 'file.shorter'],
};

for (const [what, [files, code]] of Object.entries(refusals)) {
  test(`${what} is refused by name, nothing of it kept`, async () => {
    const { error } = await inspect(standIn(), files);
    assert.equal(error.code, code);
    assert.ok(error.hint, 'says what to do');
    if (files.length > 0) assert.equal(error.where, files[0].name);
  });
}

test('an engine that asks for ever is left', async () => {
  const file = noted('x.safetensors', safetensors({ a: [10, 10] }));
  await assert.rejects(
    inspect({ ...standIn(), HEAPU8: new Uint8Array(1e6), inspect: () => '{"need":[{"file":0,"bytes":1}]}' }, [file]),
    /bytes that it has/,
  );
});

test('stopping stops', async () => {
  const stop = new AbortController();
  const file = noted('x.json', { head: Buffer.from('{}'), size: 2 ** 26 });
  await assert.rejects(inspect(standIn(), [file], { signal: stop.signal, progress: () => stop.abort(new Error('enough')) }), /enough/);
  assert.equal(file.reads.length, 1);
});
