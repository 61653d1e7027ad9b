// @ts-check
// Values in settings to copy and in Markdown: quoted as each language wants it, so that a value stays a value.

import { shown } from '../files/shown.mjs';

/** @typedef {'python' | 'yaml' | 'json' | 'toml' | 'shell' | 'modelfile'} Language */

const number = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const truth = /^(?:true|false)$/;

/** As JSON writes a text; YAML, TOML and Python read it alike. */
const doubled = (/** @type {string} */ text) => JSON.stringify(text);

/** What YAML reads as a text without quotes, and not as nothing, a truth, a number or a date. */
const plainYaml = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z_][\w./-]*$/i;

/** @type {Record<Language, (text: string) => string>} */
const texts = {
  python: doubled,
  json: doubled,
  toml: doubled,
  yaml: (text) => (plainYaml.test(text) ? text : doubled(text)),
  shell: (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`),
  // Ollama takes off a pair of quotes and knows no escapes within.
  modelfile: (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`),
};

/** A name, or another text. @param {Language} language @param {string} text */
export const quotedText = (language, text) => texts[language](shown(text));

/** A value of a field: numbers and truths stand as they are, in the languages that spell them so. @param {Language} language @param {string} text */
export function quotedValue(language, text) {
  if (number.test(text) || (truth.test(text) && language !== 'python')) return text;
  return quotedText(language, text);
}

/** A list as the language writes it. @param {Language} language @param {readonly string[]} items */
export function quotedList(language, items) {
  const quoted = items.map((item) => quotedText(language, item));
  return language === 'shell' ? quoted.join(' ') : `[${quoted.join(', ')}]`;
}

/** What stands within double quotes. @param {Language} language @param {string} text */
function inQuotes(language, text) {
  return language === 'shell' ? shown(text).replace(/["\\$`]/g, '\\$&') : doubled(shown(text)).slice(1, -1);
}

/** Within a remark nothing is quoted: it ends where the line does, and `shown` leaves no end of a line. */
const isRemark = (/** @type {string} */ before) => /(?:^|\s)#/.test(before);
const isQuoted = (/** @type {string} */ before) => before.split('"').length % 2 === 0;

/**
 * A line with a value in place of each `{name}`, quoted as the place wants it.
 * @param {string} line @param {Language} language @param {string} name @param {string} value
 * @param {(language: Language, text: string) => string} [bare] how a value is written that stands neither in quotes nor in a remark
 */
export function filled(line, language, name, value, bare = quotedText) {
  return line.replaceAll(`{${name}}`, (_, /** @type {number} */ at) => {
    const before = line.slice(0, at);
    if (isRemark(before)) return shown(value);
    return isQuoted(before) ? inQuotes(language, value) : bare(language, value);
  });
}

/** A text that Markdown shows as it is: no markup, no link, no mention, no cell of a table. @param {string} text */
export const markdownText = (text) =>
  shown(text)
    .replace(/[\\`*_[\]<>|~&#@!$]/g, '\\$&')
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, '\\$&');
