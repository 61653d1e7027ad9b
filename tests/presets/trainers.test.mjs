// What trainer presets say of requests: lines name fields that a request has, and values that these can have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesOf, schemas } from './schema.mjs';

const trainers = filesOf('trainers').map(({ preset }) => preset);
const request = schemas().find(({ name }) => name === 'request.json').schema;
const ids = {
  'training.optimizer': 'optimizers',
  'weights.encoding': 'encodings',
};

/** The schema of a field by its path, through references within the file. */
function fieldAt(path) {
  const followed = (node) =>
    node?.$ref?.startsWith('#/')
      ? node.$ref
          .slice(2)
          .split('/')
          .reduce((inner, key) => inner[key], request)
      : node;
  const within = (node, name) => {
    const { properties, anyOf = [] } = followed(node) ?? {};
    return properties?.[name] ?? anyOf.map((one) => within(one, name)).find(Boolean);
  };
  return path.split('.').reduce(within, request);
}

/** The values that a field can have, as a line writes them; undefined where any is one. */
function valuesOf(path) {
  if (path in ids) return filesOf(ids[path]).map(({ preset }) => preset.id);
  const { enum: among, type } = fieldAt(path);
  return type === 'boolean' ? ['true', 'false'] : among?.map(String);
}

const lines = ({ texts }) => texts.flatMap((text) => text.lines);

test('lines name fields of a request, and those that the trainer is asked for', () => {
  for (const trainer of trainers) {
    for (const path of trainer.fields) assert.ok(fieldAt(path), `${trainer.id}: ${path}`);
    for (const { field, when = {} } of lines(trainer)) {
      for (const path of Object.keys(when)) assert.ok(fieldAt(path), `${trainer.id}: ${path}`);
      if (field !== undefined) assert.ok(fieldAt(field), `${trainer.id}: ${field}`);
    }
    for (const { field } of trainer.notes ?? []) assert.ok(trainer.fields.includes(field), `${trainer.id}: a note on ${field}`);
  }
});

test('values are those that the field can have', () => {
  for (const trainer of trainers) {
    const told = lines(trainer).flatMap(({ field, values = {}, when = {} }) => [
      ...(field ? [[field, Object.keys(values)]] : []),
      ...Object.entries(when),
    ]);
    const noted = (trainer.notes ?? []).map(({ field, values }) => [field, values]);
    for (const [path, values] of [...told, ...noted]) {
      const known = valuesOf(path);
      if (known) for (const value of values) assert.ok(value === '' || known.includes(value), `${trainer.id}: ${path} ${value}`);
    }
  }
});

test('a hole has its field, and a field that is only known by itself has no text', () => {
  for (const trainer of trainers) {
    for (const { text, field, values } of lines(trainer)) {
      for (const [hole] of text.matchAll(/\{\w+\}/g))
        assert.match(hole, /^\{(model|value|list|devices|groups|shards|micro_batch|local_batch|global_batch)\}$/, `${trainer.id}: ${text}`);
      if (/\{(value|list)\}/.test(text)) assert.ok(field, `${trainer.id}: ${text}`);
      if (text === '' && field) assert.deepEqual([...new Set(Object.values(values))], [null], `${trainer.id}: ${field}`);
    }
  }
});

test('every field that is asked for can be said, or is left to a note', () => {
  const programs = [
    'recompute_modules',
    'gradient_encoding',
    'gradients_released',
    'experts',
    'dropout',
    'loss_chunks',
    'loss_compiled',
    'reference_precomputed',
  ];
  const degrees = ['tensor', 'pipeline', 'context', 'expert'].map((name) => `parallel.${name}`);
  const neverSaid = {
    transformers: [...programs, 'checkpoints_on_host', ...degrees],
    'llama-factory': [...programs, 'trainable_percent', ...degrees],
    axolotl: [...programs, ...degrees],
    accelerate: ['parallel.pipeline', 'parallel.schedule', 'parallel.virtual_stages', 'parallel.expert'],
    deepspeed: ['parallel.pipeline', 'parallel.virtual_stages', 'parallel.context'],
    trl: ['rollout.sequences', 'models.critic.model.preset'],
    torchtitan: ['recompute_modules', 'dropout', 'gradient_encoding', 'parallel.virtual_stages'],
  };
  for (const trainer of trainers) {
    const said = new Set(lines(trainer).map(({ field }) => field));
    const left = trainer.fields.filter((path) => !said.has(path)).map((path) => path.replace('training.', ''));
    assert.deepEqual(left.sort(), (neverSaid[trainer.id] ?? []).sort(), trainer.id);
  }
});

test('defaults are fields of a training, with values that they can have and a source that says so', () => {
  for (const trainer of trainers)
    for (const { field, value, methods = [], from } of trainer.defaults ?? []) {
      assert.match(field, /^training\./, trainer.id);
      assert.ok(fieldAt(field), `${trainer.id}: ${field}`);
      const known = valuesOf(field);
      if (known) assert.ok(known.includes(String(value)), `${trainer.id}: ${field} ${value}`);
      assert.ok(from in trainer.sources, `${trainer.id}: ${from}`);
      for (const method of methods) assert.ok(trainer.methods.includes(method), `${trainer.id}: ${method}`);
    }
});

test('the form offers the tools that have defaults', () => {
  const { options } = fieldAt('training.trainer').form;
  assert.deepEqual(
    options.toSorted(),
    trainers
      .filter(({ defaults }) => defaults)
      .map(({ id }) => id)
      .toSorted(),
  );
});
