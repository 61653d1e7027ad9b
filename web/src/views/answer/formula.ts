// Formula tokens laid out as MathML, once with the names and once with the numbers. Nothing is computed here.
// A formula is cut at its operators into several <math> elements, so that it wraps on a narrow screen.

import { html, mathml, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Token } from '../../engine/reply.ts';

export type Mode = 'names' | 'values';

const signs: Record<string, string> = { '*': '×', '-': '−' };
const brackets: Record<string, [string, string]> = { ceil: ['⌈', '⌉'], floor: ['⌊', '⌋'] };

type Leaf = (token: Token) => unknown;

/** A token, or a sign that stands between tokens of a function. */
type Written = Token | { op: string; args?: never };

const signOf = (op: string) => {
  if (/[()]/.test(op)) return mathml`<mo stretchy="false" lspace="0" rspace="0">${op}</mo>`;
  if (/[⌈⌉⌊⌋,]/.test(op)) return mathml`<mo>${op}</mo>`;
  // an operator at the beginning of a term would else be set tight, as a sign; the space before it comes from the line
  return mathml`<mo form="infix" lspace="0" rspace="0.3em">${signs[op] ?? op}</mo>`;
};

/** A function is written as its tokens, so that it wraps as well; a fraction, a root and a power stay whole. */
function spread(token: Token): Written[] {
  if (!('op' in token && token.args) || ['/', 'sqrt', 'pow'].includes(token.op)) return [token];
  const [open, close] = brackets[token.op] ?? [`${token.op}(`, ')'];
  const args = token.args.map((one) => one.flatMap(spread));
  return [{ op: open }, ...args.flatMap((one, at) => (at > 0 ? [{ op: ',' }, ...one] : one)), { op: close }];
}

function piece(token: Written, leaf: Leaf): unknown {
  if (!('op' in token)) return leaf(token);
  if (!token.args) return signOf(token.op);
  const inner = token.args.map((tokens) => mathml`<mrow>${tokens.flatMap(spread).map((one) => piece(one, leaf))}</mrow>`);
  if (token.op === '/') return mathml`<mfrac>${inner}</mfrac>`;
  return token.op === 'sqrt' ? mathml`<msqrt>${inner}</msqrt>` : mathml`<msup>${inner}</msup>`;
}

/** The terms of a formula, also inside brackets: each begins with the operator before it, or after a comma. */
function terms(tokens: readonly Token[]): Written[][] {
  const all: Written[][] = [[]];
  for (const token of tokens.flatMap(spread)) {
    const op = 'op' in token && !token.args && token.op;
    if (op && '+-*'.includes(op) && all.at(-1)!.length > 0) all.push([]);
    all.at(-1)!.push(token);
    if (op === ',') all.push([]);
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
