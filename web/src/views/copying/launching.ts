// Texts that start a runtime as it was estimated: templates of its preset, filled with what was chosen.

import type { FieldId, Value } from '../../state/fields.ts';
import type { LaunchLine, LaunchText } from '../../engine/wire.d.ts';
import { filled, quotedValue } from '../../state/quoting.mjs';

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

/** What stands for the holes of every line. */
function namesOf({ model, draft = 'path/to/draft-model', encoding, draftEncoding = 'BF16' }: Chosen): Record<string, string> {
  const name = nameOf(model);
  return { model, name: name.toLowerCase(), file: `${name}-${encoding}.gguf`, draft, draft_file: `${nameOf(draft)}-${draftEncoding}.gguf` };
}

function lineText(line: LaunchLine, language: LaunchText['language'], chosen: Chosen): string | undefined {
  const own = line.field && valueOf(line, chosen);
  const value = own !== undefined && line.values ? line.values[String(own)] : own;
  if (line.field && value === undefined) return undefined;
  // The value last: it may hold what looks like a hole. What a preset says for it is written in the language already.
  let text = line.text;
  for (const [name, stands] of Object.entries(namesOf(chosen))) text = filled(text, language, name, stands);
  return line.values ? text.replaceAll('{value}', () => String(value)) : filled(text, language, 'value', String(value), quotedValue);
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
