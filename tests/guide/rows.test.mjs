// "Why is this so large?": each row that the engine can give leads to a place of a chapter, and to an entry of the glossary where there
// is one; and each of these places is there, in every language.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { chapters, languages, markdown } from '../../web/scripts/guide/sources.mjs';
import { headings } from '../../web/scripts/guide/markdown.mjs';

const places = JSON.parse(readFileSync(`${root}/web/src/views/answer/chapters.json`, 'utf8'));
const known = [...readFileSync(`${root}/engine/estimate/ledger/rows.inc`, 'utf8').matchAll(/^ROW\(\w+,\s*"([^"]+)"/gm)].map(([, id]) => id);

const there = (page, place) => languages().every((language) => headings(markdown(language, page)).some((one) => one.place === place));

test('every row of the engine has a chapter, once, and no other row has one', () => {
  const listed = Object.values(places.chapters).flat();
  assert.deepEqual([...listed].sort(), [...new Set(known)].sort());
  for (const id of Object.values(places.glossary).flat()) assert.ok(known.includes(id), id);
  assert.equal(new Set(Object.values(places.glossary).flat()).size, Object.values(places.glossary).flat().length);
});

test('each place is in its chapter, and each entry in the glossary, in every language', () => {
  for (const to of Object.keys(places.chapters)) {
    const [page, place] = to.split('#');
    assert.ok(chapters().includes(page), to);
    assert.ok(there(page, place), to);
  }
  for (const entry of Object.keys({ ...places.glossary, ...places.symbols })) assert.ok(there('glossary', entry), entry);
});

test('names in formulas that lead to the glossary are names that the page has, each to one entry', () => {
  const texts = JSON.parse(readFileSync(`${root}/web/src/languages/en/texts.json`, 'utf8'));
  const named = Object.values(places.symbols).flat();
  assert.equal(new Set(named).size, named.length);
  for (const ref of named) assert.ok(texts[`symbols.${ref}`], ref);
});

test('rows of replies that are written down lead somewhere: by themselves, or by what they are parts of', () => {
  const listed = new Set(Object.values(places.chapters).flat());
  let rows = 0;
  const walk = (list, above) => {
    for (const { id, rows: parts = [] } of list) {
      rows += 1;
      assert.ok(above || listed.has(id), id);
      walk(parts, above || listed.has(id));
    }
  };
  for (const name of readdirSync(`${root}/tests/golden/own`)) {
    const reply = JSON.parse(readFileSync(`${root}/tests/golden/own/${name}/reply.json`, 'utf8'));
    walk(reply.rows ?? [], false);
    walk(reply.host?.rows ?? [], false);
  }
  assert.ok(rows > 100, `${rows} rows`);
});
