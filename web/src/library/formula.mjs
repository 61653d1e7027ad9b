// A formula's typed tokens as one line of text. The engine wrote the formula; here it is only laid out.

import { value } from './units.mjs';

/** How a token that stands for a number is written: by its name, or by its value. */
const named = (token) => token.ref ?? token.row ?? value(token.value);
const valued = (token) => value(token.value);

const infix = { '*': ' × ', '+': ' + ', '-': ' − ', '(': '(', ')': ')' };
const functions = { max: 'max', min: 'min', ceil: 'ceil', floor: 'floor', sqrt: '√' };

const isTerm = (token) => token.op === '+' || token.op === '-';

/** Above the line a sum needs brackets, below it a product or a fraction does too. */
function operand(tokens, write, below) {
  const text = line(tokens, write);
  const several = below ? tokens.filter((token) => !token.unit).length > 1 || tokens[0]?.op === '/' : tokens.some(isTerm);
  return several ? `(${text})` : text;
}

function one(token, write) {
  if (token.unit) return ` ${token.unit}`;
  if (token.op === '/') return `${operand(token.args[0], write, false)} ÷ ${operand(token.args[1], write, true)}`;
  if (token.op in functions) return `${functions[token.op]}(${token.args.map((argument) => line(argument, write)).join(', ')})`;
  if (token.op) return infix[token.op] ?? ` ${token.op} `;
  return write(token);
}

const line = (tokens, write) =>
  tokens
    .map((token) => one(token, write))
    .join('')
    .trim();

/** `2 × hidden_size × layers` */
export const symbolic = (tokens) => line(tokens, named);

/** `2 × 8,192 × 80` */
export const numeric = (tokens) => line(tokens, valued);
