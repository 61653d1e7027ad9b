import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { folder, seeds } from './seeds.mjs';

test('the corpus of GGUF headers holds what its writer writes', () => {
  for (const [name, bytes] of Object.entries(seeds()))
    assert.ok(readFileSync(join(folder, `${name}.gguf`)).equals(bytes), `${name}: node tests/fuzz/seeds.mjs`);
});
