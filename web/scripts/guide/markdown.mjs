// @ts-check
// A page's Markdown becomes HTML. Beside Markdown there are six forms, each between two braces:
//
//     {{name}}                 a figure of the page's file in docs/guide/figures, answered by the engine
//     {{"14 GB" 7b-in-fp16}}   words of an article, as the example of that id in presets/examples quotes it
//     {{! picture}}            on a line of its own: the page's picture
//     {{> name}}               on a line of its own: a scene, a picture that moves
//     {{= name}}               on a line of its own: a chart of the page's file, drawn by the engine as <plimsoll-chart>
//     {{? name}} Words         on a line of its own: whether the request of that name fits, to be guessed and opened, and why
//
// A heading ends in its place, `{#kv-cache}`, the same in every language.

import { Marked } from 'marked';
import { valueOf, written } from '../../src/embed/figure.mjs';
import { chart } from './chart.mjs';
import { attributes, escaped } from './html.mjs';
import { picture } from './picture.mjs';
import { sceneHtml } from './scene.mjs';
import { example } from './sources.mjs';

/** @typedef {import('../../src/embed/figure.mjs').Figure} Figure */
/** @typedef {{ language: string, page: string, words: Record<string, string>, figures: ReturnType<typeof import('./sources.mjs').figuresOf>, estimate: (request: any) => any, whole: boolean }} Context whole: the page is one of all chapters, for print */

/** A figure as the page carries it. @param {Figure} figure @param {Context} context */
export function live(figure, { language, estimate }) {
  const { request, row, unit, against, digits } = figure;
  return `<plimsoll-bytes${attributes({ request, row, unit, against, digits })}>${escaped(written(figure, valueOf(figure, estimate), language))}</plimsoll-bytes>`;
}

/** Where the words of an example stand. @param {string} id @returns {{ title: string, url?: string }} */
function sourceOf(id) {
  const { article, sources } = example(id);
  return sources[[article.from].flat()[0]];
}

/** What a page quotes, each once. @param {string} text */
export const quoted = (text) => {
  const all = [...text.matchAll(/\{\{"[^"]+" ([\w.-]+)\}\}/g)].map(([, id]) => sourceOf(/** @type {string} */ (id)));
  return all.filter(({ title }, at) => all.findIndex((other) => other.title === title) === at);
};

/** An article's own words, with where they stand. @param {string} text @param {string} id */
function quotation(text, id) {
  const { title, url } = sourceOf(id);
  return `<q${attributes({ cite: url, title })}>${escaped(text)}</q>`;
}

const choices = ['fits', 'tight', 'too large'];

/** What the engine says to a case of the quiz, and why, as HTML. @param {string} name @param {string} why @param {Context} context */
function verdict(name, why, context) {
  const { figures, words, estimate } = context;
  const request = figures.request(name, undefined);
  const { fit, error } = estimate(request);
  if (error) throw new Error(`${name}: ${error.where}: ${error.what}`);
  const needs = live({ request, row: 'total/process', unit: 'GiB' }, context);
  const has = live({ request, row: 'fit/usable_bytes', unit: 'GiB' }, context);
  const verdicts = Object.fromEntries(choices.map((one) => [one, words[`verdict.${one}`]]));
  const parts = { '{verdict}': `<strong data-verdict>${escaped(verdicts[fit.verdict])}</strong>`, '{needs}': needs, '{has}': has };
  const says = Object.entries(parts).reduce((text, [hole, part]) => text.replace(hole, part), escaped(words['guide.needs']));
  const carried = { request, verdicts, right: words['quiz.right'], wrong: words['quiz.wrong'] };
  const buttons = choices.map(
    (one) => `<button${attributes({ type: 'button', value: one, 'aria-pressed': 'false' })}>${escaped(verdicts[one])}</button>`,
  );
  return `<div class="case"${attributes({ 'data-case': carried })}>
<p class="choices" data-choices hidden role="group"${attributes({ 'aria-label': words['quiz.choose'] })}>${buttons.join(' ')} <span data-outcome role="status"></span></p>
<details class="answer"><summary>${escaped(words['guide.answer'])}</summary><p>${says}</p><p>${why}</p></details></div>\n`;
}

/** Where a link of one source file to another leads. @param {string} href @param {Context} context */
function target(href, { page, whole }) {
  const [, to, place] = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href) ?? [];
  if (to === undefined && place === undefined) return undefined;
  if (whole) return `#${[to ?? page, place].filter(Boolean).join('--')}`;
  return `${to ? `${to}.html` : ''}${place ? `#${place}` : ''}`;
}

/** @param {string} kind @param {string} id @param {string} why as HTML @param {Context} context */
function shown(kind, id, why, context) {
  if (kind === '!') return picture(context, live);
  if (kind === '=') return chart(context.figures.chart(id), context, live);
  return kind === '>' ? sceneHtml(id, context) : verdict(id, why, context);
}

/** @param {Context} context */
function forms(context) {
  const inline = {
    name: 'figure',
    level: /** @type {const} */ ('inline'),
    start: (/** @type {string} */ text) => text.indexOf('{{'),
    tokenizer(/** @type {string} */ text) {
      const match = /^\{\{(?:"([^"]+)" )?([\w.-]+)\}\}/.exec(text);
      return match ? { type: 'figure', raw: match[0], quoted: match[1], id: match[2] } : undefined;
    },
    renderer: (/** @type {any} */ { quoted, id }) => (quoted ? quotation(quoted, id) : live(context.figures.figure(id), context)),
  };
  const block = {
    name: 'shown',
    level: /** @type {const} */ ('block'),
    start: (/** @type {string} */ text) => text.search(/^\{\{[!?>=] /m),
    /** @this {any} @param {string} text */
    tokenizer(text) {
      const match = /^\{\{([!?>=]) ([\w.-]+)\}\}(?: (.+))?(?:\n+|$)/.exec(text);
      return match ? { type: 'shown', raw: match[0], kind: match[1], id: match[2], tokens: this.lexer.inlineTokens(match[3] ?? '') } : undefined;
    },
    /** @this {any} @param {any} token */
    renderer({ kind, id, tokens }) {
      return shown(kind, id, this.parser.parseInline(tokens), context);
    },
  };
  return [inline, block];
}

/** @param {Context} context */
function renderer(context) {
  const { page, whole, words } = context;
  return {
    /** @this {any} @param {any} token */
    heading({ tokens, depth }) {
      const [, text, place] = /** @type {RegExpExecArray} */ (/^(.*?)(?:\s*\{#([\w-]+)\})?$/s.exec(this.parser.parseInline(tokens)));
      const id = [whole && page, place].filter(Boolean).join('--') || undefined;
      const level = whole ? depth + 1 : depth;
      return `<h${level}${attributes({ id })}>${text}</h${level}>\n`;
    },
    /** @this {any} @param {any} token */
    link({ href, tokens }) {
      const to = target(href, context);
      const marks = to === undefined ? { href, rel: 'noreferrer' } : { href: to, 'data-guide': whole ? undefined : '' };
      return `<a${attributes(marks)}>${this.parser.parseInline(tokens)}</a>`;
    },
    /** What is short stays on one line, whatever hyphens it has. @param {any} token */
    codespan: ({ text }) => `<code${attributes({ class: text.length <= 20 ? 'short' : undefined })}>${escaped(text)}</code>`,
    /** @this {any} @param {any} token */
    table({ header, rows }) {
      const cells = (/** @type {any[]} */ row, /** @type {string} */ tag) =>
        `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const body = rows.map((/** @type {any[]} */ row) => cells(row, 'td')).join('\n');
      return `<div class="scroll" role="region" tabindex="0"${attributes({ 'aria-label': words['guide.table'] })}><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  };
}

/** The page's HTML. @param {string} text @param {Context} context */
export function rendered(text, context) {
  const marked = new Marked({ extensions: forms(context), renderer: renderer(context) });
  return /** @type {string} */ (marked.parse(text));
}

/** What its headings are called, and where they are. @param {string} text */
export const headings = (text) =>
  [...text.matchAll(/^(#{1,3}) (.*?)(?:\s*\{#([\w-]+)\})?$/gm)].map(([, marks, title, place]) => ({
    depth: /** @type {string} */ (marks).length,
    title: /** @type {string} */ (title),
    place,
  }));
