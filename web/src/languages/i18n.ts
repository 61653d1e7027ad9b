// Texts by key, a folder for each language (README.md). A key that only the engine can name (a row, a symbol, a note) may be unknown:
// `maybe` then gives undefined, and the page shows the name itself.

import type measured from './en/accuracy.json';
import type choosing from './en/choosing.json';
import type files from './en/files.json';
import type hub from './en/hub.json';
import type later from './en/later.json';
import type layouts from './en/layouts.json';
import type measuring from './en/measuring.json';
import type offline from './en/offline.json';
import type reconcile from './en/reconcile.json';
import type time from './en/time.json';
import en from './en/texts.json';

export type Key =
  | keyof typeof en
  | keyof typeof later
  | keyof typeof choosing
  | keyof typeof measured
  | keyof typeof files
  | keyof typeof hub
  | keyof typeof layouts
  | keyof typeof measuring
  | keyof typeof offline
  | keyof typeof reconcile
  | keyof typeof time;
/** A tag of BCP 47, by which the folder is called. */
export type Language = string;
type Table = Record<string, string>;
/** What presets say, by kind, id and place in the preset. */
export type PresetTexts = Record<string, Record<string, Table>>;
type Sources<T> = Record<string, () => Promise<T>>;

/** The language that a file is of. */
const languageOf = (path: string): Language => path.split('/').at(-2)!;
const byLanguage = <T>(files: Record<string, T>): Record<Language, T> =>
  Object.fromEntries(Object.entries(files).map(([path, file]) => [languageOf(path), file]));

const known = byLanguage(import.meta.glob<{ name: string; speaks: string }>('./*/language.json', { eager: true, import: 'default' }));
const sources = byLanguage(import.meta.glob<Table>(['./*/texts.json', '!./en/texts.json'], { import: 'default' }));
let presetSources: Sources<PresetTexts> = {};

/** What has come. English comes with the page; another language when it is first spoken. */
const texts: Partial<Record<Language, Table>> = { en };
const presetTexts: Partial<Record<Language, PresetTexts>> = {};
const coming = new Map<Language, Promise<void>>();
/** What came with a later piece of the page. */
const further: Record<Language, Table> = {};

/** More texts, by files of their languages. */
export function addTexts(more: Record<string, Table>): void {
  for (const [language, table] of Object.entries(byLanguage(more))) further[language] = { ...further[language], ...table };
}
/** Where what presets say comes from, for pages that show presets. */
export const addPresetTexts = (files: Sources<PresetTexts>): void => void (presetSources = byLanguage(files));

export const languages: Record<Language, string> = Object.fromEntries(Object.entries(known).map(([language, { name }]) => [language, name]));

/** What a browser calls each of them. */
export const spoken: string[] = Object.values(known).map(({ speaks }) => speaks);

export const isLanguage = (text: unknown): text is Language => typeof text === 'string' && Object.hasOwn(languages, text);

/** The first of the browser's languages that the page speaks. */
export const preferred = (wanted: readonly string[] = navigator.languages): Language =>
  wanted.map((one) => Object.keys(known).find((language) => one.toLowerCase().split('-')[0] === known[language]!.speaks)).find(isLanguage) ?? 'en';

const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));

/** Names that the engine makes of other names, such as `kept_gate` or `embedding_parameters`. */
const compounds = [/^(kept_|gradient_of_|layer_kept_for_|bytes_per_)(.+)$/, /^(.+)(_parameters|_elements|_seconds)$/];

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
  /** What a preset says at a place, as `article.claim` or `compare.0.what`; presets themselves are English. */
  preset(kind: string, id: string, place: string, english: string): string;
}

const made = new Map<Language, Texts>();

/** Resolves when a language can be spoken; where it cannot be fetched, English goes on, and the next call tries again. */
export function learn(language: Language): Promise<void> {
  if (language === 'en' || texts[language]) return Promise.resolve();
  const before = coming.get(language);
  if (before) return before;
  const comes = Promise.all([sources[language]!(), presetSources[language]?.()]).then(
    ([table, presets]) => {
      texts[language] = table;
      if (presets) presetTexts[language] = presets;
    },
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

function makeTexts(language: Language, table: Table): Texts {
  const maybe: Texts['maybe'] = (key, values = {}) => {
    const found = [table, further[language] ?? {}].find((one) => Object.hasOwn(one, key));
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
  const preset: Texts['preset'] = (kind, id, place, english) => presetTexts[language]?.[kind]?.[id]?.[place] ?? english;
  return { language, t: (key, values = {}) => maybe(key, values) ?? key, maybe, name, sentence, preset };
}
