// How cases and figures are said.

import type { Format } from '../languages/format.ts';
import type { Texts } from '../languages/i18n.ts';
import type { Figure } from './evidence.ts';
import type { Filter } from './choosing.ts';

/** Programs and families are called what they are called; all else has a text. */
export function nameOf({ t, maybe }: Texts, filter: Filter, value: string): string {
  if (filter === 'of') {
    if (value === '') return t('accuracy.of.none');
    const [id, many] = value.endsWith('+') ? [value.slice(0, -1), true] : [value, false];
    const of = maybe(`accuracy.of.${id}`) ?? id;
    return many ? t('accuracy.many', { of }) : of;
  }
  if (filter === 'family') return value || t('accuracy.of.none');
  return maybe(`accuracy.${filter}.${value}`) ?? value.replaceAll('_', ' ');
}

/** A value in its own unit: bytes as sizes, all else as it was counted. */
export const sizeOf = (format: Format, { unit }: Pick<Figure, 'unit'>, value: number): string => {
  if (unit === 'bytes') return format.bytes(value);
  return unit === 'parameters' ? format.short(value, 6) : format.count(Math.round(value * 100) / 100);
};

/** A part of a whole as percent: what is not nothing is not shown as nothing. */
export function percentOf(format: Format, part: number | undefined): string {
  if (part === undefined) return '–';
  if (part === 0) return '0';
  return Math.abs(part) < 0.0005 ? `< ${format.percent(0.001, 1)}` : format.percent(part, 1);
}

export const signedOf = (format: Format, { error }: Figure): string =>
  error === 0 ? '0' : `${error > 0 ? '+' : '−'}${percentOf(format, Math.abs(error)).replace('< ', '')}`;
