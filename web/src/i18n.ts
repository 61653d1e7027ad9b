// Texts by key. The site fetches the language that is read; the single file and the element hold all (texts-all.ts).
// Those of the pieces that come later come with them (texts-later.ts). A key that only the engine can name (a row, a symbol, a note) may be unknown: `maybe` then gives undefined, and the
// page shows the name itself.

import type en from './locales/en.json';
import type later from './locales/later/en.json';

export type Key = keyof typeof en | keyof typeof later;
export type Language = 'en' | 'zh-CN';

const texts: Record<Language, Record<string, string>> = { en: {}, 'zh-CN': {} };

/** The languages whose texts are here. */
const here = new Set<Language>();

export function addTexts(more: Partial<Record<Language, Record<string, string>>>): void {
  for (const [language, table] of Object.entries(more)) Object.assign(texts[language as Language], table);
}

/** How the site fetches a language. */
let fetching: Partial<Record<Language, () => Promise<{ default: Record<string, string> }>>> = {};

export const offerTexts = (offered: typeof fetching): void => {
  fetching = offered;
};

export const speaks = (language: Language): boolean => here.has(language);

/** Brings in the texts of a language; without a network it fails, and the page goes on in the one it has. */
export async function bringTexts(language: Language): Promise<void> {
  if (!speaks(language)) haveTexts(language, (await fetching[language]!()).default);
}

export function haveTexts(language: Language, table: Record<string, string>): void {
  addTexts({ [language]: table });
  here.add(language);
}

export const languages: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

export const isLanguage = (text: unknown): text is Language => typeof text === 'string' && Object.hasOwn(texts, text);

/** The first of the browser's languages that the page speaks. */
export const preferred = (wanted: readonly string[] = navigator.languages): Language =>
  wanted.map((one): Language | undefined => (/^zh\b/i.test(one) ? 'zh-CN' : /^en\b/i.test(one) ? 'en' : undefined)).find(isLanguage) ?? 'en';

const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));

/** Names that the engine makes of other names, such as `kept_gate` or `embedding_parameters`. */
const compounds = [
  /^(kept_)(.+)$/,
  /^(gradient_of_)(.+)$/,
  /^(layer_kept_for_)(.+)$/,
  /^(bytes_per_)(.+)$/,
  /^(.+)(_parameters)$/,
  /^(.+)(_elements)$/,
];

const prettified = (name: string): string => name.split('.').at(-1)!.replaceAll('_', ' ');

export interface Texts {
  language: Language;
  t(key: Key, values?: Record<string, string | number>): string;
  maybe(key: string, values?: Record<string, string | number>): string | undefined;
  /** The name of something the engine names, in a group of keys; prettified where no text is known. */
  name(group: string, id: string): string;
  /** A sentence of the engine, in this language where it is known. */
  sentence(group: string, text: string): string;
}

const made = new Map<Language, Texts>();

export function textsIn(wanted: Language): Texts {
  const language = speaks(wanted) ? wanted : ([...here][0] ?? wanted);
  const known = made.get(language) ?? makeTexts(language);
  made.set(language, known);
  return known;
}

function makeTexts(language: Language): Texts {
  const table = texts[language];
  const maybe: Texts['maybe'] = (key, values = {}) => (Object.hasOwn(table, key) ? fill(table[key]!, values) : undefined);
  const name: Texts['name'] = (group, id) =>
    maybe(`${group}.${id}`) ?? maybe(`${group}.${id.split('.').at(-1)}`) ?? (group === 'symbols' ? symbol(id) : prettified(id));
  const symbol = (id: string): string => {
    // The engine numbers names that come more than once.
    const [, base, numbered] = /^(.+)( \(\d+\))$/.exec(id) ?? [];
    if (base) return name('symbols', base) + numbered;
    for (const pattern of compounds) {
      const [, before, after] = pattern.exec(id) ?? [];
      if (before === undefined || after === undefined) continue;
      const [affix, rest] = before.endsWith('_') ? [before, after] : [after, before];
      return maybe(`compound.${affix}`, { name: name('symbols', rest) }) ?? prettified(id);
    }
    return prettified(id);
  };
  /** Sentences of the engine that have no code are found by their own words. */
  const sentence: Texts['sentence'] = (group, text) =>
    maybe(
      `${group}.${text
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^_|_$/g, '')}`,
    ) ?? text;
  return { language, t: (key, values = {}) => maybe(key, values) ?? key, maybe, name, sentence };
}
