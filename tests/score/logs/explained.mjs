// How far logs are explained: of their figures in bytes those within the band, and of what lies beyond it the part that another figure of
// the log or a row accounts for.

import { isInside } from '../statistics.mjs';

/** @param {object[]} own results of one group */
function sumOf(tool, own) {
  const inside = own.filter(isInside);
  const beyond = own.filter((one) => !isInside(one));
  const sum = (part) => beyond.reduce((all, one) => all + Math.abs(one[part]), 0);
  const [whole, left] = [sum('difference'), sum('left')];
  const logs = new Set(own.map(({ name }) => name)).size;
  return { tool, logs, figures: own.length, inside: inside.length, beyond: whole, explained: Math.max(0, whole - left) };
}

/**
 * By tool, and all of them.
 * @param {object[]} results of which those of logs are taken
 * @returns {{tool: string, logs: number, figures: number, inside: number, beyond: number, explained: number}[]} bytes beyond the bands, and explained of them
 */
export function explainedOf(results) {
  const own = results.filter(
    ({ kind, reason, difference, unit = 'bytes' }) => kind === 'printed' && !reason && difference !== undefined && unit === 'bytes',
  );
  const tools = [...new Set(own.map(({ engine }) => engine))].sort();
  const groups = tools.map((tool) =>
    sumOf(
      tool,
      own.filter(({ engine }) => engine === tool),
    ),
  );
  return own.length > 0 ? [...groups, sumOf('all', own)] : [];
}
