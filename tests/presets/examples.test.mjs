// Every figure of every example: the article's by its own arithmetic, ours by arithmetic and by the engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/src/node/engine.mjs';
import { arithmetic, holds, measured } from './figures.mjs';
import { faults, filesOf } from './schema.mjs';

const examples = filesOf('examples').map(({ preset }) => preset);

test('they have an order of their own', () => {
  const orders = examples.map(({ order }) => order);
  assert.equal(new Set(orders).size, orders.length);
});

for (const { id, request, compare } of examples) {
  for (const [i, { what, article, ours }] of compare.entries()) {
    const name = `${id} ${i + 1}, ${what}`;

    for (const figure of [article, ours].filter((f) => f?.arithmetic)) {
      test(`${name}: ${figure.arithmetic} = ${figure.value}`, () => {
        const value = arithmetic(figure.arithmetic);
        assert.ok(holds(value, figure.value), `it is ${value}`);
      });
    }

    test(`${name}: ours is reckoned, not asserted`, () => {
      assert.ok(ours.arithmetic || ours.path, 'neither arithmetic nor a path');
      assert.ok(request || !(ours.path ?? article?.path), 'a path without a request');
    });

    for (const [whose, figure] of Object.entries({ article, ours }).filter(([, f]) => f?.path)) {
      test(`${name}: the engine says ${figure.value} (${whose})`, async () => {
        const engine = await load();
        const value = measured(figure, request, (asked) => {
          assert.deepEqual(faults('request', asked), []);
          return engine.estimate(asked);
        });
        assert.ok(holds(value, figure.value), `it says ${value}`);
      });
    }
  }
}
