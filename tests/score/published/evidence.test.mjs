// What the site shows of the rows: all of them, and nothing that the score does not say.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { evidence } from './evidence.mjs';
import { measuredFiles, score } from '../run.mjs';

const few = measuredFiles().filter((file) => /(inference|training)\.jsonl$/.test(file));

describe('the cases of the site', () => {
  let board, nearest, results;
  before(() => {
    ({ board, nearest } = evidence(few));
    results = score(few);
  });

  test('are all figures that were compared, as they were', () => {
    const compared = results.filter(({ reason }) => reason === undefined);
    assert.equal(board.figures.length, compared.length);
    for (const [i, [, , , truth, answer = truth]] of board.figures.entries()) {
      assert.equal(truth, compared[i].truth);
      assert.ok(Math.abs(answer - compared[i].answer) < 0.001);
    }
  });

  test('and what was not compared is counted with its reason', () => {
    const counted = board.reasons.reduce((sum, [, times]) => sum + times, 0);
    assert.equal(counted, results.filter(({ reason }) => reason !== undefined).length);
  });

  test('those that an answer is held against mean one of its totals', () => {
    assert.ok(nearest.entries.length > 200);
    const counters = new Set(nearest.entries.map((entry) => nearest.texts[entry[8]]));
    assert.deepEqual([...counters].sort(), ['allocated', 'capacity', 'process', 'reserved', 'unstated']);
    for (const [, , , , , , , , , said, ours, low, high] of nearest.entries) assert.ok(said > 0 && ours > 0 && low <= ours && ours <= high);
  });
});
