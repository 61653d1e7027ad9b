// What a limit of time asks of a search, and what the page makes of the reply.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { foundWithin, limitedQuestion, limitsOf, soughtWithin } from '../../web/src/time/limiting.mjs';

test('milliseconds become seconds of a token, and tokens a second stay', () => {
  assert.deepEqual(limitedQuestion({ schema: 1 }, 'latency', 50), {
    request: { schema: 1 },
    find: 'inference.sequences',
    limit: { token_seconds: 0.05 },
  });
  assert.deepEqual(limitedQuestion({ schema: 1 }, 'speed', 300), { request: { schema: 1 }, find: 'devices', limit: { tokens_per_second: 300 } });
});

test('a training has no latency, and devices of its own', () => {
  assert.deepEqual(limitsOf.training, ['speed']);
  assert.equal(soughtWithin('speed', 'training'), 'training.devices');
  assert.equal(soughtWithin('speed', 'inference'), 'devices');
  assert.equal(soughtWithin('latency', 'inference'), 'inference.sequences');
});

test('the next value misses the limit of time, or does not fit', () => {
  assert.deepEqual(foundWithin({ value: 47, next: 48, binds: { limit: 'token_seconds' } }), { value: 47, next: { value: 48, why: 'time' } });
  assert.deepEqual(foundWithin({ value: 4, next: 5, binds: { row: 'kv_cache' } }), { value: 4, next: { value: 5, why: 'memory' } });
  assert.deepEqual(foundWithin({ value: 16, next: 15, binds: { limit: 'tokens_per_second' } }), { value: 16, next: { value: 15, why: 'time' } });
  assert.deepEqual(foundWithin({ value: 1, next: null }), { value: 1 });
});

test('values whose speed nobody knows are told, and a refusal has no answer', () => {
  assert.deepEqual(foundWithin({ value: 1, next: 20, binds: { row: 'kv_cache' }, untold: 'off-loaded' }), {
    value: 1,
    next: { value: 20, why: 'memory' },
    untold: { first: 2, last: 19 },
  });
  assert.equal(foundWithin({ value: 1, next: 20, binds: { row: 'kv_cache' } })?.untold, undefined);
  assert.equal(foundWithin({ value: null, next: 16, binds: { limit: 'tokens_per_second' } })?.value, null);
  assert.equal(foundWithin({ error: { code: 'not_supported', what: '' } }), undefined);
});
