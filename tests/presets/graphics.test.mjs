// A graphics card by what browsers name it: strings as WebGL's renderer and WebGPU's description have them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardsNamed } from '../../web/src/state/graphics.mjs';
import { filesOf } from './schema.mjs';

const devices = filesOf('devices').map(({ preset }) => preset);

for (const [renderer, ids] of [
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 4090 (0x00002684) Direct3D11 vs_5_0 ps_5_0, D3D11)', ['rtx-4090']],
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 4090 Laptop GPU (0x00002717) Direct3D11 vs_5_0 ps_5_0, D3D11)', ['rtx-4090-laptop']],
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x00002503) Direct3D11 vs_5_0 ps_5_0, D3D11)', ['rtx-3060-12gb', 'rtx-3060-8gb']],
  ['ANGLE (NVIDIA Corporation, NVIDIA GeForce RTX 4070 SUPER/PCIe/SSE2, OpenGL 4.5.0)', ['rtx-4070-super']],
  ['ANGLE (NVIDIA, NVIDIA RTX A6000 (0x00002230) Direct3D11 vs_5_0 ps_5_0, D3D11)', ['rtx-a6000']],
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 2080 Ti (0x00001E07) Direct3D11)', ['rtx-2080-ti']],
  ['ANGLE (AMD, AMD Radeon RX 7900 XTX (radeonsi, navi31, LLVM 17.0.6), OpenGL 4.6)', ['rx-7900-xtx']],
  ['ANGLE (AMD, AMD Radeon RX 6800 XT (0x000073BF) Direct3D11)', ['rx-6800-xt']],
  ['ANGLE (Intel, Intel(R) Arc(TM) B580 Graphics (0x0000E20B) Direct3D11)', ['arc-b580']],
  ['ANGLE (Apple, ANGLE Metal Renderer: Apple M2 Max, Unspecified Version)', ['m2-max-32gb', 'm2-max-64gb', 'm2-max-96gb']],
  ['ANGLE (Apple, ANGLE Metal Renderer: Apple M4, Unspecified Version)', ['m4-16gb', 'm4-24gb', 'm4-32gb']],
  ['ANGLE (NVIDIA, NVIDIA GeForce RTX 9999 Ti (0x0) Direct3D11)', []],
  ['Google SwiftShader', []],
  ['', []],
])
  test(`${renderer || 'nothing'} is ${ids.join(' or ') || 'none of the devices'}`, () => {
    const found = cardsNamed([renderer], devices).map(({ id }) => id);
    assert.deepEqual(found.toSorted(), ids);
  });

test('of several names the one that says most counts', () => {
  const found = cardsNamed(['nvidia ada-lovelace', 'NVIDIA GeForce RTX 4080 SUPER'], devices).map(({ id }) => id);
  assert.deepEqual(found, ['rtx-4080-super']);
});
