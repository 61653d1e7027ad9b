// Memory of the WebAssembly that ends at any step: the first growth is refused, or the second, and so on. Each time the reply is
// an answer or an error that says so, and the next request is answered as before.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Engine, instantiated } from '../../web/src/node/engine.mjs';

/** Runs `work` with so many growths allowed, and says how many were asked for. */
function capped(allowed, work) {
  const { grow } = WebAssembly.Memory.prototype;
  let asked = 0;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (++asked > allowed) throw new RangeError('denied by the test');
    return grow.call(this, pages);
  };
  try {
    return { reply: work(), asked };
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
}

/** An engine of its own, which knows the presets. */
const made = async (name) => new Engine(await instantiated(name));

const config = { model_type: 'llama', hidden_size: 64, num_hidden_layers: 2, num_attention_heads: 2, intermediate_size: 128, vocab_size: 9 };
const question = JSON.stringify({ model: { config }, inference: { context: 512 } });
const many = (from, count) => Array.from({ length: count }, (_, at) => from + at);
const requests = {
  estimate: JSON.stringify({ model: { config, unheard_of: 'x'.repeat(3e6) }, allow_unknown: true, inference: { context: 512 } }),
  sweep: JSON.stringify({
    request: { model: { config }, inference: { context: 1 } },
    over: [
      { field: 'inference.context', values: many(1, 700) },
      { field: 'inference.sequences', values: many(1, 60) },
    ],
  }),
};

for (const name of ['plimsoll', 'plimsoll-whole'])
  for (const [command, request] of Object.entries(requests))
    test(`${name}, ${command}: memory that ends at any growth is an error reply, and the next request is answered`, async () => {
      const before = (await made(name)).ask('estimate', question);
      assert.equal(JSON.parse(before).error, undefined);
      let refused = 0;
      for (let allowed = 0; allowed < 24; ++allowed) {
        const fresh = await made(name);
        assert.equal(fresh.ask('estimate', question), before);
        const { reply, asked } = capped(allowed, () => fresh.ask(command, request));
        const { error } = JSON.parse(reply);
        if (asked > allowed) {
          ++refused;
          assert.equal(error?.code, 'internal', `${allowed} growths of ${asked}`);
        }
        assert.equal(fresh.ask('estimate', question), before);
        if (asked <= allowed) break;
      }
      assert.ok(refused > 0, 'the request needs more memory than there is at first');
    });
