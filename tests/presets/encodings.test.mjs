// What encodings say of themselves hangs together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodingFamilies } from '../../web/src/library/families.mjs';
import { filesOf, schemas } from './schema.mjs';

const encodings = filesOf('encodings').map(({ preset }) => preset);
const byId = new Map(encodings.map((preset) => [preset.id, preset]));

test('the fields of a block are all of its bits', () => {
  const laid = encodings.filter(({ layout }) => layout);
  assert.notEqual(laid.length, 0);
  for (const { id, bits, block = 1, layout } of laid) {
    const sum = layout.reduce((all, { count = 1, bits: each }) => all + count * each, 0);
    assert.ok(Math.abs(sum - bits * block) < 1e-9, `${id}: ${sum} bits, not ${bits * block}`);
    for (const { count = 1 } of layout) assert.equal(block % count, 0, `${id}: ${count} do not share the block equally`);
  }
});

test('whatever is stored in blocks says what a block consists of', () => {
  for (const { id, block, base, layout } of encodings) {
    if (block) assert.ok(layout, id);
    if (base) assert.ok(byId.get(base)?.layout, `${id}: nothing is known of ${base}`);
  }
});

test('a name stands for one encoding alone', () => {
  const names = encodings.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  assert.equal(new Set(names).size, names.length);
});

test('every family has its place in the list and an encoding of weights', () => {
  const { enum: all } = schemas().find(({ name }) => name === 'common.json').schema.$defs.encoding_family;
  assert.deepEqual(encodingFamilies.toSorted(), all.toSorted());
  for (const family of all) {
    const some = encodings.some((one) => one.family === family && one.uses.includes('weights'));
    assert.ok(some, family);
  }
});
