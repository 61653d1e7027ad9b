// A log as a measured case: figures and settings, and no word of the text.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isRequested, requestedCase } from '../score/rows/requested.mjs';
import { measuredCase } from '../../web/src/reconcile/case.mjs';

const secret = 'S3CRET';
const log = {
  tool: 'torch-peak-line',
  version: '2.9.1',
  settings: { model: `/home/${secret}/model`, prompt: secret },
  figures: [
    { counter: 'allocated_peak', bytes: 12, value: 12, device: 0, estimate: false, line: secret },
    { counter: 'allocated_peak', bytes: 30, value: 30, device: `${secret} of me`, estimate: false, line: secret },
    { counter: 'reserved_peak', bytes: 40, value: 40, estimate: false, line: secret },
    { counter: 'total', bytes: 99, value: 99, estimate: true, line: secret },
    { counter: 'kv_cache', bytes: 98, value: 98, estimate: false, restated: true, line: secret },
    { counter: 'kv_cache_tokens', value: 4096, estimate: false, line: secret },
  ],
};
const request = {
  schema: 1,
  task: 'inference',
  explain: 'rows',
  model: { preset: 'llama-3-8b' },
  inference: { runtime: 'transformers', context: 4096, adapter: `C:\\${secret}` },
};
const config = { model_type: 'llama', hidden_size: 64, _name_or_path: `org/${secret}`, auto_map: { AutoModel: `${secret}/code.py` } };
const row = measuredCase(log, request, config, '2026-01-02');

test('no line, path or name of the text is in the row', () => {
  assert.ok(!JSON.stringify(row).includes(secret), JSON.stringify(row));
  const named = measuredCase({ ...log, tool: null, version: `1.0 on ${secret}'s machine` }, request, undefined, '2026-01-02');
  assert.ok(!JSON.stringify(named).includes(secret));
  assert.equal('config' in named, false);
});

test('the most that was measured stands in the row, what was expected or said again does not', () => {
  assert.deepEqual(row.measured, { max_allocated: 30, max_reserved: 40 });
  assert.deepEqual(
    row.printed.map(({ counter }) => counter),
    ['allocated_peak', 'allocated_peak', 'reserved_peak', 'kv_cache_tokens'],
  );
  assert.deepEqual(row.versions, { 'torch-peak-line': '2.9.1' });
});

test('the score can ask the row again', () => {
  assert.ok(isRequested(row));
  const { requests } = requestedCase(row);
  assert.deepEqual(requests[0].inference, { runtime: 'transformers', context: 4096 });
  assert.deepEqual(requests[0].model.config, { model_type: 'llama', hidden_size: 64, auto_map: {} });
});
