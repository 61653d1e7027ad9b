// No word that the glossary lacks: each word of the English text is plain, a name, or how the text writes an entry of the glossary. Every
// entry is of use, in every language, and chapters list those that they use.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { headings } from '../../web/scripts/guide/markdown.mjs';
import { chapters, languages, markdown, pages, terms } from '../../web/scripts/guide/sources.mjs';
import { termsIn } from '../../web/scripts/guide/terms.mjs';
import { wordsIn } from './text.mjs';

const listed = (name) => new Set(readFileSync(`${root}/tests/guide/words/${name}.txt`, 'utf8').split(/\s+/).filter(Boolean));
const [plain, names] = [listed('plain'), listed('names')];
const inGlossary = new Set(
  Object.values(terms('en'))
    .flat()
    .flatMap((form) => wordsIn(form)),
);

for (const page of pages())
  test(`${page}: each word is plain, a name, or in the glossary`, () => {
    const unknown = wordsIn(markdown('en', page)).filter((word) => !plain.has(word) && !names.has(word) && !inGlossary.has(word));
    assert.deepEqual([...new Set(unknown)], []);
  });

test('words that are listed as plain or as names are of the text, and no word is listed twice', () => {
  const used = new Set(pages().flatMap((page) => wordsIn(markdown('en', page))));
  assert.deepEqual(
    [...plain, ...names].filter((word) => !used.has(word)),
    [],
  );
  assert.deepEqual(
    [...plain].filter((word) => names.has(word) || inGlossary.has(word)),
    [],
  );
});

for (const language of languages())
  test(`${language}: every entry of the glossary is written somehow, and used by a chapter`, () => {
    const places = headings(markdown(language, 'glossary')).flatMap(({ place }) => place ?? []);
    assert.deepEqual(Object.keys(terms(language)), places);
    const used = new Set(chapters().flatMap((page) => termsIn(markdown(language, page), language)));
    assert.deepEqual(
      // what a reply has and the chapters say in other words
      places.filter((place) => !used.has(place)),
      [],
    );
  });

test('a term is found as a whole word, in the case of its name, and not within what the engine answers', () => {
  assert.deepEqual(termsIn('Activations of a layer.', 'en'), ['activation', 'layer']);
  assert.deepEqual(termsIn('`torch.cuda` and {{weights}} of [it](kv-cache.md#pages)', 'en'), []);
  assert.deepEqual(termsIn('A graphic zero is not ZeRO-like, or Zero.', 'en'), []);
  assert.deepEqual(termsIn('每层的激活值', 'zh-CN'), ['activation', 'layer']);
});
