// A defect inside the WebAssembly engine is a reply that says so, and the engine answers the next request. The defect here is memory
// that cannot grow, which leaves the engine no way out but to stop.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inspectFiles } from '../../web/src/files/door.mjs';
import { instantiated } from '../../web/src/node/engine.mjs';

/** Runs `work` while WebAssembly cannot grow its memory. */
function cramped(work) {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError('denied by the test');
  };
  try {
    work();
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
}

const long = JSON.stringify({ long: 'x'.repeat(4e6) });
const config = '{"model_type":"llama","hidden_size":64,"intermediate_size":64,"num_hidden_layers":1,"num_attention_heads":2,"vocab_size":9}';

const question = ['estimate', JSON.stringify({ model: { parameters: 7e9 } })];
const engines = {
  plimsoll: ['provide', 'estimate', 'sweep', 'solve'],
  'plimsoll-whole': ['provide', 'estimate', 'sweep', 'solve', 'plan', 'inspect'],
};

for (const [name, asks] of Object.entries(engines))
  test(`${name}: memory that cannot grow is an error reply, and it answers after it`, async () => {
    const door = await instantiated(name);
    const [command, text] = question;
    const before = door[command](text);
    cramped(() => {
      for (const ask of asks)
        for (let times = 0; times < 5; ++times) {
          const { error } = JSON.parse(door[ask](long));
          assert.equal(error.code, 'internal');
          assert.equal(error.where, ask === 'provide' ? 'presets' : '');
        }
    });
    assert.equal(door[command](text), before);
  });

test('files that no memory can hold are refused like any other', async () => {
  const door = await instantiated('plimsoll-whole');
  const held = [{ name: 'x.json', size: 4e6, bytes: new Uint8Array(4e6) }];
  cramped(() =>
    assert.throws(
      () => inspectFiles(door, held),
      ({ failure }) => failure.code === 'file.no_memory',
    ),
  );
  assert.match(JSON.stringify(inspectFiles(door, [{ name: 'config.json', size: config.length, bytes: Buffer.from(config) }])), /parameters/);
});
