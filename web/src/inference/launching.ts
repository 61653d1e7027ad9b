// Texts that start a runtime as it was estimated: templates of its preset, filled with what was chosen.

import type { FieldId, Value } from '../state/fields.ts';
import type { LaunchLine, LaunchText } from '../engine/wire.d.ts';

export interface Chosen {
  /** The model's name on the hub, or what stands for one; the draft model's. */
  model: string;
  draft?: string;
  /** The encoding of the draft model's weights, as file names carry it. */
  draftEncoding?: string;
  /** The weights' encoding, as file names carry it. */
  encoding: string;
  values: Partial<Record<FieldId, Value>>;
  /** What the engine took where nothing was chosen. */
  assumed: Partial<Record<FieldId, Value>>;
}

const quoting: Record<LaunchText['language'], (text: string) => string> = {
  shell: (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`),
  python: (text) => JSON.stringify(text),
  modelfile: (text) => text,
};

const joints: Record<LaunchText['language'], string> = { shell: ' \\\n  ', python: '\n', modelfile: '\n' };

/** The value of a line: the product of its fields, each as chosen or, where the line stands always, as assumed. */
function valueOf({ field = [], always }: LaunchLine, { values, assumed }: Chosen): Value | undefined {
  const ids = field as FieldId[];
  if (!always && !ids.some((id) => values[id] !== undefined)) return undefined;
  const each = ids.map((id) => values[id] ?? assumed[id]);
  if (each.some((value) => value === undefined)) return undefined;
  return each.length === 1 ? each[0] : each.reduce<number>((product, value) => product * Number(value), 1);
}

const nameOf = (model: string): string => model.split('/').at(-1)!;

function lineText(line: LaunchLine, language: LaunchText['language'], chosen: Chosen): string | undefined {
  const quote = quoting[language];
  const name = nameOf(chosen.model);
  const { draft = 'path/to/draft-model', draftEncoding = 'BF16' } = chosen;
  let value = '';
  if (line.field) {
    const own = valueOf(line, chosen);
    const written =
      own === undefined ? undefined : line.values ? line.values[String(own)] : typeof own === 'number' ? String(own) : quote(String(own));
    if (written === undefined) return undefined;
    value = written;
  }
  return line.text
    .replaceAll('{model}', () => quote(chosen.model))
    .replaceAll('{name}', () => quote(name.toLowerCase()))
    .replaceAll('{file}', () => quote(`${name}-${chosen.encoding}.gguf`))
    .replaceAll('{draft}', () => quote(draft))
    .replaceAll('{draft_file}', () => quote(`${nameOf(draft)}-${draftEncoding}.gguf`))
    .replaceAll('{value}', () => value);
}

/** The text, ready to be copied. */
export function launchText({ language, lines }: LaunchText, chosen: Chosen): string {
  const texts = lines.map((line) => lineText(line, language, chosen)).filter((text) => text !== undefined);
  return texts.join(joints[language]);
}

/** Whether a GGUF file is named, whose name says the weights' encoding. */
export const namesFile = (texts: readonly LaunchText[]): boolean => texts.some(({ lines }) => lines.some(({ text }) => text.includes('{file}')));

/** Of some fields those that were chosen and that no line of the texts says. */
export function unsaid(texts: readonly LaunchText[], chosen: Chosen, among: readonly FieldId[]): FieldId[] {
  const said = texts.flatMap(({ language, lines }) =>
    lines.filter((line) => line.field && lineText(line, language, chosen) !== undefined).flatMap(({ field }) => field ?? []),
  );
  if (namesFile(texts)) said.push('weights.encoding');
  if (said.includes('parallel.tensor')) said.push('devices');
  return among.filter((id) => chosen.values[id] !== undefined && !said.includes(id));
}
