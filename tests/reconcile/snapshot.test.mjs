// Snapshots of PyTorch's allocator: what is read of them, in portions of any size, and that whatever bytes come in are an answer or
// a refusal.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { compared } from '../../web/src/reconcile/comparing.mjs';
import { SnapshotError } from '../../web/src/reconcile/snapshot/kept.mjs';
import { readSnapshot, snapshotIn } from '../../web/src/reconcile/snapshot/reading.mjs';
import { snapshotReply } from '../../web/src/reconcile/snapshot/summing.mjs';
import { snapshotKind } from '../../web/src/files/snapshots.mjs';
import { faults } from '../presets/schema.mjs';
import { pickled } from './pickling.mjs';

const MiB = 2 ** 20;
const small = new Uint8Array(readFileSync(new URL('snapshots/small.pickle', import.meta.url)));
const bytesOf = (value) => new TextEncoder().encode(JSON.stringify(value));

/** Numbers that are the same on every run. */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A snapshot of tensors that come and go, and the most that they asked for at once. */
function made(seed, count) {
  const next = seeded(seed);
  const frames = [{ filename: 'train.py', line: 1, name: 'step "of" \\ a run' }];
  const [trace, live] = [[], []];
  let [now, peak] = [0, 0];
  for (let i = 0; i < count; ++i) {
    if (live.length > 0 && next(2) === 0) {
      const size = live.splice(next(live.length), 1)[0];
      now -= size;
      for (const action of ['free_requested', 'free_completed']) trace.push({ action, addr: i, size, time_us: i, frames });
    } else {
      const size = 1 + next(MiB);
      live.push(size);
      trace.push({ action: 'alloc', addr: i, size, time_us: i, frames });
      peak = Math.max(peak, (now += size));
    }
  }
  const blocks = live.map((requested_size) => ({ size: Math.ceil(requested_size / 512) * 512, requested_size, state: 'active_allocated', frames }));
  const allocated = blocks.reduce((sum, { size }) => sum + size, 0);
  const segment = { device: 0, total_size: 512 * MiB, allocated_size: allocated, active_size: allocated, segment_type: 'large', blocks };
  return { value: { segments: [segment], device_traces: [trace] }, peak, now, allocated };
}

const one = (reply, counter) => reply.figures.find((figure) => figure.counter === counter)?.bytes;

test('a pickle of CPython: what is held, the most that was, and the request that failed', () => {
  const reply = snapshotIn(small);
  assert.deepEqual(faults('reconcile_reply', reply), []);
  assert.equal(reply.tool, 'torch-snapshot');
  const said = Object.fromEntries(reply.figures.map(({ counter, bytes }) => [counter, bytes]));
  assert.deepEqual(said, {
    allocated: 4 * MiB + 512,
    active: 5 * MiB + 512,
    tensors: 4 * MiB - 96,
    reserved: 22 * MiB,
    tensors_peak: 13 * MiB - 96,
    reserved_peak: 86 * MiB,
    requested: 300 * MiB,
    device_free: 100 * MiB,
  });
  const [{ segments, small: pool, large, largest, entries, seconds, course }] = reply.snapshot;
  assert.deepEqual([segments, pool, large, entries, seconds], [2, 2 * MiB, 20 * MiB, 10, 2]);
  assert.deepEqual(largest[0], { bytes: 20 * MiB, allocated: 4 * MiB, blocks: 3, largest_free: 15 * MiB, pool: 'large' });
  assert.deepEqual(
    course.tensors.map((bytes) => Math.round(bytes / MiB)),
    [0, 4, 4, 4, 13, 13, 13, 13, 4, 4],
  );
});

test('pickle and JSON say the same, whatever portions they come in', async () => {
  const { value, peak, now, allocated } = made(7, 400);
  for (const [kind, bytes] of [
    ['pickle', pickled(value)],
    ['json', bytesOf(value)],
  ]) {
    assert.equal(snapshotKind(bytes), kind);
    const whole = snapshotIn(bytes);
    assert.deepEqual(faults('reconcile_reply', whole), []);
    assert.deepEqual([one(whole, 'tensors_peak'), one(whole, 'tensors'), one(whole, 'allocated')], [peak, now, allocated]);
    for (const size of [1, 7, 4093]) {
      const portions = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      assert.deepEqual(await readSnapshot(kind, portions), whole, `${kind} in portions of ${size}`);
    }
  }
  assert.deepEqual(snapshotIn(pickled(value)), snapshotIn(bytesOf(value)));
});

test('an index of shards names a total size, too, and is no snapshot', () => {
  const index = bytesOf({ metadata: { total_size: 4096 }, weight_map: { 'lm_head.weight': 'model-00001-of-00002.safetensors' } });
  assert.equal(snapshotKind(index), undefined);
});

test('segments alone are a snapshot, too; what was kept before 2.1 has no sizes asked for', () => {
  const reply = snapshotIn(
    bytesOf([{ device: 1, total_size: 9, allocated_size: 5, segment_type: 'small', blocks: [{ size: 5, state: 'active_allocated' }] }]),
  );
  assert.deepEqual(
    reply.figures.map(({ counter, bytes, device }) => [counter, bytes, device]),
    [
      ['allocated', 5, 1],
      ['active', 5, 1],
      ['reserved', 9, 1],
    ],
  );
});

test('a history that does not lead to what is held is not told', () => {
  const { value } = made(3, 60);
  value.device_traces[0].push({ action: 'alloc', size: 2 ** 40, time_us: 61 });
  const { figures, snapshot } = snapshotReply(value);
  assert.equal(snapshot[0].untold, true);
  assert.equal(snapshot[0].course, undefined);
  assert.ok(!figures.some(({ counter }) => counter.endsWith('_peak')));
});

test('where the most is known, a total is held against it, and not against what is left at the end', () => {
  const { figures } = snapshotReply(made(5, 200).value);
  const against = new Map([
    ['allocated', 'total'],
    ['tensors', 'total'],
    ['tensors_peak', 'total'],
    ['reserved', 'total.reserved'],
  ]);
  const total = { bytes: 10, reserved: { bytes: 20 } };
  const counters = (some) => compared(some, { total }, against).map(({ figure }) => some[figure].counter);
  assert.deepEqual(counters(figures), ['tensors_peak']);
  assert.deepEqual(counters(figures.filter(({ counter }) => !counter.endsWith('_peak'))), ['allocated', 'tensors', 'reserved']);
});

const refused = (bytes, code) =>
  assert.throws(
    () => snapshotIn(Uint8Array.from(bytes)),
    (fault) => fault instanceof SnapshotError && fault.code === code,
  );

test('a pickle that names or calls anything is refused, and nothing runs', () => {
  const system = [...new TextEncoder().encode('cposix\nsystem\n')];
  refused([0x80, 2, ...system, 0x28, 0x74, 0x52, 0x2e], 'forbidden');
  for (const code of [0x63, 0x93, 0x52, 0x62, 0x69, 0x6f, 0x81, 0x92, 0x50, 0x51, 0x82, 0x83, 0x84])
    refused([0x80, 4, 0x7d, code, 0, 0, 0, 0], 'forbidden');
});

test('what is no snapshot, breaks off or is bent says so', () => {
  refused([0x80, 4, 0x7d, 0x2e], 'unlike');
  refused(bytesOf({ segments: 3 }), 'unlike');
  refused(bytesOf({ segments: [{ total_size: -1, allocated_size: 0 }] }), 'unlike');
  refused(bytesOf({ segments: [{ total_size: 1e300, allocated_size: 0 }] }), 'unlike');
  refused([...new TextEncoder().encode('{"segments": [], "segments": 01}')], 'damaged');
  refused([...new TextEncoder().encode('{"segments": [1 2]}')], 'damaged');
  refused([...new TextEncoder().encode('{"segments": []}}')], 'damaged');
  refused(new TextEncoder().encode(`{"segments": ${'['.repeat(1000)}`), 'damaged');
  refused(small.subarray(0, small.length - 1), 'damaged');
  refused([0x80, 4, 0x5d, 0x72, 255, 255, 255, 127, 0x2e], 'damaged'); // a memo of two thousand million holes
  refused([0x80, 4, 0x8d, 255, 255, 255, 255, 255, 0, 0, 0, 0x2e], 'damaged'); // a text of a terabyte
  refused(new TextEncoder().encode('hello'), 'unlike');
});

test('one list that is spoken of many times takes no more time than its blocks', () => {
  const blocks = Array.from({ length: 5000 }, () => ({ size: 1, state: 'inactive' }));
  const segment = { total_size: 1, allocated_size: 0, blocks };
  refused(pickled({ segments: Array(5000).fill(segment) }), 'unlike');
});

test('whatever bytes come in, an answer or a refusal goes out', () => {
  const next = seeded(21);
  const whole = [small, pickled(made(1, 40).value), bytesOf(made(2, 12).value)];
  let answered = 0;
  for (let i = 0; i < 6000; ++i) {
    const bytes = whole[i % whole.length].slice();
    for (let times = 1 + next(4); times > 0; --times) {
      const at = next(bytes.length);
      const how = next(4);
      if (how === 0) bytes[at] = next(256);
      else if (how === 1) bytes[at] ^= 1 << next(8);
      else if (how === 2) bytes.copyWithin(at, next(bytes.length), next(bytes.length));
      else bytes[at] = '{}[]:,"\\.(eus0129ELt'.charCodeAt(next(20));
    }
    const cut = next(5) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes;
    try {
      const reply = snapshotIn(cut);
      ++answered;
      for (const figure of reply.figures) assert.ok(figure.bytes >= 0 && Number.isSafeInteger(figure.bytes), `${i}: ${figure.counter}`);
      assert.deepEqual(faults('reconcile_reply', reply), [], String(i));
    } catch (fault) {
      assert.ok(fault instanceof SnapshotError, `${i}: ${fault.stack}`);
    }
  }
  assert.ok(answered > 100, String(answered));
});
