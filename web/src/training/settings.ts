// Settings of a trainer as a training was estimated: the texts of its preset, filled with what was chosen or assumed.

import type { TrainerLine, TrainerPreset, TrainerText } from '../engine/wire.d.ts';
import { filled, quotedList, quotedText, quotedValue } from '../state/quoting.mjs';

export interface Estimated {
  /** The model's name on the hub, or what stands for one. */
  model: string;
  /** What holds, by the path of a field in a request. */
  values: Readonly<Record<string, unknown>>;
}

/** What tools are told that is no field of its own: holes of a line by these names. */
function figures(values: Estimated['values']): Record<string, number> {
  const of = (path: string): number => Number(values[path] ?? 1);
  const [copies, context] = [of('parallel.data'), of('parallel.context')];
  const groups = values['parallel.shard_group'] === undefined ? 1 : (copies * context) / of('parallel.shard_group');
  const micro = of('training.micro_batch');
  return {
    devices: copies * context * of('parallel.tensor') * of('parallel.pipeline'),
    groups,
    shards: copies / groups,
    micro_batch: micro,
    local_batch: of('parallel.pipeline') > 1 ? micro * of('training.accumulation') : micro,
    global_batch: micro * of('training.accumulation') * copies,
  };
}

type Language = TrainerText['language'];

/** PEFT takes the name of all linear layers as a text, and any other module in a list. */
const listed = (language: Language, items: readonly string[]): string =>
  language === 'python' && items.length === 1 && items[0] === 'all-linear' ? quotedText(language, items[0]) : quotedList(language, items);

const plainly = (lines: readonly string[]): string => lines.join('\n');

/** Members are parted by commas, but for the last one of an object. */
const asJson = (lines: readonly string[]): string =>
  plainly(lines.map((line, at) => (/[{[]$/.test(line) || /^\s*[}\]]/.test(lines[at + 1] ?? '}') ? line : `${line},`)));

/** One command over several lines; remarks stand below it. */
function asCommand(lines: readonly string[]): string {
  const said = lines.filter((line) => !line.startsWith('#'));
  return plainly([said.join(' \\\n  '), ...lines.filter((line) => line.startsWith('#'))]);
}

const joined: Record<Language, (lines: readonly string[]) => string> = {
  python: plainly,
  yaml: plainly,
  json: asJson,
  toml: plainly,
  shell: asCommand,
};

/** A list is written with commas, whoever wrote it. */
const written = (value: unknown): string => String(value ?? '').replaceAll(/,\s+/g, ',');

/** What a line says: its text, '' for what the tool does by itself, nothing where it does not stand. */
function lineText(line: TrainerLine, language: Language, { model, values }: Estimated): { text?: string; field?: string } | undefined {
  const holds = Object.entries(line.when ?? {}).every(([path, among]) => among.includes(written(values[path])));
  if (!holds) return undefined;
  const figured = line.text.replaceAll(/\{(\w+)\}/g, (hole, name: string) => String(figures(values)[name] ?? hole));
  if (line.field === undefined) return { text: filled(figured, language, 'model', model) };
  const own = values[line.field];
  if (own === undefined) return undefined;
  const value = line.values ? line.values[written(own)] : written(own);
  if (value === undefined) return undefined;
  if (value === null) return { field: line.field };
  const text = figured.replaceAll('{list}', () => listed(language, value.split(',')));
  if (text !== figured) return { text, field: line.field };
  // What a preset says for a value is written in the language already.
  if (line.values) return { text: figured.replaceAll('{value}', () => value), field: line.field };
  return { text: filled(figured, language, 'value', value, quotedValue), field: line.field };
}

/** Whether the tool does what the layout says; those that name no frameworks run any. */
export const runs = ({ frameworks }: TrainerPreset, framework: string): boolean =>
  (frameworks as readonly string[] | undefined)?.includes(framework) ?? true;

/** The text, ready to be copied. */
export function settingsText({ language, lines }: TrainerText, estimated: Estimated): string {
  const texts = lines.map((line) => lineText(line, language, estimated)?.text);
  return joined[language](texts.filter((text) => text !== undefined));
}

/** The fields that the tool is asked for and has no setting for, of those that have a value. */
export function unsaid({ fields, texts }: TrainerPreset, estimated: Estimated): string[] {
  const said = new Set(texts.flatMap(({ language, lines }) => lines.map((line) => lineText(line, language, estimated)?.field)));
  return fields.filter((path) => estimated.values[path] !== undefined && !said.has(path));
}
