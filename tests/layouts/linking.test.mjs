// What was asked of a search over layouts goes into a link and comes back, and nothing else does.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sought, wishIn } from '../../web/src/layouts/linking.mjs';

const wish = { perNode: 8, nodes: 2, within: 450, between: 50, want: 'least_overhead', batch: 64, kept: ['framework', 'recompute'], others: [] };
const others = [
  { device: 'a100-sxm-40gb', perNode: 4, nodes: 16 },
  { device: 'h200-sxm-141gb', perNode: 8, nodes: 1 },
];

test('a wish comes back as it went, in letters that a link leaves as they are', () => {
  for (const one of [
    wish,
    { ...wish, batch: undefined },
    { ...wish, kept: [] },
    { ...wish, want: 'most_sequences', nodes: 16384 },
    { ...wish, others },
  ]) {
    const text = sought(one);
    assert.deepEqual(wishIn(text), one);
    assert.equal(new URLSearchParams({ layouts: text }).toString(), `layouts=${text}`);
  }
});

test('what was not written here is nothing', () => {
  const text = sought(wish);
  for (const bent of ['', 'x', text.slice(0, -3), `${text}.1`, text.replace('least', 'most'), text.replace('framework', 'weather')])
    assert.equal(wishIn(bent), undefined, bent);
  for (const nothing of [
    { ...wish, perNode: 0 },
    { ...wish, nodes: 0 },
    { ...wish, batch: 0 },
    { ...wish, within: 0 },
    { ...wish, others: [{ ...others[0], nodes: 0 }] },
    { ...wish, others: [{ ...others[0], device: 'a100 sxm' }] },
  ])
    assert.equal(wishIn(sought(nothing)), undefined);
});
