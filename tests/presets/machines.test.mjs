// Machines are made of devices that there are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf } from './schema.mjs';

const machines = filesOf('machines').map(({ preset }) => preset);
const devices = new Map(filesOf('devices').map(({ preset }) => [preset.id, preset]));

test('none has been lost: a machine more needs no change here', () => assert.ok(machines.length >= 37, `${machines.length} machines`));

test('a machine has a device that there is, of its maker, and no slice of one', () => {
  for (const { id, vendor, device } of machines) {
    const own = devices.get(device);
    assert.ok(own, `${id}: ${device}`);
    assert.equal(own.vendor, vendor, id);
    assert.equal(own.slice, undefined, id);
  }
});

test('several devices are joined, and one is not', () => {
  for (const { id, count, link } of machines) assert.equal(count.value === 1, link.kind === 'none', id);
});

test('no two machines are the same', () => {
  const said = machines.map(({ device, count, link }) => `${count.value} × ${device}, ${link.kind}`);
  assert.deepEqual(
    said.filter((one, at) => said.indexOf(one) !== at),
    [],
  );
});
