// What the engine names by itself (rows, what they are made of, why it assumed something, errors) is said in every language of the
// page; notes are held by tests/architecture. Symbols are names in formulas, most of them a config's own, and need no other.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { instantiated } from '../../web/src/node/engine.mjs';
import { ids, presets, tables } from '../../web/src/node/presets.mjs';
import { randomRequests } from './requests.mjs';

const locales = new URL('../../web/src/locales/', import.meta.url);
const texts = Object.fromEntries(readdirSync(locales).map((file) => [file, JSON.parse(readFileSync(new URL(file, locales), 'utf8'))]));

/** The requests whose replies are kept. */
function golden(folder = new URL('../golden/', import.meta.url)) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('request.json'))
    .map((name) => ({ ...JSON.parse(readFileSync(new URL(name, folder), 'utf8')), explain: 'rows' }));
}

/** Each runtime with families that it treats in ways of their own, and each method of training. */
function ways() {
  const models = ['llama-3-8b', 'deepseek-v3', 'qwen3-30b-a3b', 'gpt-oss-20b', 'gemma-3-27b', 't5-base', 'qwen3-next-80b-a3b'].filter((id) =>
    ids('models').includes(id),
  );
  const device = { preset: 'h100-sxm-80gb' };
  const said = models.flatMap((preset) =>
    [
      ...ids('runtimes').flatMap((runtime) => [
        { inference: { runtime } },
        { inference: { runtime, draft: { num_speculative_tokens: 3 }, lora: { count: 2 } } },
      ]),
      ...['full', 'lora', 'qlora', 'dora', 'galore', 'freeze'].map((method) => ({ task: 'training', training: { method, checkpointing: 'full' } })),
    ].map((way) => ({ schema: 1, task: 'inference', explain: 'rows', model: { preset }, device, ...way })),
  );
  return [...said, ...golden(), ...randomRequests(200, 7).map(({ text }) => ({ ...JSON.parse(text), explain: 'rows' }))];
}

const sentence = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** Every key that the page looks up for a reply. */
function keysOf(reply) {
  const keys = new Set();
  const named = (rows, group) => {
    for (const { id, rows: children = [] } of rows ?? []) {
      keys.add(`${group}.${id}`);
      named(children, 'part');
    }
  };
  named(reply.rows, 'row');
  named(reply.host?.rows, 'row');
  for (const { why } of reply.assumptions ?? []) if (why && !/; default of \w+$/.test(why)) keys.add(`why.${sentence(why)}`);
  if (reply.error) keys.add(`error.${reply.error.code}`);
  return keys;
}

const known = (table, key) => key in table || `${key.split('.')[0]}.${key.split('.').at(-1)}` in table;

test('what the engine names has a name in every language', async () => {
  const module = await instantiated('plimsoll-whole');
  module.provide(JSON.stringify(Object.fromEntries(tables.map((kind) => [kind, presets(kind)]))));
  const asked = ways();
  const keys = new Set(asked.flatMap((request) => [...keysOf(JSON.parse(module.estimate(JSON.stringify(request))))]));
  assert.ok(keys.size > 100, `${keys.size} names`);
  for (const [file, table] of Object.entries(texts)) assert.deepEqual([...keys].filter((key) => !known(table, key)).sort(), [], file);
});
