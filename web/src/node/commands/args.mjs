// Command line words → request fields, by the option tables.

import { parseArgs } from 'node:util';

import { read } from '../../library/units.mjs';
import { preset } from '../presets.mjs';
import { UsageError, unknown } from './usage.mjs';

/** Sets a.b.c in a nested object, making the objects on the way. */
export function setField(target, field, value) {
  const names = field.split('.');
  const last = names.pop();
  let at = target;
  for (const name of names) {
    if (typeof at[name] !== 'object' || at[name] === null) at[name] = {};
    at = at[name];
  }
  at[last] = value;
}

/** An amount by its name, such as `desktop` for what other programs hold. */
function usual({ kind, read: form }, text) {
  const { value, unit } = form === 'bytes' && kind ? (preset(kind, text)?.bytes ?? {}) : {};
  return value === undefined ? undefined : Math.round(read.bytes(`${value}${unit}`));
}

function valueOf(option, token, command) {
  if (option.read === 'switch') {
    if (token.value !== undefined) throw new UsageError(`--${option.name} takes no value`, command);
    return !token.rawName.startsWith('--no-');
  }
  // The next word is the value whatever it looks like, so an option that lost its value would swallow the next one.
  const swallowed = token.inlineValue === false && token.value?.startsWith('--');
  if (token.value === undefined || swallowed) throw new UsageError(`--${option.name} needs a value (${option.value})`, command);
  const value = read[option.read ?? 'text'](token.value) ?? usual(option, token.value);
  if (value === undefined) throw new UsageError(`--${option.name}: "${token.value}" is not of the form ${option.value}`, command);
  return value;
}

function words(argv, options) {
  const config = Object.fromEntries(options.map((o) => [o.name, { type: o.read === 'switch' ? 'boolean' : 'string' }]));
  return parseArgs({ args: argv, options: config, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/**
 * @param {string} command for messages
 * @param {string[]} argv
 * @param {import('./options.mjs').Option[]} options
 * @returns {{files: string[], chosen: Map<import('./options.mjs').Option, unknown>}}
 */
export function parse(command, argv, options) {
  const files = [];
  const chosen = new Map();
  const byName = new Map(options.map((option) => [option.name, option]));
  for (const token of words(argv, options)) {
    if (token.kind === 'positional') files.push(token.value);
    if (token.kind !== 'option') continue;
    const named = byName.get(token.name) ?? byName.get(token.name.replace(/^no-/, ''));
    if (!named || (token.rawName.startsWith('--no-') && named.read !== 'switch')) {
      throw unknown('option', token.rawName, [...byName.keys()], command);
    }
    chosen.set(named, valueOf(named, token, command));
  }
  return { files, chosen };
}

/** The chosen options by name. */
export const settings = (chosen) => Object.fromEntries([...chosen].map(([option, value]) => [option.name, value]));

/** Writes the chosen options that set a field into a request. */
export function applyTo(request, chosen) {
  const all = [...chosen];
  // What stands for several fields comes first: an option of one of them changes it.
  for (const [field, value] of all.flatMap(([option, id]) => option.sets?.(id) ?? [])) setField(request, field, value);
  for (const [option, value] of all) if (option.field) setField(request, option.field, value);
  return request;
}
