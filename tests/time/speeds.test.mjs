// Of times on the page, what needs no page: points of a curve, roofs, prices and energy.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { energyAtMost, priced } from '../../web/src/time/pricing.mjs';
import { speedIn, untilFull, valuesUpTo } from '../../web/src/time/speeding.mjs';
import { reach, roofAt } from '../../web/src/charts/roofs.mjs';

const told = { value: 50, low: 25, high: 100 };

test('values stand four to an octave, with the limit and the chosen one', () => {
  assert.deepEqual(valuesUpTo(8, 1, 1), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(valuesUpTo(40960, 16384, 17000), [16384, 17000, 20480, 24576, 28672, 32768, 40960]);
});

test('a reply is a point where it tells a speed or a limit', () => {
  const fit = { verdict: 'fits', free_bytes: 1 };
  assert.equal(speedIn(1, { error: { code: 'x', what: 'y' } }), undefined);
  assert.equal(speedIn(1, { time: { why: 'nothing is known' } }), undefined);
  assert.deepEqual(speedIn(2, { fit, time: { roof: { tokens_per_second: 60 } } }), { value: 2, most: 60, fits: true });
  const full = { ...fit, verdict: 'too large' };
  assert.deepEqual(speedIn(2, { fit: full, time: { tokens_per_second: told } }), { value: 2, told, fits: false });
});

test('a curve ends where it is full, and is whole where nothing fits', () => {
  const at = (value, fits) => ({ value, fits });
  assert.deepEqual(untilFull([at(1, true), at(2, true), at(4, false)]), [at(1, true), at(2, true)]);
  assert.deepEqual(untilFull([at(1, false), at(2, false)]), [at(1, false), at(2, false)]);
});

test('a roof is a slope up to its ridge, and level behind it', () => {
  const roof = { bandwidth: 10, rate: 1000 };
  assert.deepEqual(
    [1, 100, 500].map((intensity) => roofAt(roof, intensity)),
    [10, 1000, 1000],
  );
  assert.equal(roofAt({ bandwidth: 10, rate: undefined }, 500), 5000);
  assert.deepEqual(reach({ points: [{ intensity: 3 }], peak: roof }), [1, 500]);
});

test('a price buys tokens: of a told speed with its range, of a limit at most', () => {
  assert.deepEqual(priced({ tokens_per_second: told }, 2), { tokens: 90_000, low: 45_000, high: 180_000, price: 2e6 / 180_000, limit: false });
  assert.deepEqual(priced({ roof: { tokens_per_second: 50 } }, 2), { tokens: 90_000, price: 2e6 / 180_000, limit: true });
  assert.equal(priced({ why: 'nothing is known' }, 2), undefined);
});

test('energy is bounded by the slowest that is told, and by nothing where there is but a limit', () => {
  assert.equal(energyAtMost({ tokens_per_second: told }, 360), 4);
  assert.equal(energyAtMost({ roof: { tokens_per_second: 50 } }, 360), undefined);
});
