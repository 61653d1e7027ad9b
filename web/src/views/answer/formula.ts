// Formula tokens laid out as MathML, once with the names and once with the numbers. Nothing is computed here.
// A formula is cut at its operators into several <math> elements, so that it wraps on a narrow screen.

import { html, mathml, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Token } from '../../engine/reply.ts';

export type Mode = 'names' | 'values';

const signs: Record<string, string> = { '*': '×', '-': '−' };
const brackets: Record<string, [string, string]> = { ceil: ['⌈', '⌉'], floor: ['⌊', '⌋'] };

type Leaf = (token: Token) => unknown;

function application(op: string, args: Token[][], leaf: Leaf): unknown {
  const inner = args.map((tokens) => mathml`<mrow>${tokens.map((token) => piece(token, leaf))}</mrow>`);
  if (op === '/') return mathml`<mfrac>${inner}</mfrac>`;
  if (op === 'sqrt') return mathml`<msqrt>${inner}</msqrt>`;
  if (op === 'pow') return mathml`<msup>${inner}</msup>`;
  const bracket = brackets[op];
  if (bracket) return mathml`<mrow><mo>${bracket[0]}</mo>${inner}<mo>${bracket[1]}</mo></mrow>`;
  const listed = inner.map((one, at) => (at === 0 ? one : mathml`<mo separator="true">,</mo>${one}`));
  return mathml`<mrow><mi>${op}</mi><mo stretchy="false">(</mo>${listed}<mo stretchy="false">)</mo></mrow>`;
}

/** An operator at the beginning of a term would else be set tight, as a sign. The space before it comes from the line. */
const operator = (op: string) =>
  '()'.includes(op) ? mathml`<mo stretchy="false">${op}</mo>` : mathml`<mo form="infix" lspace="0" rspace="0.3em">${signs[op] ?? op}</mo>`;

function piece(token: Token, leaf: Leaf): unknown {
  if (!('op' in token)) return leaf(token);
  return token.args ? application(token.op, token.args, leaf) : operator(token.op);
}

/** The terms of a formula, also inside brackets: each begins with the operator before it. */
function terms(tokens: readonly Token[]): Token[][] {
  const all: Token[][] = [[]];
  for (const token of tokens) {
    const splits = 'op' in token && !token.args && ['+', '-', '*'].includes(token.op);
    if (splits && all.at(-1)!.length > 0) all.push([]);
    all.at(-1)!.push(token);
  }
  return all;
}

function leafIn(c: Calculator, mode: Mode): Leaf {
  return (token) => {
    if ('unit' in token) return mathml`<mtext>\u00a0${c.texts.name('unit', token.unit)}</mtext>`;
    if ('op' in token) return '';
    if (mode === 'names' && 'ref' in token) return mathml`<mi>${c.texts.name('symbols', token.ref)}</mi>`;
    if (mode === 'names' && 'row' in token) return mathml`<mi>${rowName(c, token.row)}</mi>`;
    return mathml`<mn>${c.format.count(token.value)}</mn>`;
  };
}

/** A row inside a formula, named as the table names it. */
export const rowName = (c: Calculator, path: string): string => c.texts.name(path.includes('.') ? 'part' : 'row', path);

export function formulaView(c: Calculator, tokens: readonly Token[], mode: Mode): TemplateResult {
  const leaf = leafIn(c, mode);
  return html`<span class="formula ${mode}"
    >${terms(tokens).map((term) => html`<math><mrow>${term.map((token) => piece(token, leaf))}</mrow></math> `)}</span
  >`;
}
