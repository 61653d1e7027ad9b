// The guide's prose as its tests read it: Markdown without what the engine answers, what is quoted, code and addresses.

/** What a language's punctuation ends a sentence with. */
const ends = /(?<=[.!?](?:\*\*)?)\s+(?=\S)|(?<=:)\s+(?=[A-Z])|(?<=[。！？；])/;

/** Figures and quotations, as the source writes them. */
export const figuresIn = (text) => [...text.matchAll(/\{\{([\w.-]+)\}\}/g)].map(([, name]) => name);
export const quotationsIn = (text) => [...text.matchAll(/\{\{"([^"]+)" ([\w.-]+)\}\}/g)].map(([, words, id]) => ({ words, id }));
export const verdictsIn = (text) => [...text.matchAll(/^\{\{\? ([\w.-]+)\}\}(?: |$)/gm)].map(([, name]) => name);

/** Scenes that it shows. */
export const scenesIn = (text) => [...text.matchAll(/^\{\{> ([\w.-]+)\}\}$/gm)].map(([, name]) => name);

/** Charts that it shows. */
export const chartsIn = (text) => [...text.matchAll(/^\{\{= ([\w.-]+)\}\}$/gm)].map(([, name]) => name);

/** Addresses of links. */
export const linksIn = (text) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href);

/** The prose alone: what stands in for a figure or a quotation has no digit. */
export const prose = (text) =>
  text
    .replaceAll(/\{\{[^}]*\}\}/g, 'so much')
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\s*\{#[\w-]+\}/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']');

/** A digit with a unit of memory, a percent sign or a factor: a figure that nobody answers for. */
const typed = /[\d.,]*\d\s*(?:[KMGT]i?B\b|bytes?\b|字节|%|％|per ?cent\b|times\b|倍|×(?!\s*\d)|GB\b)|\d\s*[-–]?\s*fold\b/gi;

/** Sizes of devices are their names. */
const names = /(?:of|with|cards? of|cards of) \d+ GB|\d+ GB 的/g;

export const typedFigures = (text) => [...prose(text).replaceAll(names, '').matchAll(typed)].map(([figure]) => figure);

/** Sentences of the paragraphs and lists; tables and headings have none. */
export const sentences = (text) =>
  prose(text)
    .split(/\n{2,}|\n(?=- )/)
    .filter((part) => !/^[#|]/.test(part.trim()))
    .flatMap((part) => part.replaceAll(/\s+/g, ' ').split(ends))
    .map((sentence) => sentence.trim())
    .filter(Boolean);

/** The words of an English text, in small letters and without a possessive. */
export const wordsIn = (text) =>
  (prose(text.replaceAll(/\{\{[^}]*\}\}|`[^`]*`/g, ' ')).match(/\p{L}[\p{L}\d]*(?:[’'-][\p{L}\d]+)*/gu) ?? []).map((word) =>
    word.toLowerCase().replace('’', "'").replace(/'s$/, ''),
  );

/** Words of a text; of Chinese its characters. */
export const length = (text, language) =>
  language.startsWith('zh')
    ? (prose(text).match(/\p{Script=Han}/gu) ?? []).length
    : (prose(text).match(/[\p{L}\d]+(?:['’.-][\p{L}\d]+)*/gu) ?? []).length;
