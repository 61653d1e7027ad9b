// Names of what a log speaks of: fields, their values, counters, and what of an estimate these are held against.

import type { Calculator } from '../../app/calculator.ts';
import type { Key } from '../../languages/i18n.ts';
import { onAllDevices } from '../../reconcile/comparing.mjs';
import { formField } from '../../reconcile/holding.ts';
import { saidValue } from '../choosing/naming.ts';

/** What a field is called: in the words of the form, where the form has it. */
export function nameOf(c: Calculator, path: string): string {
  const id = formField(path);
  return c.texts.maybe(`field.${id ?? path}`) ?? c.texts.maybe(`reconcile.field.${path}`) ?? path;
}

/** What a field's value is called; keys and values of a cache may differ. */
export function valueNamed(c: Calculator, path: string, value: unknown): string {
  const id = formField(path);
  if (typeof value === 'object' && value !== null) {
    const { k, v } = value as { k?: unknown; v?: unknown };
    return [...new Set([k, v])].map((one) => valueNamed(c, path, one)).join(' / ');
  }
  return id ? saidValue(c, id, value) : String(value);
}

/** What a tool is called; one that the readers learn later by its id. */
export const toolName = (c: Calculator, tool: string): string => c.texts.maybe(`reconcile.tool.${tool}`) ?? tool;

/** What a counter is called. */
export const counterName = (c: Calculator, counter: string): string => c.texts.t(`counter.${counter}` as Key);

/** A figure: bytes, or a count where it is none of memory. */
export const amount = (c: Calculator, memory: boolean, value: number): string => (memory ? c.format.bytes(value) : c.format.count(value));

/** What of an estimate a figure is held against, as the page calls it. */
export function oursName(c: Calculator, of: string): string {
  if (of.startsWith(onAllDevices)) return c.texts.t('reconcile.ours.on_all', { name: oursName(c, of.slice(onAllDevices.length)) });
  const row = /(?:^|\.)rows\.(.+)$/.exec(of)?.[1];
  const name = row === undefined ? c.texts.t(`reconcile.ours.${of}` as Key) : c.texts.name('row', row.split('.').pop()!);
  return of.startsWith('host.rows.') ? c.texts.t('reconcile.ours.on_host', { name }) : name;
}
