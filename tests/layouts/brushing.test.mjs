// Layouts as points of two measures, and what a brush leaves of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measures, pointsOf, spanOf, within } from '../../web/src/layouts/brushing.mjs';

const layout = (number, process, more = {}) => ({ request: {}, process, devices: 8, sent_between: 0, rank: [0, number], ...more });
const [small, large] = [layout(1, 10, { recompute: 0.3, bubble: 0.1 }), layout(2, 20)];

test('each layout is one point, whether it is among the best, on the front, or both', () => {
  const points = pointsOf({ layouts: [small, large], front: [small] });
  assert.deepEqual(
    points.map(({ layout, front }) => [layout.process, front]),
    [
      [10, true],
      [20, false],
    ],
  );
});

test('a brush leaves what is at most so large and so costly', () => {
  assert.equal(measures.overhead(small), 0.4);
  assert.equal(measures.overhead(large), 0);
  const left = (brush) => [small, large].filter((one) => within(one, 'overhead', brush));
  assert.deepEqual(left({}), [small, large]);
  assert.deepEqual(left({ bytes: 15 }), [small]);
  assert.deepEqual(left({ cost: 0.1 }), [large]);
  assert.deepEqual(left({ bytes: 15, cost: 0.1 }), []);
});

test('a span has room at both ends, and is never empty', () => {
  const { low, high } = spanOf([10, 20]);
  assert.ok(low < 10 && high > 20);
  for (const values of [[5], [0, 0]]) assert.ok(spanOf(values).high > spanOf(values).low);
});
