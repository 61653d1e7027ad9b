// The guide is whole in every language, its links lead somewhere, and it reads well: lengths, sentences, sources.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { load } from '../../web/scripts/guide/asking.mjs';
import { chapters, figuresOf, languages, markdown, pages, words } from '../../web/scripts/guide/sources.mjs';
import { headings, rendered } from '../../web/scripts/guide/markdown.mjs';
import { figuresIn, length, linksIn, quotationsIn, sentences, verdictsIn } from './text.mjs';

const estimate = await load();
const topics = JSON.parse(readFileSync(`${root}/tests/guide/topics.json`, 'utf8'));

const places = (language, page) => headings(markdown(language, page)).map(({ depth, place }) => `${'#'.repeat(depth)} ${place ?? ''}`);
const everywhere = languages().flatMap((language) => pages().map((page) => ({ language, page, text: markdown(language, page) })));

test('there are fourteen chapters, in two languages or more', () => {
  assert.equal(chapters().length, 14);
  assert.ok(languages().includes('en') && languages().includes('zh-CN'));
});

for (const page of pages())
  test(`${page}: every language has the same headings, figures, quotations and sources, in one order of places`, () => {
    const shape = (language) => {
      const text = markdown(language, page);
      const sources = linksIn(text).filter((href) => /^https:/.test(href));
      return {
        places: places(language, page),
        figures: figuresIn(text).sort(),
        quoted: [...new Set(quotationsIn(text).map(({ id }) => id))].sort(),
        sources,
      };
    };
    for (const language of languages()) assert.deepEqual(shape(language), shape('en'), language);
  });

for (const { language, page, text } of everywhere) {
  test(`${language}/${page}: links lead to pages and places that are there, and to https`, () => {
    for (const href of linksIn(text)) {
      if (/^https:\/\//.test(href)) continue;
      const [, to, place] = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href) ?? [];
      assert.ok(to !== undefined || place !== undefined, href);
      assert.ok(pages().includes(to ?? page), href);
      if (place)
        assert.ok(
          headings(markdown(language, to ?? page)).some((one) => one.place === place),
          href,
        );
    }
  });

  test(`${language}/${page}: no Markdown is left over in what readers see`, () => {
    const html = rendered(text, { language, page, words: words(language), whole: true, figures: figuresOf(page), estimate });
    assert.doesNotMatch(html.replace(/<code>.*?<\/code>|<[^>]*>/g, ''), /\*\*|\{\{|\}\}|\{#|\]\(/);
  });

  test(`${language}/${page}: sentences are short`, () => {
    const most = language.startsWith('zh') ? 62 : 25;
    assert.deepEqual(
      sentences(text).filter((sentence) => length(sentence, language) > most),
      [],
    );
  });
}

for (const page of chapters())
  test(`${page}: a chapter has its length, a picture, sources, and an example in the calculator`, () => {
    const { example: last, picture, requests } = figuresOf(page);
    assert.ok(requests.includes(last), 'the example is one of its requests');
    for (const language of languages()) {
      const text = markdown(language, page);
      const words = length(text, language);
      assert.ok(words >= 600 && words <= 1200, `${language}: ${words}`);
      assert.match(text, /^\{\{! picture\}\}$/m);
      assert.ok(picture.caption[language] && picture.bars.every((bar) => bar[language]), `${language}: the picture is told`);
      assert.ok(figuresIn(text).length >= 5);
    }
  });

test('each section has its figures from the engine, a source beside its claims, or a link to where these are', () => {
  let sourced = 0;
  for (const page of chapters())
    for (const section of markdown('en', page)
      .split(/^(?=## )/m)
      .slice(1)) {
      const links = linksIn(section);
      sourced += Number(links.some((href) => /^https:/.test(href)));
      assert.ok(links.length > 0 || figuresIn(section).length > 0, `${page}: ${section.split('\n')[0]}`);
    }
  assert.ok(sourced >= 60, `${sourced} sections with sources of others`);
  for (const page of chapters()) assert.ok(linksIn(markdown('en', page)).filter((href) => /^https:/.test(href)).length >= 2, page);
});

test('verdicts that the text names are called as the page calls them', () => {
  for (const language of languages()) {
    const texts = words(language);
    for (const [page, verdict] of [
      ['quiz', 'tight'],
      ['allocator', 'tight'],
      ['kv-cache', 'waits'],
    ])
      assert.ok(markdown(language, page).includes(`“${texts[`verdict.${verdict}`]}”`), `${language}/${page}`);
  }
});

test('a case of the quiz says why, with a link to its chapter', () => {
  for (const language of languages())
    for (const line of markdown(language, 'quiz')
      .split('\n')
      .filter((one) => one.startsWith('{{? '))) {
      assert.ok(linksIn(line).length > 0 && figuresIn(line).length > 0, line);
    }
});

test('a quiz of ten cases, each with the engine’s answer', () => {
  for (const language of languages()) assert.deepEqual(verdictsIn(markdown(language, 'quiz')), figuresOf('quiz').requests);
  assert.equal(figuresOf('quiz').requests.length, 10);
});

test('all that the articles present has its place: each of their examples, and each topic', () => {
  for (const [topic, { chapter, place }] of Object.entries({ ...topics.examples, ...topics.topics })) {
    assert.ok(chapters().includes(chapter), topic);
    for (const language of languages())
      assert.ok(
        headings(markdown(language, chapter)).some((one) => one.place === place),
        `${topic}: ${chapter}#${place}`,
      );
  }
  const examples = readdirSync(`${root}/presets/examples`).map((name) => name.replace('.json', ''));
  assert.deepEqual(Object.keys(topics.examples).sort(), examples.sort());
  assert.ok(Object.keys(topics.topics).length >= 40);
});
