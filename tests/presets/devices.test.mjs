// What devices say of themselves hangs together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf } from './schema.mjs';

const devices = filesOf('devices').map(({ preset }) => preset);
const units = { byte: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, GB: 1e9 };
const bytes = ({ value, unit }) => value * units[unit];

test('none has been lost: a device more needs no change here', () => assert.ok(devices.length >= 305, `${devices.length} devices`));

// The smallest and the largest that are sold lie well within; a figure outside is of another unit, or of a whole machine.
test('memory is in GiB, between 1 and 1,024; bandwidth and throughput are of one device', () => {
  for (const { id, memory, bandwidth, compute = {} } of devices) {
    assert.equal(memory.unit, 'GiB', id);
    assert.ok(memory.value >= 1 && memory.value <= 1024, `${id}: memory of ${memory.value} GiB`);
    if (bandwidth)
      assert.ok(bandwidth.unit === 'GB/s' && bandwidth.value >= 10 && bandwidth.value <= 100_000, `${id}: ${bandwidth.value} ${bandwidth.unit}`);
    for (const [type, { value, unit }] of Object.entries(compute))
      assert.ok(/^T(FL)?OP\/s$/.test(unit) && value >= 1 && value <= 100_000, `${id}: ${type} ${value} ${unit}`);
  }
});

// The name of a slice is its share of the memory, rounded up; the driver keeps some of each.
test('a driver reports no more than is marketed, and not much less', () => {
  for (const { id, memory, slice, reported_memory: reported } of devices.filter((d) => d.reported_memory)) {
    const share = bytes(reported) / bytes(memory);
    assert.ok(share > (slice ? 0.88 : 0.9) && share <= 1, `${id}: ${share}`);
  }
});

test('a slice is of devices that there are, and all of them together are no more than the device', () => {
  const byId = new Map(devices.map((device) => [device.id, device]));
  const slices = devices.filter(({ slice }) => slice);
  assert.ok(slices.length >= 29, `${slices.length} slices`);
  for (const { id, name, memory, compute_capability: version, slice, reported_memory: reported } of slices) {
    assert.ok(id.endsWith(`-mig-${slice.profile}`) && name.endsWith(` MIG ${slice.profile}`), id);
    assert.equal(Number(/(\d+)gb$/.exec(slice.profile)[1]), memory.value, id);
    assert.ok(reported, `${id}: the driver's figure is what counts`);
    for (const whole of slice.of.map((of) => byId.get(of))) {
      assert.ok(whole && !whole.slice, id);
      assert.equal(whole.compute_capability, version, id);
      assert.ok(slice.most * bytes(reported) <= bytes(whole.reported_memory ?? whole.memory), `${id} of ${whole.id}`);
    }
  }
});

test('what was not seen in a source is marked, field by field', () => {
  for (const device of devices) {
    const marked = (device.unverified ?? []).toSorted();
    const bare = ['memory', 'bandwidth', 'link', ...Object.keys(device.compute ?? {}).map((key) => `compute.${key}`)].filter(
      (field) => field.split('.').reduce((node, key) => node?.[key], device)?.from === 'unverified',
    );
    assert.deepEqual(bare.toSorted(), marked, device.id);
  }
});

test("a compute capability is NVIDIA's and has its source", () => {
  for (const { id, vendor, compute_capability: version, sources } of devices) {
    assert.equal(version !== undefined, vendor === 'nvidia', id);
    const says = ([key, source]) => /^(huggingface-js|nvidia-cuda-gpus)/.test(key) || /compute capability/i.test(Object.values(source).join(' '));
    if (version !== undefined) assert.ok(Object.entries(sources).some(says), `${id}: no source says its compute capability`);
  }
});

test('unified memory says how much of it a GPU may use where that is known', () => {
  for (const { id, vendor, unified_memory: unified, usable_fraction: usable } of devices) {
    if (usable) assert.ok(unified, id);
    if (vendor === 'apple') assert.ok(unified && usable, id);
  }
});
