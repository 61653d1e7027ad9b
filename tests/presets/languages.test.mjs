// A language is one folder: it says what English says, and what every preset says. Nothing in the code names one but English.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { presets } from '../../web/src/node/presets.mjs';

const folder = fileURLToPath(new URL('../../web/src/languages/', import.meta.url));
const codes = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const read = (code, file) => JSON.parse(readFileSync(`${folder}${code}/${file}.json`, 'utf8'));
const others = codes.filter((code) => code !== 'en');

/** Places of a preset that people read (common.json, Text). */
const said = /^(description|title|why|article\.claim|compare\.\d+\.what|notes\.\d+\.text)$/;
const kinds = ['encodings', 'examples', 'optimizers', 'runtimes', 'trainers'];
const places = (value, place = '') =>
  typeof value === 'string'
    ? [place].filter((one) => said.test(one))
    : Object.entries(value ?? {}).flatMap(([key, inner]) => places(inner, place ? `${place}.${key}` : key));

test('each folder says what the language is called, and by which tag browsers ask for it', () => {
  assert.ok(codes.includes('en') && others.length > 0);
  for (const code of codes) {
    const { name, speaks } = read(code, 'language');
    assert.ok(name && code.toLowerCase().split('-')[0] === speaks, code);
  }
});

for (const code of others) {
  for (const file of ['texts', 'later', 'choosing', 'files', 'hub', 'layouts', 'offline', 'reconcile', 'time', 'accuracy', 'reference'])
    test(`${code}/${file}.json has the keys of English, the same holes and no empty text`, () => {
      const [english, own] = [read('en', file), read(code, file)];
      const holes = (text) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();
      assert.deepEqual(Object.keys(own), Object.keys(english));
      for (const [key, text] of Object.entries(english)) {
        assert.deepEqual(holes(own[key]), holes(text), key);
        assert.notEqual(own[key], '', key);
      }
    });

  test(`${code}/presets.json says what every preset says, and nothing that none says`, () => {
    const own = read(code, 'presets');
    assert.deepEqual(Object.keys(own), kinds);
    for (const kind of kinds) {
      const wanted = presets(kind).flatMap((preset) => places(preset).map((place) => `${preset.id} ${place}`));
      const given = Object.entries(own[kind]).flatMap(([id, texts]) => Object.keys(texts).map((place) => `${id} ${place}`));
      assert.ok(wanted.length > 0, kind);
      // a name is said in another language only where it has words
      assert.deepEqual(given.filter((one) => !one.endsWith(' name')).sort(), wanted.sort());
      const named = given.filter((one) => one.endsWith(' name')).map((one) => one.slice(0, -' name'.length));
      const ids = presets(kind).map(({ id }) => id);
      assert.deepEqual(
        named.filter((id) => !ids.includes(id)),
        [],
      );
    }
  });
}

test('no code asks for a language by its name, but for English', () => {
  const sources = fileURLToPath(new URL('../../web/', import.meta.url));
  const files = ['src', 'plugins', 'scripts', 'bin'].flatMap((place) =>
    readdirSync(sources + place, { recursive: true })
      .filter((file) => /\.(ts|mjs|css)$/.test(file))
      .map((file) => `${place}/${file}`),
  );
  const named = files.filter((file) => others.some((code) => new RegExp(`['"/]${code}['"/.]`).test(readFileSync(sources + file, 'utf8'))));
  assert.ok(files.length > 100);
  assert.deepEqual(named, []);
});
