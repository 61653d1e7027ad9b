// A reply as text: the answer first, then the rows, then what was assumed. The figures are the engine's; nothing is computed here
// but shares and the difference of two printed numbers.

import { numeric, symbolic } from './formula.mjs';
import { columns, wrapped } from './table.mjs';
import { plain } from './style.mjs';
import { count, inUnit, share, value } from './units.mjs';

/** @typedef {{unit: string, style: import('./style.mjs').Style}} Look */

const verdictColour = { fits: 'green', tight: 'yellow', waits: 'yellow', 'too large': 'red', 'does not start': 'red' };

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
  const { unit, style } = look;
  const left = fit.free_bytes < 0 ? `${inUnit(-fit.free_bytes, unit)} ${unit} too much` : `${inUnit(fit.free_bytes, unit)} ${unit} left`;
  return [`${style(verdictColour[fit.verdict] ?? 'bold', fit.verdict)}: ${inUnit(fit.usable_bytes, unit)} ${unit} usable, ${left}`, ...reasons(fit)];
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
  const lines = columns([['row', look.unit, 'share', 'basis', 'low … high'], ...cells], ['left', 'right', 'right', 'left', 'left']);
  return ['', look.style('bold', lines[0]), ...lines.slice(1)];
}

/** What a formula says: by name, by value, and what comes of it; no line twice. */
function equation(title, result, formula, unit) {
  const figure = value(result);
  const steps = [...new Set([symbolic(formula), numeric(formula)])].filter((text) => text !== figure);
  return [title, ...[...steps, figure + unit].flatMap((text) => wrapped(`= ${text}`, '    ').map((part) => `  ${part}`))];
}

/** A row that is empty at the peak explains itself by another phase. */
function explained(row, id, peak) {
  const elsewhere = row.formula_phase !== undefined && row.formula_phase !== peak;
  const bytes = elsewhere ? (row.by_phase?.[row.formula_phase] ?? row.bytes) : row.bytes;
  const sources = (row.sources ?? []).map((source) => `  source: ${source}`);
  return [...equation(elsewhere ? `${id} (${row.formula_phase})` : id, bytes, row.formula, ' bytes'), ...sources];
}

function formulas(rows, peak, prefix = '') {
  return (rows ?? []).flatMap((row) => {
    const id = prefix ? `${prefix}.${row.id}` : row.id;
    return [...(row.formula ? explained(row, id, peak) : []), ...formulas(row.rows, peak, id)];
  });
}

function symbols(table) {
  const entries = Object.entries(table ?? {});
  return entries.flatMap(([name, symbol]) => {
    const source = symbol.source ? [`  source: ${symbol.source}`] : [];
    if (!symbol.formula) return [`${name} = ${value(symbol.value)}`, ...source];
    return [...equation(name, symbol.value, symbol.formula, ''), ...source];
  });
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
  return columns([['device', 'number', look.unit, 'fullest in'], ...cells], ['left', 'right', 'right', 'left']);
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
    columns([[step.replace('_', ' '), 'allocated', 'peak', 'reserved'], ...reply.allocator[step].map(cells)], ['left', 'right', 'right', 'right']),
  );
}

const bullet = (text) => wrapped(text, '  ').map((line, i) => (i === 0 ? `- ${line}` : line));

const shown = (v) => (typeof v === 'object' ? JSON.stringify(v) : typeof v === 'number' ? count(v) : String(v));

function remarks(reply, look) {
  const assumed = (reply.assumptions ?? []).flatMap((a) => bullet(`${a.field} = ${shown(a.value)}${a.why ? `: ${a.why}` : ''}`));
  const missing = (reply.missing ?? []).flatMap((field) => bullet(field));
  const notes = (reply.notes ?? []).flatMap((note) => bullet(note.where ? `${note.text} (${note.where})` : note.text));
  return [...section('Assumed', assumed, look), ...section('Left out, because not given', missing, look), ...section('Notes', notes, look)];
}

/** An error reply on one or two lines. */
export function errorText({ error }) {
  const hint = error.hint ? `\n  ${error.hint}` : '';
  return `${error.where ? `${error.where}: ` : ''}${error.what}${hint}`;
}

/**
 * A whole reply.
 * @param {object} reply
 * @param {Look} [look]
 */
export function reportText(reply, look = { unit: 'GiB', style: plain }) {
  const whole = reply.total?.process?.bytes ?? reply.total?.bytes ?? 0;
  return [
    ...heading(reply, look),
    ...totals(reply, look),
    ...verdict(reply, look),
    ...capacityLine(reply, look),
    ...rowTable(reply.rows, whole, look),
    ...section('Device by device', classes(reply, look), look),
    ...section('On the host', reply.host?.rows?.length ? rowTable(reply.host.rows, reply.host.bytes, look).slice(1) : [], look),
    ...section('Over time', timeline(reply, look), look),
    ...section("PyTorch's allocator", allocator(reply, look), look),
    ...section('Formulas', formulas(reply.rows, reply.total?.phase), look),
    ...section('Symbols', symbols(reply.symbols), look),
    ...remarks(reply, look),
  ].join('\n');
}
