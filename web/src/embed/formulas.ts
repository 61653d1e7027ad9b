// What a figure opens to: the formulas of its rows, of their parts, and of the symbols in them, down to what somebody has said.

import type { Answer, Row, Token } from '../engine/reply.ts';
import { numeric, symbolic } from '../library/formula.mjs';

interface Symbol {
  value: number;
  formula?: readonly Token[];
  source?: string;
}

/** The rows that an expression names; a total is all of them, and another place in the reply has no formula. */
function rowsIn(answer: Answer, expression: string): { name: string; row: Row }[] {
  const paths = expression.split(/ [-+/] /).map((path) => path.split('@')[0]!);
  return paths.flatMap((name) => {
    if (/^total(\/|$)/.test(name)) return (answer.rows ?? []).map((row) => ({ name: row.id, row }));
    let rows: readonly Row[] | undefined = answer.rows;
    let row: Row | undefined;
    for (const id of name.split('/')) {
      row = rows?.find((one) => one.id === id);
      rows = row?.rows;
    }
    return row ? [{ name, row }] : [];
  });
}

const withParts = (name: string, row: Row): { name: string; formula: readonly Token[] }[] => [
  ...(row.formula ? [{ name, formula: row.formula as readonly Token[] }] : []),
  ...(row.rows ?? []).flatMap((part) => withParts(`${name}/${part.id}`, part)),
];

/** Names in a formula, those within functions and fractions too. */
const names = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => {
    const { ref, args } = token as { ref?: string; args?: readonly (readonly Token[])[] };
    return [...(ref ? [ref] : []), ...(args ?? []).flatMap(names)];
  });

const said = (name: string, formula: readonly Token[]): string[] => [...new Set([name, `  = ${symbolic(formula)}`, `  = ${numeric(formula)}`])];

/** Lines of text; each symbol once, where it is used first. */
export function formulas(answer: Answer, expression: string): string[] {
  const symbols = (answer as { symbols?: Record<string, Symbol> }).symbols ?? {};
  const found = rowsIn(answer, expression).flatMap(({ name, row }) => withParts(name, row));
  const lines = found.flatMap(({ name, formula }) => said(name, formula));
  const waiting = found.flatMap(({ formula }) => names(formula));
  const told = new Set<string>();
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const symbol = symbols[name];
    if (told.has(name) || !symbol) continue;
    told.add(name);
    if (symbol.formula) {
      lines.push(...said(name, symbol.formula));
      waiting.push(...names(symbol.formula));
    } else lines.push(`${name} = ${numeric([{ value: symbol.value }])}`, ...(symbol.source ? [`  ${symbol.source}`] : []));
  }
  return lines;
}
