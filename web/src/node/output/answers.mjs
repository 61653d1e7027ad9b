// Answers that are tables: what fits, an edge, a comparison; for a terminal, as CSV and as Markdown.

import { tableText } from './forms.mjs';
import { count, inUnit } from '../../library/units.mjs';
import { rate } from './time.mjs';

const heads = {
  models: ['model', 'encoding', 'longest context'],
  devices: ['device'],
  encodings: ['encoding', 'context'],
};

/** Tokens a second, or at most so many: in one cell for people, in two for programs. */
function speedCells(speed, form) {
  const told = speed?.value === undefined ? '' : form.csv ? String(speed.value) : rate(speed.value);
  const most = speed?.at_most === undefined ? '' : form.csv ? String(speed.at_most) : `≤ ${rate(speed.at_most)}`;
  return form.csv ? [told, most] : [told || most];
}

const speedHeads = (form) => (form.csv ? ['tokens/s', 'tokens/s at most'] : ['tokens/s']);

/** What fits: verdict and figure of each row. @param {{kind: string, rows: any[]}} fits */
export function fitTable({ kind, rows }, look, form = {}) {
  const number = form.csv ? (bytes) => String(bytes) : (bytes) => inUnit(bytes, look.unit);
  const tokens = (value) => (value === undefined ? '' : form.csv ? String(value) : count(value));
  const own = {
    models: ({ name, encoding, context }) => [name, encoding ?? 'as published', tokens(context)],
    devices: ({ name }) => [name],
    encodings: ({ encoding, context }) => [encoding, tokens(context)],
  };
  const unit = form.csv ? 'bytes' : look.unit;
  const timed = rows.some(({ tokens_per_second: speed }) => speed);
  const cells = [
    [...heads[kind], 'verdict', unit, `left ${unit}`, ...(timed ? speedHeads(form) : [])],
    ...rows.map((row) => [
      ...own[kind](row),
      row.verdict,
      number(row.bytes),
      number(row.free_bytes),
      ...(timed ? speedCells(row.tokens_per_second, form) : []),
    ]),
  ];
  const align = cells[0].map((head, at) => (at > 0 && head !== 'verdict' && head !== 'encoding' ? 'right' : 'left'));
  return tableText(cells, align, look, form);
}

/** The edge of two fields. */
export function edgeText({ find, edge }, look) {
  const cells = [find, ...edge.map((corner) => find.map((field) => count(corner[field])))];
  return tableText(
    cells,
    find.map(() => 'right'),
    look,
    {},
  );
}

const sign = (bytes, unit) => (bytes > 0 ? `+${inUnit(bytes, unit)}` : inUnit(bytes, unit));

/** A symbol's values, side by side. */
const reason = ({ symbol, values }) => `${symbol} ${values.map((value) => (value === null ? '–' : count(value))).join(' → ')}`;

/** Configurations side by side: rows with their differences to the first, and what makes them. */
export function comparedText({ requests, total, process, verdicts, speeds, rows, assumptions }, look, form = {}) {
  const { unit } = look;
  const names = requests.map((_, at) => String.fromCharCode(65 + at));
  const figures = (bytes) => bytes.map((each, at) => (at === 0 ? inUnit(each, unit) : `${inUnit(each, unit)} (${sign(each - bytes[0], unit)})`));
  const changed = rows.filter(({ bytes }) => bytes.some((each) => each !== bytes[0]));
  const cells = [
    [unit, ...names, 'because'],
    ['needed', ...figures(total), ''],
    ...(process.includes(null) ? [] : [['in all', ...figures(process), '']]),
    ...(verdicts.includes(null) ? [] : [['verdict', ...verdicts, '']]),
    ...(speeds ? [['tokens/s', ...speeds.map((speed) => speedCells(speed, {})[0]), '']] : []),
    ...changed.map(({ id, bytes, differs }) => [id, ...figures(bytes), differs.slice(0, 3).map(reason).join(', ')]),
  ];
  const align = cells[0].map((_, at) => (at === 0 || at > names.length ? 'left' : 'right'));
  const body = tableText(cells, align, look, form);
  const assumed = assumptions.map(
    ({ field, values }) => `${field}: ${values.map((value) => (value === null ? '–' : JSON.stringify(value))).join(' → ')}`,
  );
  return form.csv || assumed.length === 0
    ? body
    : [body, '', form.markdown ? '' : look.style('bold', 'Assumed otherwise'), ...assumed.map((line) => `- ${line}`)].join('\n');
}
