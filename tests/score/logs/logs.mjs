// Logs of other people's tools with the figures, the tool and the settings that each holds (fixtures.jsonl beside its texts),
// against what is read of them. Read alone: no engine is asked.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { rowsOf as madeRows } from './rows.mjs';

const share = (part, of) => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);

const rowsOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

/** Whether a file holds such rows. */
export const isLogs = (file) => {
  const [first] = rowsOf(file);
  return first !== undefined && 'figures' in first && 'tool' in first && 'file' in first;
};

const close = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

/** A figure is found where its line holds one with the same number; right where its bytes are the row's, but for rounding. */
function same(found, row) {
  if (!close(found.value, row.value)) return false;
  const lines = [found.line, row.line].map((line) => line.trim());
  if (!lines[0].includes(lines[1]) && !lines[1].includes(lines[0])) return false;
  return found.bytes === undefined || row.bytes === null || Math.abs(found.bytes - row.bytes) <= 1;
}

const plain = (value) =>
  String(value)
    .toLowerCase()
    .replace(/^torch\./, '')
    .replaceAll('"', '');
const equal = (found, stated) =>
  plain(found) === plain(stated) ||
  (found !== '' && close(Number(found), Number(stated))) ||
  (Array.isArray(stated) && String(stated) === String(found));

/** One row's counts. The same figure in the same line is one, however often a row lists it. */
function counted(row, reply) {
  const all = [...reply.figures, ...reply.refused];
  const wanted = row.figures.filter((one, at) => row.figures.findIndex((other) => other.line === one.line && close(other.value, one.value)) === at);
  const missed = wanted.filter((one) => !all.some((found) => same(found, one)));
  const false_ = reply.figures.filter((found) => !row.figures.some((one) => same(found, one)));
  const settings = Object.entries(row.settings);
  const right = settings.filter(([name, stated]) => name in reply.settings && equal(reply.settings[name], stated));
  return {
    tool: row.tool,
    logs: 1,
    recognised: Number(reply.tool === row.tool),
    figures: wanted.length,
    right: wanted.length - missed.length,
    missed: missed.map((one) => ({ id: row.id, ...one })),
    false: false_.map((one) => ({ id: row.id, ...one })),
    settings: settings.length,
    stated: right.length,
    lost: settings.filter((one) => !right.includes(one)).map(([name, stated]) => ({ id: row.id, name, stated, found: reply.settings[name] })),
  };
}

function textOf(file, row) {
  for (const path of [join(dirname(file), row.file), join(dirname(file), 'fixtures', row.file)])
    if (existsSync(path)) return readFileSync(path, 'utf8');
  throw new Error(`${row.file} is not beside ${file}`);
}

/** @param {string} file fixtures.jsonl @param {(text: string) => any} read */
export function scoreLogs(file, read) {
  return rowsOf(file).map((row) => {
    return counted(row, read(textOf(file, row)));
  });
}

/** What is read of the logs that state a model, as rows of tests/measured. @param {string} file @param {(text: string) => any} read */
export const rowsFrom = (file, read) => madeRows(rowsOf(file), read, (row) => textOf(file, row));

/**
 * The logs that state a model and how its weights are stored, held against the estimate: how often a figure lies within our band,
 * and of the differences beyond it how much is explained.
 * @param {string} file @param {(text: string) => Promise<any>} reconcile
 */
export async function heldAgainst(file, reconcile) {
  const held = [];
  for (const row of rowsOf(file)) {
    const { compared = [], figures, refusal } = await reconcile(textOf(file, row));
    for (const { figure, ...one } of compared) held.push({ id: row.id, tool: row.tool, counter: figures[figure].counter, ...one });
    if (refusal) held.push({ id: row.id, tool: row.tool, refusal });
  }
  return held;
}

/** @param {Awaited<ReturnType<typeof heldAgainst>>} all @param {boolean} rows */
export function heldLines(all, rows) {
  const held = all.filter(({ refusal }) => !refusal);
  const beyond = held.filter(({ within }) => !within);
  const sum = (list, part) => list.reduce((total, one) => total + Math.abs(part(one)), 0);
  const whole = sum(beyond, ({ difference }) => difference);
  const left = sum(beyond, ({ unexplained }) => unexplained);
  const tools = [...new Set(held.map(({ tool }) => tool))].sort();
  const line = (name, list) =>
    `${name.padEnd(22)}${String(list.length).padStart(8)} held, ${share(list.filter(({ within }) => within).length, list.length)} within the band`;
  return [
    '',
    ...tools.map((tool) =>
      line(
        tool,
        held.filter((one) => one.tool === tool),
      ),
    ),
    line('all', held),
    `of the differences beyond it ${share(Math.max(0, whole - left), whole)} explained; ${all.length - held.length} requests refused`,
    ...(rows
      ? beyond.map(
          (one) =>
            `beyond ${one.id}: ${one.counter} ${one.ours.of} ${Math.round(one.difference)} of ${Math.round(one.ours.bytes)}, left ${Math.round(one.unexplained)}`,
        )
      : []),
    ...(rows ? all.filter(({ refusal }) => refusal).map(({ id, refusal }) => `refused ${id}: ${refusal.where} ${refusal.what}`) : []),
  ];
}

const sums = ['logs', 'recognised', 'figures', 'right', 'settings', 'stated'];
const lists = ['missed', 'false', 'lost'];

const added = (tool, rows) => ({
  tool,
  ...Object.fromEntries(sums.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])),
  ...Object.fromEntries(lists.map((name) => [name, rows.flatMap((row) => row[name])])),
});

/** By tool, and all of them. */
export function summed(counts) {
  const tools = [...new Set(counts.map(({ tool }) => tool))].sort();
  return [
    ...tools.map((tool) =>
      added(
        tool,
        counts.filter((row) => row.tool === tool),
      ),
    ),
    added('all', counts),
  ];
}

/** @param {ReturnType<typeof summed>} all @param {boolean} rows whether to list what was missed */
export function logLines(all, rows) {
  const head = ['tool', 'logs', 'recognised', 'figures', 'right', 'missed', 'false', 'settings', 'stated'];
  const cells = all.map((one) => [
    one.tool,
    one.logs,
    one.recognised,
    one.figures,
    `${one.right} ${share(one.right, one.figures)}`,
    one.missed.length,
    one.false.length,
    one.settings,
    `${one.stated} ${share(one.stated, one.settings)}`,
  ]);
  const table = [head, ...cells].map((line) => line.map((cell, at) => (at === 0 ? String(cell).padEnd(22) : String(cell).padStart(12))).join(''));
  if (!rows) return table;
  const { missed, false: none, lost } = all.at(-1);
  return [
    ...table,
    ...missed.map(({ id, value, unit, line }) => `missed ${id}: ${value} ${unit} | ${line.slice(0, 140)}`),
    ...none.map(({ id, counter, value, line }) => `false ${id}: ${counter} ${value} | ${line.slice(0, 140)}`),
    ...lost.map(({ id, name, stated, found }) => `setting ${id}: ${name} ${stated} | ${found}`),
  ];
}
