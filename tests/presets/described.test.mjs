// What the schema says of its fields besides their types: options of the command line, fields of the form, enumerations.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { described } from '../../web/src/node/described.mjs';
import { requestOptions } from '../../web/src/node/commands/options.mjs';
import { formFields } from '../../web/scripts/described.mjs';
import { reference, rowIds } from '../../web/scripts/reference.mjs';
import { wireTypes } from '../../web/scripts/wire.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const schema = read('presets/schema/request.json');
const fields = formFields();
const repeated = (names) => names.filter((name, at) => names.indexOf(name) !== at);

test('no two options have a name, no two fields of the form a place or a key', () => {
  assert.deepEqual(repeated(requestOptions.flatMap(({ options }) => options.map(({ name }) => name))), []);
  assert.deepEqual(repeated(fields.map(({ id }) => id)), []);
  assert.deepEqual(repeated(fields.map(({ key }) => key)), []);
});

test('what a note has is read, and each option says what it is', () => {
  const known = {
    option: ['name', 'below', 'group', 'unit', 'value', 'help'],
    form: ['id', 'below', 'key', 'kind', 'initial', 'options', 'optional', 'with'],
  };
  known.formOfTraining = known.form;
  for (const [name, keys] of Object.entries(known))
    for (const { path, note } of described(schema, name))
      for (const key of Object.keys(note)) assert.ok(keys.includes(key), `${path}: ${name}.${key}`);
  for (const { options } of requestOptions) for (const { name, help } of options) assert.ok(help.length > 3, `--${name} has no help`);
});

test('a field that has a meaning with another one alone names it, and values that it has', () => {
  for (const { id, with: only } of fields) {
    if (!only) continue;
    const other = fields.find((one) => one.id === only[0]);
    assert.ok(other, `${id}: there is no ${only[0]}`);
    for (const value of only[1]) assert.ok(value === 'undefined' || other.options.includes(value), `${id}: ${only[0]} is never ${value}`);
  }
});

test('the values that a form offers are the schema’s', () => {
  for (const name of ['form', 'formOfTraining'])
    for (const { path, type, note } of described(schema, name))
      for (const value of [...(note.options ?? []), note.initial ?? []].flat())
        if (type.enum) assert.ok(type.enum.map(String).includes(String(value)), `${path}: ${value}`);
});

test('each choice of the form has its name in both languages', () => {
  for (const language of ['en', 'zh-CN']) {
    const names = { ...read(`web/src/languages/${language}/texts.json`), ...read(`web/src/languages/${language}/later.json`) };
    for (const { id, kind, options } of fields)
      if (kind === 'choice') for (const option of options) assert.ok(names[`option.${id}.${option}`], `${language}: option.${id}.${option}`);
  }
});

test('every enumeration has as many enumerators as names', () => {
  let count = 0;
  const walk = (node) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.enumeration) ++count;
    if (node.enumeration?.values) assert.equal(node.enumeration.values.length, node.enum.length, node.enumeration.name);
    Object.values(node).forEach(walk);
  };
  walk(schema);
  assert.ok(count > 25);
});

test('types are made of every schema', async () => {
  const types = await wireTypes();
  for (const name of ['Request', 'Reply', 'Sweep', 'RuntimePreset', 'TrainerPreset'])
    assert.match(types, new RegExp(`export (interface|type) ${name}\\b`));
});

test('the reference has every field, option, attribute and row, in both languages', () => {
  for (const language of ['en', 'zh-CN']) {
    const page = reference(language);
    for (const { options } of requestOptions) for (const { name } of options) assert.ok(page.includes(`--${name}`), `--${name}`);
    for (const { key } of fields) assert.ok(page.includes(`<code>${key}</code>`), key);
    for (const id of rowIds()) assert.ok(page.includes(`<code>${id}</code>`), id);
    for (const path of ['training.rollout.sleep', 'parallel.zero', 'device.memory_bytes', 'total.process.low', 'fit.verdict', 'rows[].id'])
      assert.ok(page.includes(`<code>${path}</code>`), path);
    assert.ok(!page.includes('undefined</td>'), 'nothing is undefined');
  }
});
