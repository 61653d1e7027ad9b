// What configurations are called: by what tells them apart, in the words of the form.

import '../../languages/texts-later.ts';
import type { Calculator } from '../../app/calculator.ts';
import { tokens } from '../../languages/format.ts';
import type { Key } from '../../languages/i18n.ts';
import { field, type FieldId } from '../../state/fields.ts';
import { counts, deviceOrigin, type State } from '../../state/state.ts';
import { valueName } from '../form/field.ts';

/** A value as people name it. */
export function saidValue(c: Calculator, id: FieldId, value: unknown): string {
  const { tables, texts, format } = c;
  if (typeof value === 'boolean') return texts.t(value ? 'value.yes' : 'value.no');
  const { kind } = field(id);
  if (typeof value === 'number') {
    if (kind === 'memory') return format.bytes(value);
    return kind === 'tokens' ? tokens(value) : format.count(value);
  }
  const text = String(value);
  if (id === 'device.preset') return tables?.devices.find((one) => one.id === text)?.name ?? text;
  if (id === 'device.list')
    return text
      .split(',')
      .map((one) => saidValue(c, 'device.preset', one))
      .join(' + ');
  if (id.endsWith('model.preset')) return c.models.find(text)?.name ?? text;
  if (id === 'inference.runtime') return tables?.runtimes.find((one) => one.id === text)?.name ?? text;
  if (kind === 'json') return field(id).key;
  const encoding = id.endsWith('encoding') || id.includes('kv_encoding');
  return (encoding ? tables?.encodings.find((one) => one.id === text)?.name : undefined) ?? valueName(c, id, text);
}

export const fieldName = (c: Calculator, id: FieldId): string => c.texts.t(`field.${id}` as Key);

/** What tells one configuration from another, in the order in which people say it. */
const telling: Record<State['task'], readonly FieldId[]> = {
  inference: ['inference.runtime', 'weights.encoding', 'inference.context', 'inference.sequences'],
  training: ['training.method', 'training.optimizer', 'training.sequence', 'training.micro_batch'],
};

function deviceOf(c: Calculator, state: State): string {
  const id = ({ preset: 'device.preset', typed: 'device.memory_bytes', list: 'device.list' } as const)[deviceOrigin(state)];
  const value = state.values[id];
  const number = Number(state.values[state.task === 'training' ? 'training.devices' : 'devices'] ?? 1);
  return value === undefined ? '' : `${number > 1 ? `${c.format.count(number)} × ` : ''}${saidValue(c, id, value)}`;
}

/**
 * A line that names a configuration.
 * @param model what the answer called the model, where one is known
 */
export function titleOf(c: Calculator, state: State, model?: string): string {
  const { t } = c.texts;
  const chosen = state.model === 'preset' ? saidValue(c, 'model.preset', state.values['model.preset'] ?? '') : t('form.from_files');
  const rest = telling[state.task].filter((id) => counts(state, id) && state.values[id] !== undefined && state.values[id] !== field(id).initial);
  return [
    model ?? chosen,
    deviceOf(c, state),
    ...(state.task === 'training' ? [t('task.training')] : []),
    ...rest.map((id) => saidValue(c, id, state.values[id])),
  ]
    .filter(Boolean)
    .join(' · ');
}
