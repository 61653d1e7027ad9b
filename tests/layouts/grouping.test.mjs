// The groups of a cluster, and the few boxes that it is drawn as.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOf, kinds, mostBoxes, mostCells, pictured, placeOf, sizesOf } from '../../web/src/layouts/grouping.mjs';

const layouts = [
  { tensor: 8, pipeline: 4, data: 2 },
  { tensor: 2, context: 4, data: 4, pipeline: 2 },
  { tensor: 4, context: 2, data: 8, pipeline: 16 },
  { tensor: 2, data: 16, pipeline: 4, expert: 8 },
  { tensor: 16, data: 4 },
  { tensor: 1, pipeline: 12, data: 2 },
];
/** Devices by the number of their group. */
function grouped(ranks, parallel, kind) {
  const groups = new Map();
  for (const rank of ranks) groups.set(groupsOf(rank, parallel)[kind], [...(groups.get(groupsOf(rank, parallel)[kind]) ?? []), rank]);
  return [...groups.values()];
}
const devicesOf = ({ tensor = 1, context = 1, data = 1, pipeline = 1 }) => tensor * context * data * pipeline;

test('devices are numbered as Megatron-LM does: tensor first, then context, data, pipeline', () => {
  // Megatron-LM, core/parallel_state.py: 16 devices, tensor 2 and pipeline 4: [g0, g1], …; data [g0, g2], …; pipeline [g0, g4, g8, g12], …
  const parallel = { tensor: 2, data: 2, pipeline: 4 };
  const groups = (kind) => grouped([...Array(16).keys()], parallel, kind);
  assert.deepEqual(groups('tensor').slice(0, 2), [
    [0, 1],
    [2, 3],
  ]);
  assert.deepEqual(groups('data').slice(0, 3), [
    [0, 2],
    [1, 3],
    [4, 6],
  ]);
  assert.deepEqual(groups('pipeline')[0], [0, 4, 8, 12]);
});

test('each kind divides the devices into groups of its degree, each device once', () => {
  for (const parallel of layouts) {
    const all = [...Array(devicesOf(parallel)).keys()];
    for (const kind of kinds) {
      const size = parallel[kind] ?? 1;
      const groups = grouped(all, parallel, kind);
      assert.equal(groups.length, all.length / size, `${kind} of ${JSON.stringify(parallel)}`);
      for (const members of groups) {
        assert.equal(members.length, size);
        if (kind !== 'expert') assert.equal(new Set(members.map((rank) => placeOf(rank, parallel)[kind])).size, size);
      }
    }
  }
});

test('a picture of any size is few boxes of few cells, and counts every node', () => {
  const large = [
    { tensor: 8, pipeline: 128, data: 16 },
    { tensor: 16, context: 8, data: 8, pipeline: 16 },
    { tensor: 3, pipeline: 7, data: 5 },
  ];
  for (const parallel of [...layouts, ...large])
    for (const perNode of [1, 4, 8, 72]) {
      const devices = devicesOf(parallel);
      const { boxes, left } = pictured(parallel, devices, perNode);
      assert.ok(boxes.length <= mostBoxes);
      assert.ok(boxes.every(({ cells }) => cells.length <= mostCells));
      assert.equal(
        boxes.reduce((sum, { count }) => sum + count, left),
        Math.ceil(devices / perNode),
      );
    }
});

test('nodes of one stage whose devices are alike are one box', () => {
  const { boxes } = pictured({ tensor: 8, pipeline: 2, data: 64 }, 1024, 8);
  assert.deepEqual(
    boxes.map(({ first, count }) => [first, count]),
    [
      [0, 64],
      [64, 64],
    ],
  );
});

test('what divides nothing has no groups', () => {
  assert.deepEqual(sizesOf({ tensor: 8, data: 4 }), [
    { kind: 'tensor', size: 8, groups: 4 },
    { kind: 'data', size: 4, groups: 8 },
  ]);
});
