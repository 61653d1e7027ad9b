// @ts-check
// The guide's pages: a page for each chapter and language, contents with the search, and one of all chapters for print.

import { chart } from './chart.mjs';
import { attributes, escaped } from './html.mjs';
import { headings, live, quoted, rendered } from './markdown.mjs';
import { chapters, figuresOf, languages, markdown, pages, words as wordsOf } from './sources.mjs';
import { termsIn } from './terms.mjs';

/** @typedef {{ estimate: (request: any) => any, linkOf: (request: any) => string }} Asked linkOf: the state of the calculator's page that asks a request */

const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types plimsoll',
].join('; ');

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='9' fill='none' stroke='%23b3361f' stroke-width='3'/%3E%3Cpath d='M2 16h28' stroke='%23b3361f' stroke-width='3'/%3E%3C/svg%3E";

export const titleOf = (/** @type {string} */ language, /** @type {string} */ page) =>
  /** @type {string} */ (headings(markdown(language, page))[0]?.title);

/** @param {string} href @param {string} text @param {Record<string, unknown>} [more] */
const guideLink = (href, text, more = {}) => `<a${attributes({ href, ...more, 'data-guide': '' })}>${escaped(text)}</a>`;

/** @param {string} language @param {string} page @param {Record<string, string>} words */
function header(language, page, words) {
  const others = languages().filter((one) => one !== language);
  const themes = ['auto', 'light', 'dark'].map((theme) => `<option value="${theme}">${escaped(words[`theme.${theme}`])}</option>`).join('');
  return `<header>
<nav${attributes({ 'aria-label': words['guide.title'] })}><a href="../../index.html#lang=${language}" data-calculator>Plimsoll</a>
${guideLink('index.html', words['guide.title'] ?? '')}
${guideLink('glossary.html', titleOf(language, 'glossary'))}
${guideLink('print.html', words['guide.print'] ?? '')}
${others.map((one) => guideLink(`../${one}/${page}.html`, wordsOf(one)['guide.language'] ?? one, { lang: one, hreflang: one })).join('\n')}
<label hidden>${escaped(words['app.theme'])} <select name="theme">${themes}</select></label></nav>
</header>`;
}

/** @param {{ language: string, page: string, title: string, body: string, words: Record<string, string> }} one */
const document = ({ language, page, title, body, words }) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} · Plimsoll</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="../guide.css">
</head>
<body>
${header(language, page, words)}
<main${attributes({ class: page })}>
${body}
</main>
<footer><p>${escaped(words['guide.live'])}</p></footer>
<script src="../guide.js" engine-src="../../plimsoll-engine.js"></script>
</body>
</html>
`;

/** The chapter's end: its example, drawn by the engine, and opened in the calculator. @param {string} page @param {string} language @param {Record<string, string>} words @param {Asked} asked */
function ending(page, language, words, { linkOf, estimate }) {
  const figures = figuresOf(page);
  if (!figures.example) return '';
  const request = figures.request(figures.example, undefined);
  const state = linkOf(request);
  const href = `../../index.html#${state}${state && '&'}lang=${language}`;
  const caption = { [language]: words['guide.example'] ?? '' };
  const drawn = chart({ kind: 'bar', request, caption }, { language, page, words, whole: false, figures, estimate }, live);
  return `<div class="ending">${drawn}<p><a${attributes({ href, 'data-calculator': '' })}>${escaped(words['guide.open'])}</a></p></div>`;
}

/** What a chapter quotes. @param {string} page @param {string} language @param {Record<string, string>} words */
function sourcesOf(page, language, words) {
  const all = quoted(markdown(language, page)).map(({ title, url }) => {
    const text = escaped(words[title] ?? title);
    return url ? `<a${attributes({ href: url, rel: 'noreferrer' })}>${text}</a>` : text;
  });
  if (all.length === 0) return '';
  return `<p class="words">${escaped(words['guide.quoted'])}${language.startsWith('zh') ? '：' : ': '}${all.join(' · ')}</p>`;
}

/** Entries of the glossary that a chapter uses. @param {string} page @param {string} language @param {Record<string, string>} words */
function wordsOfChapter(page, language, words) {
  if (!chapters().includes(page)) return '';
  const titles = Object.fromEntries(headings(markdown(language, 'glossary')).map(({ place, title }) => [place, title]));
  const links = termsIn(markdown(language, page), language).map((place) => guideLink(`glossary.html#${place}`, titles[place] ?? place));
  return `<p class="words">${escaped(words['guide.words'])}${language.startsWith('zh') ? '：' : ': '}${links.join(' · ')}</p>`;
}

/** How many cases of the quiz were answered, and how well. @param {string} page @param {Record<string, string>} words */
const score = (page, words) =>
  page === 'quiz' ? `<p${attributes({ 'data-score': '', hidden: '', role: 'status', 'data-text': words['quiz.score'] })}></p>` : '';

/** @param {string} page @param {string} language */
function neighbours(page, language) {
  const all = pages();
  const at = all.indexOf(page);
  const one = (/** @type {string | undefined} */ id, /** @type {string} */ rel) =>
    id ? guideLink(`${id}.html`, `${rel === 'prev' ? '← ' : ''}${titleOf(language, id)}${rel === 'next' ? ' →' : ''}`, { rel }) : '<span></span>';
  return `<nav class="neighbours">${one(all[at - 1], 'prev')} ${one(all[at + 1], 'next')}</nav>`;
}

/** A page's own HTML. @param {string} language @param {string} page @param {Asked} asked @param {boolean} [whole] */
function bodyOf(language, page, asked, whole = false) {
  const words = wordsOf(language);
  const html = rendered(markdown(language, page), { language, page, words, whole, figures: figuresOf(page), estimate: asked.estimate });
  return html + sourcesOf(page, language, words);
}

const plain = (/** @type {string} */ html) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Each section of the guide with its text, for the search. @param {string} page @param {string} html */
function sections(page, html) {
  const title = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '');
  return html.split(/(?=<h[12])/).flatMap((part) => {
    const [, depth, place, heading] = /^<h([12])(?: id="([^"]*)")?>(.*?)<\/h/s.exec(part) ?? [];
    if (!depth) return [];
    const name = depth === '1' ? title : `${title}: ${plain(heading ?? '')}`;
    const text = plain(part.slice(part.indexOf('</h')));
    return [`<li${attributes({ 'data-text': text })}>${guideLink(`${page}.html${place ? `#${place}` : ''}`, name)}</li>`];
  });
}

/** @param {string} language @param {Map<string, string>} bodies */
function contents(language, bodies) {
  const words = wordsOf(language);
  // what a page is about is its first paragraph
  const about = (/** @type {string} */ page) => (/<p>(.*?)<\/p>/s.exec(bodies.get(page) ?? '')?.[1] ?? '').replace(/<[^>]*>/g, '');
  const list = pages().map(
    (page) => `<li>${guideLink(`${page}.html`, titleOf(language, page))}${page === 'glossary' ? '' : ` <span>${about(page)}</span>`}</li>`,
  );
  const found = [...bodies].flatMap(([page, html]) => sections(page, html));
  return `<h1>${escaped(words['guide.title'])}</h1>
<p>${escaped(words['guide.about'])}</p>
<form hidden role="search"><label>${escaped(words['guide.search'])} <input type="search" autocomplete="off"></label></form>
<p data-none hidden>${escaped(words['guide.none'])}</p>
<ul data-found hidden>${found.join('\n')}</ul>
<ol class="contents">${list.join('\n')}</ol>
<p>${guideLink('print.html', words['guide.print'] ?? '')}</p>`;
}

/** All pages of the guide, by their path below `guide/`. @param {Asked} asked @returns {Record<string, string>} */
export function guidePages(asked) {
  /** @type {Record<string, string>} */
  const files = {};
  for (const language of languages()) {
    const words = wordsOf(language);
    const put = (/** @type {string} */ page, /** @type {string} */ title, /** @type {string} */ body) => {
      files[`${language}/${page}.html`] = document({ language, page, title, body, words });
    };
    const bodies = new Map(pages().map((page) => [page, bodyOf(language, page, asked)]));
    for (const [page, html] of bodies)
      put(
        page,
        titleOf(language, page),
        `${html}${score(page, words)}${ending(page, language, words, asked)}${wordsOfChapter(page, language, words)}${neighbours(page, language)}`,
      );
    put('index', words['guide.title'] ?? '', contents(language, bodies));
    const whole = [...chapters(), 'glossary']
      .map((page) => `<article${attributes({ class: page })}>${bodyOf(language, page, asked, true)}</article>`)
      .join('\n');
    put('print', words['guide.title'] ?? '', `<h1>${escaped(words['guide.title'])}</h1>\n${whole}`);
  }
  return files;
}
