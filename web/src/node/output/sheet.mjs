// An answer as comma-separated values, for a spreadsheet, and as Markdown, for an issue or a page.

import { csvLines, markdownLines } from './forms.mjs';
import { plainLook } from './look.mjs';
import { remarks, summary } from './report.mjs';
import { inUnit, share } from '../../library/units.mjs';
import { markdownText } from '../../state/quoting.mjs';

/** Every row by its path, such as `kv_cache.keys`. @returns {{path: string, row: any}[]} */
const byPath = (rows, above = '') =>
  (rows ?? []).flatMap((row) => {
    const path = above ? `${above}.${row.id}` : row.id;
    return [{ path, row }, ...byPath(row.rows, path)];
  });

/** The totals as rows, and what the device has. @returns {{path: string, row: any}[]} */
function sums({ total, fit }) {
  const parts = { total, 'total.reserved': total.reserved, 'total.process': total.process };
  const usable = fit?.usable_bytes;
  return [
    ...Object.entries(parts).flatMap(([path, row]) => (row ? [{ path, row }] : [])),
    ...(usable === undefined ? [] : [{ path: 'usable', row: { bytes: usable } }]),
  ];
}

/** The columns of `csvOf`. */
export const csvHead = csvLines([['request', 'model', 'verdict', 'row', 'bytes', 'low', 'high', 'basis']])[0];

/**
 * An answer's rows as comma-separated values in bytes, totals first. A row's parts follow it, so that only rows without a
 * point in their name add up.
 * @param {any} reply @param {number} request which of the requests it answers, the first being 1
 */
export function csvOf(reply, request) {
  const own = [String(request), reply.model?.name ?? '', reply.fit?.verdict ?? ''];
  const host = byPath(reply.host?.rows).map(({ path, row }) => ({ path: `host.${path}`, row }));
  const all = [...sums(reply), ...byPath(reply.rows), ...host];
  return csvLines(
    all.map(({ path, row: { bytes, low = bytes, high = bytes, basis = '' } }) => [...own, path, ...[bytes, low, high].map(String), basis]),
  ).join('\n');
}

function rowTable(title, rows, whole, unit) {
  if (!rows?.length) return [];
  const cells = byPath(rows).map(({ path, row }) => [
    path,
    inUnit(row.bytes, unit),
    share(row.bytes, whole),
    row.basis ?? '',
    row.low === undefined || row.low === row.high ? '' : `${inUnit(row.low, unit)} … ${inUnit(row.high, unit)}`,
  ]);
  return [
    '',
    ...(title ? [`**${title}**`, ''] : []),
    ...markdownLines([['row', unit, 'share', 'basis', 'low … high'], ...cells], ['left', 'right', 'right']),
  ];
}

/** An answer as Markdown: a heading, its totals and verdict, its rows, and what was assumed. @param {any} reply @param {string} unit */
export function markdownOf(reply, unit) {
  const whole = reply.total?.process?.bytes ?? reply.total?.bytes ?? 0;
  const [name, ...told] = summary(reply, { ...plainLook, unit }).map((line) => markdownText(line.trim()));
  return [
    `### ${name}`,
    '',
    ...told.map((line) => `- ${line}`),
    ...rowTable('', reply.rows, whole, unit),
    ...rowTable('On the host', reply.host?.rows, reply.host?.bytes, unit),
    ...remarks(reply).flatMap(([title, texts]) => (texts.length ? ['', `**${title}**`, '', ...texts.map((text) => `- ${markdownText(text)}`)] : [])),
  ].join('\n');
}
