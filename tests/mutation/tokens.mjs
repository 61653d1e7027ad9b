// C++ source as tokens, as far as the mutations need it: comments, preprocessor lines and literals are told apart.

const shapes = [
  ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//y],
  ['line', /#(?:\\\n|[^\n])*/y],
  ['string', /(?:u8|[uUL])?R"([^(\n]*)\([\s\S]*?\)\1"/y],
  ['string', /(?:u8|[uUL])?"(?:\\[\s\S]|[^"\\\n])*"/y],
  ['character', /(?:u8|[uUL])?'(?:\\[\s\S]|[^'\\\n])+'/y],
  ['number', /(?:\d|\.\d)(?:[eEpP][+-]|'?[\w.])*/y],
  ['name', /[A-Za-z_]\w*/y],
  ['sign', /<=>|<<=|>>=|\.\.\.|->\*|::|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|[^\s\w]/y],
];

/** Tokens of a text: kind, text, from and to; spaced: whether white space stands before and after. */
export function tokensOf(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at])) {
      at += 1;
      continue;
    }
    const [kind, length] = tokenAt(text, at);
    if (kind !== 'comment') {
      const spaced = /\s/.test(text[at - 1] ?? '\n') && /\s/.test(text[at + length] ?? '\n');
      tokens.push({ kind, text: text.slice(at, at + length), from: at, to: at + length, spaced });
    }
    at += length;
  }
  return tokens;
}

function tokenAt(text, at) {
  for (const [kind, shape] of shapes) {
    if (kind === 'line' && !/(^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 80), at))) continue;
    shape.lastIndex = at;
    const found = shape.exec(text);
    if (found) return [kind, found[0].length];
  }
  throw new Error(`no token at ${at}: ${text.slice(at, at + 20)}`);
}

const closers = { '(': ')', '[': ']', '{': '}' };

/** For each bracket's index the index of the one that belongs to it. */
export function partners(tokens) {
  const partner = new Map();
  const open = [];
  tokens.forEach(({ kind, text }, i) => {
    if (kind !== 'sign') return;
    if (text in closers) open.push(i);
    if (!Object.values(closers).includes(text)) return;
    const from = open.pop();
    partner.set(from, i).set(i, from);
  });
  return partner;
}
