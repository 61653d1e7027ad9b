// Figures beside what an estimate has for the same thing, and what a difference is made of.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { againstOf, compared, valueAt } from '../../web/src/reconcile/comparing.mjs';

const against = againstOf(JSON.parse(readFileSync(new URL('../../presets/schema/reconcile_reply.json', import.meta.url), 'utf8')));
const figure = (counter, bytes, more = {}) => ({
  counter,
  bytes,
  value: bytes,
  low: bytes - 1,
  high: bytes + 1,
  estimate: false,
  ...more,
});
const row = (id, bytes, rows) => ({
  id,
  bytes,
  low: bytes,
  high: bytes,
  ...(rows && { rows }),
});

const rows = [row('weights', 1000, [row('vision', 200)]), row('kv_cache', 300), row('activations', 50), row('workspace', 40, [row('library', 30)])];
const reply = {
  total: {
    bytes: 1400,
    low: 1390,
    high: 1410,
    process: { bytes: 1500, low: 1490, high: 1510 },
    claimed: 5000,
  },
  rows,
  devices: [{ count: 4, bytes: 1400, rows }],
  capacity: {
    bytes: 3920,
    low: 3900,
    high: 3940,
    beside: ['weights', 'activations', 'workspace.library'],
    kv_tokens: 64,
  },
};

test('a total of all devices is that of one as often as there are devices, and a row the sum of their rows', () => {
  assert.deepEqual(valueAt(reply, 'devices.capacity'), {
    of: 'devices.capacity',
    bytes: 15680,
    low: 15600,
    high: 15760,
  });
  assert.equal(valueAt(reply, 'devices.total.claimed').bytes, 20000);
  const unequal = {
    ...reply,
    devices: [{ rows }, { count: 2, rows: [row('weights', 700)] }],
  };
  assert.equal(valueAt(unequal, 'devices.rows.weights').bytes, 2400);
  assert.equal(valueAt(reply, 'rows.workspace.library').bytes, 30);
  assert.equal(valueAt(reply, 'devices.rows.absent'), undefined);
});

test("a TPU's sums over its chips are held against all devices, and what its account has no room for is told", () => {
  const figures = [
    figure('total_of_chips', 22000),
    figure('budget_of_chips', 20000),
    figure('weights_of_chips', 4000),
    figure('kv_cache_budget_of_chips', 16000),
  ];
  const found = compared(figures, reply, against, 'vllm');
  assert.deepEqual(
    found.map(({ figure: at, ours, difference }) => [at, ours.of, difference]),
    [
      [1, 'devices.total.claimed', 0],
      [2, 'devices.rows.weights', 0],
      [3, 'devices.capacity', 320],
    ],
  );
  assert.deepEqual(found[2].explained, [
    { by: 'no devices.rows.activations', bytes: 200 },
    { by: 'no devices.rows.workspace.library', bytes: 120 },
  ]);
  assert.equal(found[2].unexplained, 0);
  // where the three do not add up, something else was taken off, and nothing says what
  const open = compared([...figures.slice(0, 3), figure('kv_cache_budget_of_chips', 15900)], reply, against, 'vllm');
  assert.deepEqual(open[2].explained, []);
});

test('mlx-lm loads the language model alone; what else prints its line may not', () => {
  const peak = [figure('allocated_peak', 1195)];
  const [alone] = compared(peak, reply, against, 'mlx', { mlx_lm: 'generate' });
  assert.deepEqual([alone.explained, alone.unexplained], [[{ by: 'no rows.weights.vision', bytes: -200 }], -5]);
  assert.deepEqual(compared(peak, reply, against, 'mlx')[0].explained, []);
});

test('what lies on the host instead of the device is moved, and what both lack stays unexplained', () => {
  const divided = {
    ...reply,
    host: { rows: [row('weights', 600), row('activations', 20)] },
  };
  const found = compared(
    [
      figure('weights', 700, { device: 'CUDA0' }),
      figure('weights', 890, { device: 'CPU' }),
      figure('compute_buffer', 20, { device: 'CUDA0' }),
      figure('compute_buffer', 50, { device: 'CPU' }),
    ],
    divided,
    against,
    'ollama',
  );
  assert.deepEqual(
    found.map(({ explained, unexplained }) => [explained, unexplained]),
    [
      [[{ by: 'weights less host.rows.weights', bytes: -290 }], -10],
      [[{ by: 'weights less rows.weights', bytes: 290 }], 0],
      [[], -30],
      [[], 30],
    ],
  );
});
