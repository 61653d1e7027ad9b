// The types that the page is written against are those of the schemas.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { wireTypes } from '../../web/scripts/wire.mjs';

test('web/src/engine/wire.d.ts is what presets/schema/ gives (else run `node scripts/wire.mjs` in web/)', async () => {
  const committed = readFileSync(new URL('../../web/src/engine/wire.d.ts', import.meta.url), 'utf8');
  assert.equal(await wireTypes(), committed);
});
