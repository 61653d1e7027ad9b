// Texts by key, one file per language. A key that only the engine can name (a row, a symbol, a note) may be unknown:
// `maybe` then gives undefined, and the page shows the name itself.

import en from '../locales/en.json';
import type measured from '../locales-accuracy/en.json';
import type later from '../locales-later/en.json';

export type Key = keyof typeof en | keyof typeof later | keyof typeof measured;
export type Language = 'en' | 'zh-CN';

/** What has come. English comes with the page; another language when it is first spoken. */
const texts: Partial<Record<Language, Record<string, string>>> = { en };
const sources: Record<Exclude<Language, 'en'>, () => Promise<{ default: Record<string, string> }>> = {
  'zh-CN': () => import('../locales/zh-CN.json'),
};
const coming = new Map<Language, Promise<void>>();
/** What came with a later piece of the page. */
const further: Record<Language, Record<string, string>> = { en: {}, 'zh-CN': {} };

export const addTexts = (more: typeof further): void => void Object.assign(further, more);

export const languages: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

export const isLanguage = (text: unknown): text is Language => typeof text === 'string' && Object.hasOwn(languages, text);

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

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

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

/** Resolves when a language can be spoken; where it cannot be fetched, English goes on, and the next call tries again. */
export function learn(language: Language): Promise<void> {
  if (language === 'en' || texts[language]) return Promise.resolve();
  const before = coming.get(language);
  if (before) return before;
  const comes = sources[language]().then(
    ({ default: table }) => void (texts[language] = table),
    () => void coming.delete(language),
  );
  coming.set(language, comes);
  return comes;
}

/** The texts of a language; English ones until it has come, and then `come` is called. */
export function textsIn(language: Language, come: () => void): Texts {
  const table = texts[language];
  if (!table) void learn(language).then(() => texts[language] && come());
  const known = made.get(table ? language : 'en') ?? makeTexts(table ? language : 'en', table ?? en);
  made.set(known.language, known);
  return known;
}

function makeTexts(language: Language, table: Record<string, string>): Texts {
  const maybe: Texts['maybe'] = (key, values = {}) => {
    const found = [table, further[language]].find((one) => Object.hasOwn(one, key));
    return found && fill(found[key]!, values);
  };
  const name: Texts['name'] = (group, id) =>
    maybe(`${group}.${id}`) ??
    maybe(`${group}.${id.split('.').at(-1)}`) ??
    (group === 'part' ? maybe(`row.${id}`) : undefined) ??
    (group === 'symbols' ? symbol(id) : prettified(id));
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
  /** Sentences of the engine that have no code are found by their own words, but for a name or a number at their end. */
  const sentence: Texts['sentence'] = (group, text) => {
    const named = /(?:; |^)(default of|at most) (\w+)$/.exec(text);
    return maybe(`${group}.${slug(named?.[1] ?? text)}`, { name: named?.[2] ?? '' }) ?? text;
  };
  return { language, t: (key, values = {}) => maybe(key, values) ?? key, maybe, name, sentence };
}
