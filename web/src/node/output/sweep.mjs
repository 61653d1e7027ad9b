// A sweep's reply as a table: one line per point.

import { columns } from './table.mjs';
import { count, inUnit } from '../../library/units.mjs';

/** The points of a sweep in the reply's order: the last field changes fastest. */
function points(over) {
  return over.reduce((rows, { values }) => rows.flatMap((row) => values.map((value) => [...row, value])), [[]]);
}

const cell = (value) => (typeof value === 'number' ? count(value) : String(value));

/** @param {object} question @param {{bytes: number[], rows: Record<string, number[]>}} answer */
export function sweepText(question, answer, { unit, style, width }) {
  const fields = question.over.map(({ field }) => field);
  const rows = Object.keys(answer.rows ?? {});
  const head = [...fields, `total ${unit}`, ...rows];
  const body = points(question.over).map((point, i) => {
    const figures = [answer.bytes[i], ...rows.map((row) => answer.rows[row][i])];
    return [...point.map(cell), ...figures.map((bytes) => (typeof bytes === 'number' ? inUnit(bytes, unit) : '–'))];
  });
  const lines = columns(
    [head, ...body],
    head.map(() => 'right'),
    { width },
  );
  return [style('bold', lines[0]), ...lines.slice(1)].join('\n');
}
