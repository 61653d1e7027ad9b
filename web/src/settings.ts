// Settings of a trainer as a training was estimated: the texts of its preset, filled with what was chosen or assumed.

import type { TrainerLine, TrainerPreset, TrainerText } from './wire.d.ts';

export interface Estimated {
  /** The model's name on the hub, or what stands for one. */
  model: string;
  /** What holds, by the path of a field in a request. */
  values: Readonly<Record<string, unknown>>;
}

type Language = TrainerText['language'];

const quote = (text: string): string => JSON.stringify(text);

const lists: Record<Language, (items: string[]) => string> = {
  python: (items) => (items.length === 1 && items[0] === 'all-linear' ? quote(items[0]) : `[${items.map(quote).join(', ')}]`),
  yaml: (items) => `[${items.join(', ')}]`,
};

const names: Record<Language, (text: string) => string> = {
  python: quote,
  yaml: (text) => (/^[\w./-]+$/.test(text) ? text : quote(text)),
};

/** A list is written with commas, whoever wrote it. */
const written = (value: unknown): string => String(value ?? '').replaceAll(/,\s+/g, ',');

/** What a line says: its text, '' for what the tool does by itself, nothing where it does not stand. */
function lineText(line: TrainerLine, language: Language, { model, values }: Estimated): { text?: string; field?: string } | undefined {
  const holds = Object.entries(line.when ?? {}).every(([path, among]) => among.includes(written(values[path])));
  if (!holds) return undefined;
  if (line.field === undefined) return { text: line.text.replaceAll('{model}', () => names[language](model)) };
  const own = values[line.field];
  if (own === undefined) return undefined;
  const value = line.values ? line.values[written(own)] : written(own);
  if (value === undefined) return undefined;
  if (value === null) return { field: line.field };
  const text = line.text.replaceAll('{value}', () => value).replaceAll('{list}', () => lists[language](value.split(',')));
  return { text, field: line.field };
}

/** The text, ready to be copied. */
export function settingsText({ language, lines }: TrainerText, estimated: Estimated): string {
  const texts = lines.map((line) => lineText(line, language, estimated)?.text);
  return texts.filter((text) => text !== undefined).join('\n');
}

/** The fields that the tool is asked for and has no setting for, of those that have a value. */
export function unsaid({ fields, texts }: TrainerPreset, estimated: Estimated): string[] {
  const said = new Set(texts.flatMap(({ language, lines }) => lines.map((line) => lineText(line, language, estimated)?.field)));
  return fields.filter((path) => estimated.values[path] !== undefined && !said.has(path));
}
