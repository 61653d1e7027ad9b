// Where a file of the engine can be changed: its sites, each one small mistake. A site says what is put in front of, behind
// or in place of the source's own words, so that the mistake is switched on at run time (switch.h).
import { partners, tokensOf } from './tokens.mjs';

const arithmetic = new Set(['+', '-', '*', '/', '%', '<<', '>>', '&', '|']);
const comparing = new Set(['<', '<=', '>', '>=', '==', '!=']);
const other = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '<<': '>>', '>>': '<<', '&': '|', '|': '&' };
Object.assign(other, { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==' });
const assigning = new Set(['=', '+=', '-=', '*=', '/=', '|=', '&=', '%=']);
/** Words that lead a statement which is no call. */
const leading = ['if', 'for', 'while', 'do', 'else', 'switch', 'return', 'default', 'public', 'private', 'protected'];
/** What ends an operand of && and || on its left and on its right. */
const before = new Set(['(', '[', '{', ',', ';', '?', ':', '}', ...assigning]);
const behind = new Set([')', ']', '}', ',', ';', '?', ':']);

class Reading {
  constructor(text) {
    this.text = text;
    this.tokens = tokensOf(text);
    this.partner = partners(this.tokens);
    this.skipped = new Set();
    this.constant = new Set();
    this.sites = [];
    this.tokens.forEach((token, i) => this.leaveOut(token, i));
  }

  is(i, ...texts) {
    return texts.includes(this.tokens[i]?.text);
  }

  /** The index of the first of `texts` from i on that no bracket hides. */
  next(i, ...texts) {
    while (i < this.tokens.length && !this.is(i, ...texts)) i = (this.is(i, '(', '[', '{') ? this.partner.get(i) : i) + 1;
    return i;
  }

  /** What the compiler decides, or nobody can see: types, assertions, enumerators, the arguments of templates. */
  leaveOut({ text, kind }, i) {
    const skip = (to) => {
      for (let k = i; k <= to && k < this.tokens.length; ++k) this.skipped.add(k);
    };
    if (kind === 'line') skip(i);
    if (text === 'static_assert' || text === 'assert' || text === 'noexcept' || text === 'decltype') skip(this.partner.get(i + 1));
    if (text === 'if' && this.is(i + 1, 'constexpr')) skip(this.partner.get(i + 2));
    if (text === 'using' || text === 'concept') skip(this.next(i, ';'));
    if (text === 'friend') skip(this.next(i, ';', '{'));
    if (text === 'enum') skip(this.next(i, ';'));
    if (text === 'case') skip(this.next(i, ':'));
    if (text === 'requires') skip(this.endOfRequirement(i));
    if (text === 'operator') skip(i + 1);
    if (text === 'template' && this.is(i + 1, '<')) skip(this.endOfTemplate(i + 1));
    if (text === '=' && this.is(i + 1, '0') && this.is(i + 2, ';') && this.is(i - 1, ')', 'const')) skip(i + 1);
    if (text === 'constexpr' && !this.is(i - 1, 'if')) this.markConstant(i);
  }

  /** `requires (…) { … }` of an expression; of a clause, all up to the declaration's body. */
  endOfRequirement(i) {
    const block = this.is(i + 1, '(') ? this.partner.get(i + 1) + 1 : i + 1;
    return this.is(block, '{') ? this.partner.get(block) : this.next(i, ';', '{');
  }

  endOfTemplate(i) {
    let depth = 0;
    for (; i < this.tokens.length; ++i) {
      if (this.is(i, '<')) depth += 1;
      if (this.is(i, '>')) depth -= 1;
      if (this.is(i, '>>')) depth -= 2;
      if (depth <= 0) return i;
    }
    return i;
  }

  /** The value of a constexpr variable stands in the program before it runs: no switch reaches it. */
  markConstant(i) {
    const at = this.tokens.findIndex((_, k) => k > i && this.is(k, '(', '=', '{', ';'));
    if (!this.is(at, '=', '{')) return;
    for (let k = at, end = this.next(at, ';'); k < end; ++k) this.constant.add(k);
  }

  add(i, what, edits, change) {
    const { from } = this.tokens[i];
    const line = this.text.slice(0, from).split('\n').length;
    this.sites.push({ line, at: from, what, edits, change, rebuilt: this.constant.has(i) });
  }

  /** A pair of texts around the tokens from i to k. */
  around(i, k, front, back) {
    const [from, to] = [this.tokens[i].from, this.tokens[k].to];
    return [
      { at: from, text: front, size: to - from, opens: true },
      { at: to, text: back, size: to - from },
    ];
  }

  literal(i) {
    const { kind, text, from, to } = this.tokens[i];
    const known = kind === 'number' || kind === 'character' || text === 'true' || text === 'false';
    if (!known || /[a-zA-Z_]$/.test(text.replace(/^0x.*/, '')) === (kind === 'number')) return;
    const change = { from, to, text: literalAfter(text) };
    this.add(i, `${text} → ${change.text}`, this.around(i, i, '::mutation::next(ID, ', ')'), change);
  }

  operator(i) {
    const { text, from, to, spaced, kind } = this.tokens[i];
    if (kind !== 'sign' || !spaced || !(arithmetic.has(text) || comparing.has(text)) || this.is(i + 1, '...')) return; // a fold
    if (this.is(i - 1, ',', '(', '=', 'return', '...') || this.is(i + 1, ')', ',')) return;
    const edit = { at: to, text: ` ::mutation::Sign{ID} ${text}`, size: 0 };
    this.add(i, `${text} → ${other[text]}`, [edit], { from, to, text: other[text] });
  }

  operandFrom(i, stop) {
    while (!(before.has(this.tokens[i].text) || this.is(i, 'return', stop, '||'))) {
      if (this.is(i, ')', ']')) i = this.partner.get(i);
      i -= 1;
    }
    return i + 1;
  }

  operandTo(i, stop) {
    while (!(behind.has(this.tokens[i].text) || this.is(i, stop, '||'))) {
      if (this.is(i, '(', '[', '{')) i = this.partner.get(i);
      i += 1;
    }
    return i - 1;
  }

  /** One operand of `and` or `or` that says nothing any more. */
  operands(i) {
    const { text, spaced } = this.tokens[i];
    if (!spaced || !(text === '&&' || text === '||') || this.is(i + 1, '...')) return;
    const from = this.operandFrom(i - 1, text);
    if (!this.is(from - 1, text)) this.silent(i, from, i - 1);
    this.silent(i, i + 1, this.operandTo(i + 1, text));
  }

  silent(i, from, to) {
    const said = this.text.slice(this.tokens[from].from, this.tokens[to].to).replace(/\s+/g, ' ');
    const and = this.is(i, '&&');
    const front = and ? '(::mutation::on(ID) || (' : '(!::mutation::on(ID) && (';
    const change = { from: this.tokens[from].from, to: this.tokens[to].to, text: String(and) };
    this.add(from, `${said} → ${change.text}`, this.around(from, to, front, '))'), change);
  }

  negate(from, to) {
    if (from > to) return;
    const text = this.text.slice(this.tokens[from].from, this.tokens[to].to);
    const edits = this.around(from, to, '(::mutation::on(ID) != static_cast<bool>(', '))');
    const change = { from: this.tokens[from].from, to: this.tokens[to].to, text: `!(${text})` };
    this.add(from, `not: ${text.replace(/\s+/g, ' ')}`, edits, change);
  }

  condition(i) {
    if (this.is(i, 'if') && this.is(i + 1, '(')) {
      const end = this.partner.get(i + 1);
      const semicolon = this.next(i + 2, ';', ')');
      const from = semicolon < end ? semicolon + 1 : i + 2;
      if (this.next(from, '=', ')') >= end) this.negate(from, end - 1);
    }
    if (this.is(i, '?')) {
      let from = i - 1;
      while (!(before.has(this.tokens[from].text) || this.is(from, 'return'))) {
        if (this.is(from, ')') && this.controls(from)) break;
        if (this.is(from, ')', ']')) from = this.partner.get(from);
        from -= 1;
      }
      this.negate(from + 1, i - 1);
    }
  }

  /** A statement that is left out: a call, an assignment, a jump. */
  statement(i) {
    const starts = this.is(i - 1, ';', '{', '}', 'else') || (this.is(i - 1, ')') && this.controls(i - 1));
    if (!starts) return;
    const end = this.next(i, ';');
    const jump = this.is(i, 'continue', 'break') || (this.is(i, 'return') && this.is(i + 1, ';'));
    if (end >= this.tokens.length || !(jump || this.acts(i, end))) return;
    const text = this.text.slice(this.tokens[i].from, this.tokens[end].to);
    const change = { from: this.tokens[i].from, to: this.tokens[end].to, text: '{}' };
    const edits = this.around(i, end, '{ if (!::mutation::on(ID)) { ', ' } }');
    this.add(i, `left out: ${text.replace(/\s+/g, ' ')}`, edits, change);
  }

  controls(i) {
    return this.is(this.partner.get(i) - 1, 'if', 'for', 'while');
  }

  acts(i, end) {
    if (!this.inFunction(i) || this.is(i, ...leading)) return false;
    if (this.is(i, '++', '--')) return true;
    if (this.tokens[i].kind !== 'name') return false;
    let called = false;
    for (let k = i; k < end; ++k) {
      if (this.is(k, '(', '[')) {
        called ||= this.is(k, '(');
        k = this.partner.get(k);
      } else if (assigning.has(this.tokens[k].text)) return true;
      else if (!(this.is(k, '.', '->', '::', '++', '--') || (this.tokens[k].kind === 'name' && !this.twoNames(k)))) return false;
    }
    return called || this.is(end - 1, '++', '--');
  }

  twoNames(k) {
    return this.tokens[k + 1]?.kind === 'name' || this.is(k, 'return', 'const', 'auto', 'static', 'delete', 'struct', 'class');
  }

  /** Whether the innermost brace before i belongs to a function's body or a block in one. */
  inFunction(i) {
    for (let k = i - 1; k >= 0; --k) {
      if (this.is(k, ')', ']', '}')) k = this.partner.get(k);
      else if (this.is(k, '{')) return !this.declares(k);
      else if (this.is(k, '(', '[')) return false;
    }
    return false;
  }

  declares(brace) {
    for (let k = brace - 1; k >= 0 && !this.is(k, ';', '{', '}', ')'); --k)
      if (this.is(k, 'namespace', 'struct', 'class', 'union', 'enum', '=')) return true;
    return false;
  }
}

const after = { true: 'false', false: 'true' };
function literalAfter(text) {
  return after[text] ?? `(${text} + 1)`;
}

/** All sites of a source file, in the order of the text. */
export function sitesOf(text) {
  const reading = new Reading(text);
  reading.tokens.forEach((_, i) => {
    if (reading.skipped.has(i)) return;
    reading.statement(i);
    reading.condition(i);
    reading.operands(i);
    reading.operator(i);
    reading.literal(i);
  });
  return reading.sites;
}

/** The text with a switch at every site that has one; `number` gives a site's number in the program. */
export function switched(text, sites, number) {
  const edits = sites
    .flatMap((site, index) => (site.rebuilt ? [] : site.edits.map((edit) => ({ ...edit, text: edit.text.replace('ID', number(index)) }))))
    .sort((a, b) => a.at - b.at || (a.opens ? 1 : 0) - (b.opens ? 1 : 0) || (a.opens ? b.size - a.size : a.size - b.size));
  let made = '';
  let done = 0;
  for (const { at, text: word } of edits) {
    made += text.slice(done, at) + word;
    done = at;
  }
  return made + text.slice(done);
}

/** The text with one site's mistake for good. */
export function changed(text, { change }) {
  return text.slice(0, change.from) + change.text + text.slice(change.to);
}
