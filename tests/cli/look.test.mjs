// How text looks where it is printed: colours, the bar of the parts, and columns as wide as there is room.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barLines } from '../../web/src/node/output/bar.mjs';
import { csvLines } from '../../web/src/node/output/forms.mjs';
import { lookAt, plainLook } from '../../web/src/node/output/look.mjs';
import { reportText } from '../../web/src/node/output/report.mjs';
import { csvHead, csvOf, markdownOf } from '../../web/src/node/output/sheet.mjs';
import { styleFor } from '../../web/src/node/output/style.mjs';
import { columns } from '../../web/src/node/output/table.mjs';

const terminal = { isTTY: true, columns: 60 };
const pipe = { isTTY: false };

for (const [name, stream, env, coloured] of [
  ['a terminal', terminal, { TERM: 'xterm-256color' }, true],
  ['a pipe', pipe, { TERM: 'xterm-256color' }, false],
  ['a terminal with NO_COLOR', terminal, { TERM: 'xterm-256color', NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', terminal, { TERM: 'xterm-256color', NO_COLOR: '' }, true],
  ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
  ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', terminal, { TERM: 'xterm-256color', FORCE_COLOR: '0' }, false],
])
  test(`${name} has ${coloured ? '' : 'no '}colours`, () => {
    const text = styleFor(stream, env)('bold', 'x');
    assert.equal(text, coloured ? '\u001b[1mx\u001b[0m' : 'x');
  });

test('a terminal says how wide it is; a pipe takes all', () => {
  assert.equal(lookAt('GiB', terminal).width, 60);
  assert.equal(lookAt('GiB', pipe).width, Infinity);
});

const rows = [
  ['id', 'name', 'memory'],
  ['one', 'A name that is long', '12 GiB'],
];
const align = ['left', 'left', 'right'];
const widest = (lines) => Math.max(...lines.map(({ length }) => length));

test('where there is no room, columns that can be done without go first', () => {
  assert.deepEqual(columns(rows, align, { width: 13, spare: [1, 2] }), ['id   memory', 'one  12 GiB']);
  assert.deepEqual(columns(rows, align, { width: 60, spare: [1, 2] }), columns(rows, align));
});

test('then the widest column of words is cut, and says so', () => {
  const lines = columns(rows, align, { width: 25 });
  assert.equal(widest(lines), 25);
  assert.match(lines[1], /^one {2}A name that…? +12 GiB$/);
});

const gib = 2 ** 30;
const reply = {
  model: { name: 'A | model' },
  total: { bytes: 3 * gib, process: { bytes: 4 * gib } },
  fit: { verdict: 'fits', usable_bytes: 8 * gib, free_bytes: 4 * gib },
  rows: [
    { id: 'weights', bytes: 2 * gib, low: 2 * gib, high: 2 * gib, basis: 'exact' },
    { id: 'kv_cache', bytes: 2 * gib, low: gib, high: 3 * gib, basis: 'modelled', rows: [{ id: 'keys', bytes: gib, basis: 'exact' }] },
    { id: 'logits', bytes: 1, basis: 'exact' },
  ],
  host: { bytes: gib, rows: [{ id: 'weights', bytes: gib, basis: 'exact' }] },
  assumptions: [{ field: 'inference.context', value: 4096, why: 'the *usual*' }],
};

test('the bar has a cell for each part by its share of the device, and says what it shows', () => {
  assert.deepEqual(barLines(reply, { ...plainLook, width: 40 }), ['', '██████████▒▒▒▒▒▒▒▒▒▒····················', '█ weights  ▒ kv_cache  · left']);
});

test('beyond the device, the bar says where it ends', () => {
  const [, bar, ...legend] = barLines({ ...reply, fit: { usable_bytes: 2 * gib } }, { ...plainLook, width: 40 });
  assert.equal(bar, '████████████████████│▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒');
  assert.match(legend.at(-1), /│ end of the device$/);
  assert.deepEqual(barLines({ rows: [] }, plainLook), []);
});

for (const width of [24, 40, 60, 80, 120])
  test(`at ${width} columns no line of a table or of a remark is longer`, () => {
    const lines = reportText(reply, { ...plainLook, width })
      .split('\n')
      .slice(4); // the first say the answer, whatever room there is
    assert.ok(
      widest(lines) <= width,
      lines.find(({ length }) => length > width),
    );
  });

test('an answer as comma-separated values: totals, then rows by path, in bytes', () => {
  assert.equal(csvHead, 'request,model,verdict,row,bytes,low,high,basis');
  const cells = csvOf(reply, 2).split('\n');
  assert.ok(cells.every((line) => line.startsWith('2,A | model,fits,')));
  assert.equal(cells.at(-1), `2,A | model,fits,host.weights,${gib},${gib},${gib},exact`);
  assert.ok(cells.includes(`2,A | model,fits,kv_cache,${2 * gib},${gib},${3 * gib},modelled`));
  assert.ok(cells.includes(`2,A | model,fits,kv_cache.keys,${gib},${gib},${gib},exact`));
  assert.ok(cells.includes(`2,A | model,fits,total.process,${4 * gib},${4 * gib},${4 * gib},`));
  assert.deepEqual(csvLines([['a,b', 'say "c"', 'd']]), ['"a,b","say ""c""",d']);
});

test('an answer as Markdown: what it comes to, its rows, and what was assumed, quoted', () => {
  const lines = markdownOf(reply, 'GiB').split('\n');
  assert.equal(lines[0], '### A \\| model');
  assert.ok(lines.includes('- fits: 8.00 GiB usable, 4.00 GiB left'));
  assert.ok(lines.includes('| kv\\_cache.keys | 1.00 | 25.0 % | exact |  |'));
  assert.ok(lines.includes('- inference.context = 4,096: the \\*usual\\*'));
});
