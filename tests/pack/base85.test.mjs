// Bytes as the package writes them into scripts: every length and every byte comes back, shorter than base64 and with nothing to escape.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBase85, toBase85 } from '../../web/src/files/base85.mjs';

test('bytes come back as they were', () => {
  for (let length = 0; length < 40; length += 1)
    for (const byte of [0, 1, 84, 85, 127, 128, 254, 255]) {
      const bytes = Uint8Array.from({ length }, (_, at) => (byte * (at + 1)) % 256);
      assert.deepEqual(fromBase85(toBase85(bytes)), bytes, `${length} bytes of ${byte}`);
      const same = new Uint8Array(length).fill(byte);
      assert.deepEqual(fromBase85(toBase85(same)), same);
    }
});

test('four bytes are five letters, none of which a string or a script escapes', () => {
  const text = toBase85(Uint8Array.from({ length: 40_000 }, (_, at) => (at * at * 31 + at) % 256));
  assert.equal(text.length, 50_000);
  assert.doesNotMatch(text, /["'`\\<$&\s]/);
});
