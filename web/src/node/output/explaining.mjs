// Formulas with their values, and where each value comes from, as text.

import { numeric, symbolic } from '../../library/formula.mjs';
import { wrapped } from './table.mjs';
import { value } from '../../library/units.mjs';

/** What a formula says: by name, by value, and what comes of it; no line twice. */
function equation(title, result, formula, unit, width) {
  const figure = value(result);
  const steps = [...new Set([symbolic(formula), numeric(formula)])].filter((text) => text !== figure);
  return [title, ...[...steps, figure + unit].flatMap((text) => wrapped(`= ${text}`, '    ', width).map((part) => `  ${part}`))];
}

/** A row that is empty at the peak explains itself by another phase. */
function explained(row, id, { peak, width }) {
  const elsewhere = row.formula_phase !== undefined && row.formula_phase !== peak;
  const bytes = elsewhere ? (row.by_phase?.[row.formula_phase] ?? row.bytes) : row.bytes;
  const sources = (row.sources ?? []).map((source) => `  source: ${source}`);
  return [...equation(elsewhere ? `${id} (${row.formula_phase})` : id, bytes, row.formula, ' bytes', width), ...sources];
}

function ofRows(rows, more, prefix = '') {
  return (rows ?? []).flatMap((row) => {
    const id = prefix ? `${prefix}.${row.id}` : row.id;
    return [...(row.formula ? explained(row, id, more) : []), ...ofRows(row.rows, more, id)];
  });
}

/** The formula of each row. @param {any} reply @param {import('./look.mjs').Look} look @returns {string[]} */
export const formulas = ({ rows, total }, { width }) => ofRows(rows, { peak: total?.phase, width });

/** What stands in them. @param {any} reply @param {import('./look.mjs').Look} look @returns {string[]} */
export function symbols({ symbols: table }, { width }) {
  const entries = Object.entries(table ?? {});
  return entries.flatMap(([name, symbol]) => {
    const source = symbol.source ? [`  source: ${symbol.source}`] : [];
    if (!symbol.formula) return [`${name} = ${value(symbol.value)}`, ...source];
    return [...equation(name, symbol.value, symbol.formula, '', width), ...source];
  });
}
