// A reply as text: the answer first, then the rows, then what was assumed. The figures are the engine's; nothing is computed here
// but shares and the difference of two printed numbers.

import { barLines } from './bar.mjs';
import { formulas, symbols } from './explaining.mjs';
import { verdictText } from './forms.mjs';
import { plainLook } from './look.mjs';
import { columns, wrapped } from './table.mjs';
import { timeLines } from './time.mjs';
import { count, inUnit, share } from '../../library/units.mjs';

/** @typedef {import('./look.mjs').Look} Look */

const band = (total, { unit }) => (total.low === total.high ? '' : ` (${inUnit(total.low, unit)} … ${inUnit(total.high, unit)})`);

function heading(reply, { style }) {
  const { name, architecture, parameters } = reply.model ?? {};
  const parts = [name, architecture, parameters?.total && `${count(parameters.total)} parameters`].filter(Boolean);
  const active = parameters?.active && parameters.active !== parameters.total ? ` (${count(parameters.active)} active)` : '';
  return [style('bold', parts.join(' · ') + active)];
}

function verdict(reply, look) {
  const { fit } = reply;
  if (!fit?.verdict) return [];
  const { unit } = look;
  const left = fit.free_bytes < 0 ? `${inUnit(-fit.free_bytes, unit)} ${unit} too much` : `${inUnit(fit.free_bytes, unit)} ${unit} left`;
  return [`${verdictText(fit.verdict, look)}: ${inUnit(fit.usable_bytes, unit)} ${unit} usable, ${left}`, ...reasons(fit)];
}

/** Why a server does not start or holds fewer than asked, and what it says then. */
function reasons({ sequences, why, says }) {
  const held = sequences > 0 ? `${count(sequences)} sequences at once: ` : '';
  return [...(why ? [`  ${held}${why}`] : []), ...(says ? [`  it says: ${says}`] : [])];
}

/** What the memory that a runtime claims for its cache holds. */
function capacityLine({ capacity }, { unit }) {
  if (!capacity) return [];
  const { bytes, kv_tokens: tokens, sequences } = capacity;
  return [`cache: ${inUnit(bytes, unit)} ${unit} hold ${count(tokens)} tokens, ${sequences.toFixed(2)} sequences of this length`];
}

function totals(reply, look) {
  const { total } = reply;
  const { unit, style } = look;
  const line = (part, meaning) => (part ? [`${inUnit(part.bytes, unit)} ${unit}${band(part, look)} ${meaning}`] : []);
  const when = [total.phase && `at the peak (${total.phase})`, (reply.devices ?? []).length > 1 && `on ${total.device}`]
    .filter(Boolean)
    .map((part) => ` ${part}`)
    .join('');
  return [
    style('bold', line(total, `needed${when}`)[0]),
    ...line(total.reserved, "reserved, with the allocator's slack"),
    ...line(total.process, 'in all, as nvidia-smi shows it'),
    ...(total.claimed ? line({ bytes: total.claimed }, 'claimed by the runtime, whatever is needed') : []),
  ];
}

function rowCells(row, whole, { unit }, depth = 0) {
  const range = row.low === undefined || row.low === row.high ? '' : `${inUnit(row.low, unit)} … ${inUnit(row.high, unit)}`;
  const cells = ['  '.repeat(depth) + row.id, inUnit(row.bytes, unit), share(row.bytes, whole), row.basis ?? '', range];
  return [cells, ...(row.rows ?? []).flatMap((child) => rowCells(child, whole, { unit }, depth + 1))];
}

function rowTable(rows, whole, look) {
  if (!rows?.length) return [];
  const cells = rows.flatMap((row) => rowCells(row, whole, look));
  const room = { width: look.width, spare: [4, 3, 2] };
  const lines = columns([['row', look.unit, 'share', 'basis', 'low … high'], ...cells], ['left', 'right', 'right', 'left', 'left'], room);
  return ['', look.style('bold', lines[0]), ...lines.slice(1)];
}

/** Classes of devices that hold different things: how many, how much, and when. */
function classes(reply, look) {
  const all = reply.devices ?? [];
  if (all.length < 2) return [];
  const cells = all.map(({ device, name, count, bytes, phase }) => [
    name ? `${device}: ${name}` : device,
    String(count),
    inUnit(bytes, look.unit),
    phase ?? '',
  ]);
  return columns([['device', 'number', look.unit, 'fullest in'], ...cells], ['left', 'right', 'right', 'left'], look);
}

const section = (title, lines, { style }) => (lines.length ? ['', style('bold', title), ...lines] : []);

function timeline(reply, look) {
  const phases = reply.timeline ?? [];
  if (phases.length < 2) return [];
  return columns(
    phases.map((p) => [p.phase, inUnit(p.bytes, look.unit)]),
    ['left', 'right'],
  );
}

/** What the framework's allocator shows after each phase: of the first step, and of every later one. */
function allocator(reply, look) {
  if (!reply.allocator) return [];
  const cells = ({ phase, allocated, peak, reserved }) => [phase, ...[allocated, peak, reserved].map((bytes) => inUnit(bytes, look.unit))];
  return ['first_step', 'later_steps'].flatMap((step) =>
    columns(
      [[step.replace('_', ' '), 'allocated', 'peak', 'reserved'], ...reply.allocator[step].map(cells)],
      ['left', 'right', 'right', 'right'],
      look,
    ),
  );
}

const shown = (v) => (typeof v === 'object' ? JSON.stringify(v) : typeof v === 'number' ? count(v) : String(v));

/** What is told beside the figures, by its title. @param {any} reply @returns {[string, string[]][]} */
export const remarks = ({ assumptions = [], missing = [], notes = [] }) => [
  ['Assumed', assumptions.map(({ field, value, why }) => `${field} = ${shown(value)}${why ? `: ${why}` : ''}`)],
  ['Left out, because not given', missing],
  ['Notes', notes.map(({ text, where }) => (where ? `${text} (${where})` : text))],
];

const bullets = (texts, { width }) => texts.flatMap((text) => wrapped(text, '  ', width).map((line, at) => (at === 0 ? `- ${line}` : line)));

/** An error reply on one or two lines. */
export function errorText({ error }) {
  const hint = error.hint ? `\n  ${error.hint}` : '';
  return `${error.where ? `${error.where}: ` : ''}${error.what}${hint}`;
}

/** What an answer comes to: its model, what is needed, and the verdict. @param {any} reply @param {Look} look @returns {string[]} */
export const summary = (reply, look) => [...heading(reply, look), ...totals(reply, look), ...verdict(reply, look), ...capacityLine(reply, look)];

/**
 * A whole reply.
 * @param {any} reply
 * @param {Look} [look]
 * @param {string[]} [answers] what else fits, or what would, a line each
 * @param {import('./time.mjs').Cost} [cost]
 */
export function reportText(reply, look = plainLook, answers = [], cost = {}) {
  const whole = reply.total?.process?.bytes ?? reply.total?.bytes ?? 0;
  return [
    ...summary(reply, look),
    ...barLines(reply, look),
    ...section('Time', timeLines(reply, cost), look),
    ...rowTable(reply.rows, whole, look),
    ...answers,
    ...section('Device by device', classes(reply, look), look),
    ...section('On the host', reply.host?.rows?.length ? rowTable(reply.host.rows, reply.host.bytes, look).slice(1) : [], look),
    ...section('Over time', timeline(reply, look), look),
    ...section("PyTorch's allocator", allocator(reply, look), look),
    ...section('Formulas', formulas(reply, look), look),
    ...section('Symbols', symbols(reply, look), look),
    ...remarks(reply).flatMap(([title, texts]) => section(title, bullets(texts, look), look)),
  ].join('\n');
}
