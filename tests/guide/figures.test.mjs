// Every figure of the guide is the engine's: each is declared once for all languages, answered, and written as the page
// writes it; what articles say is quoted as presets/examples has it; and no figure is typed into the prose.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { changed, measured } from '../presets/figures.mjs';
import { load } from '../../web/scripts/guide/asking.mjs';
import { rendered } from '../../web/scripts/guide/markdown.mjs';
import { example, figuresOf, languages, markdown, pages, words } from '../../web/scripts/guide/sources.mjs';
import { read, units, valueOf, written } from '../../web/src/embed/figure.mjs';
import { figuresIn, quotationsIn, typedFigures, verdictsIn } from './text.mjs';

const estimate = await load();
const everywhere = languages().flatMap((language) => pages().map((page) => ({ language, page, text: markdown(language, page) })));

/** What a page of HTML says that its figures are. */
const shown = (html) =>
  [...html.matchAll(/<plimsoll-bytes([^>]*)>([^<]*)<\/plimsoll-bytes>/g)].map(([, list, text]) => {
    const decoded = list.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    const of = (name) => new RegExp(` ${name}="(.*?)"(?= \\w+="|$)`).exec(decoded)?.[1];
    const json = (name) => (of(name) === undefined ? undefined : JSON.parse(of(name)));
    const digits = of('digits') === undefined ? {} : { digits: Number(of('digits')) };
    return { figure: { request: json('request'), against: json('against'), row: of('row'), unit: of('unit'), ...digits }, text };
  });

for (const { language, page, text } of everywhere) {
  test(`${language}/${page}: each figure is what the engine answers to its request`, () => {
    const html = rendered(text, { language, page, words: words(language), whole: false, figures: figuresOf(page), estimate });
    const all = shown(html);
    const pictured = figuresOf(page).picture?.kind === 'bars' ? figuresOf(page).picture.bars.length : 0;
    const charted = figuresOf(page).charts.reduce((sum, name) => sum + figuresOf(page).chart(name).points.length, 0);
    assert.equal(all.length, figuresIn(text).length + 2 * verdictsIn(text).length + pictured + charted);
    for (const { figure, text: said } of all) {
      const value = valueOf(figure, estimate);
      assert.ok(Number.isFinite(value) && units.includes(figure.unit));
      assert.equal(said, written(figure, value, language), figure.row);
    }
  });

  test(`${language}/${page}: no figure is typed into the prose`, () => assert.deepEqual(typedFigures(text), []));

  test(`${language}/${page}: what is quoted stands in the example that it is quoted from`, () => {
    const other = language === 'en' ? {} : JSON.parse(readFileSync(`${root}/web/src/languages/${language}/presets.json`, 'utf8')).examples;
    for (const { words: quoted, id } of quotationsIn(text)) {
      const { article, compare } = example(id);
      const said = [article.claim, article.formula ?? '', other[id]?.['article.claim'] ?? ''];
      const numbers = (one) => (one.match(/\d[\d.,]*\d|\d/g) ?? []).map((number) => number.replaceAll(',', ''));
      const known = [...said.flatMap(numbers), ...compare.map((one) => String(one.article?.value))];
      const claimed = said.some((one) => one.includes(quoted));
      const counted =
        numbers(quoted).length > 0 && numbers(quoted).every((number) => known.includes(number) || known.includes(String(Number(number))));
      assert.ok(claimed || counted, `${id} does not say: ${quoted}`);
    }
  });
}

for (const page of pages())
  test(`${page}: each figure that is declared is in the text, and is the same in every language`, () => {
    const { names } = figuresOf(page);
    for (const language of languages()) {
      const used = figuresIn(markdown(language, page));
      assert.deepEqual([...new Set(used)].sort(), [...names].sort(), language);
    }
  });

test('rows are read as the examples of presets read theirs', () => {
  const asRow = (path) =>
    path
      .replace(/^rows\//, '')
      .replaceAll('/rows/', '/')
      .replace(/\/by_phase\//, '@')
      .replace(/\/bytes$/, '');
  for (const id of ['inference-2p-4p', 'copies-for-concurrency', 'saved-for-backward', 'zero-paper', '7b-in-fp16']) {
    const { request, compare } = example(id);
    for (const { ours } of compare.filter((one) => one.ours?.path && !one.ours.less)) {
      const figure = { request: changed(request, ours.with), row: [ours.path].flat().map(asRow).join(' + '), unit: 'number' };
      assert.equal(valueOf(figure, estimate) / (ours.per ?? 1), measured(ours, request, estimate), `${id}: ${figure.row}`);
    }
  }
});

test('a digit with a unit of memory is found, and what is asked is not', () => {
  const figures = (text) => typedFigures(text).length;
  for (const text of [
    'takes 14 GB.',
    '占 16.1 GiB',
    '18 bytes a parameter',
    '每个参数 18 字节',
    'saves 80 %',
    '八成即 80%',
    '4 times as much',
    '是它的 4 倍',
  ])
    assert.equal(figures(text), 1, text);
  for (const text of [
    '8,192 tokens',
    'an H100 of 80 GB',
    '{{"14 GB" 7b-in-fp16}}',
    '{{weights}}',
    '`-l 1`',
    'Llama 3.1 8B',
    '4,096 by 4,096',
    '4,096 × 4,096',
  ])
    assert.equal(figures(text), 0, text);
});

test('figures are read, compared and written as they should be', () => {
  const reply = {
    rows: [{ id: 'a', bytes: 2048, by_phase: { load: 1024 }, rows: [{ id: 'b.c', bytes: 512 }] }],
    total: { bytes: 4096 },
    list: [{ id: 'x', bytes: 7 }],
  };
  assert.equal(read(reply, 'a'), 2048);
  assert.equal(read(reply, 'a@load + a/b.c - 1'), 1535);
  assert.equal(read(reply, 'a / total'), 0.5);
  assert.equal(read(reply, 'list/x'), 7);
  assert.throws(() => read(reply, 'b'), /no b/);
  assert.throws(() => read(reply, 'a@step'), /no a@step/);
  assert.equal(
    valueOf({ request: 1, against: 2, row: 'total', unit: '×' }, (asked) => ({ total: asked === 1 ? 6 : 2 })),
    3,
  );
  assert.equal(written({ unit: 'GiB' }, 2 ** 31, 'en'), '2 GiB');
  assert.equal(written({ unit: '%' }, 0.256, 'zh-CN'), '25.6 %');
  assert.equal(written({ unit: '×' }, 4, 'en'), '4 times');
  assert.equal(written({ unit: 'bytes' }, 16, 'zh-CN'), '16 字节');
  assert.equal(written({ unit: 'parameters' }, 46702792704, 'zh-CN'), '467亿');
});
