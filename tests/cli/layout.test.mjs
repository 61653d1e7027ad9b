// What the command line lays out and reads, without the engine: formulas, numbers, near words.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { numeric, symbolic } from '../../web/src/library/formula.mjs';
import { parsedPython } from '../../web/src/node/output/json.mjs';
import { reportText } from '../../web/src/node/output/report.mjs';
import { plain } from '../../web/src/node/output/style.mjs';
import { columns, wrapped } from '../../web/src/node/output/table.mjs';
import { read } from '../../web/src/library/units.mjs';
import { nearest } from '../../web/src/node/commands/usage.mjs';

const a = { ref: 'a', value: 12 };
const b = { ref: 'b', value: 2048 };
const over = (top, bottom) => ({ op: '/', args: [top, bottom] });

test('a formula is written once by name and once by value', () => {
  const formula = [
    { value: 2 },
    { op: '*' },
    { op: '(' },
    a,
    { op: '+' },
    b,
    { op: ')' },
    { op: '*' },
    { row: 'weights', value: 5 },
    { unit: 'byte' },
  ];
  assert.equal(symbolic(formula), '2 × (a + b) × weights byte');
  assert.equal(numeric(formula), '2 × (12 + 2,048) × 5 byte');
});

test('a fraction on one line keeps its meaning', () => {
  assert.equal(symbolic([over([a], [b])]), 'a ÷ b');
  assert.equal(symbolic([over([a, { op: '+' }, b], [a, { op: '*' }, b])]), '(a + b) ÷ (a × b)');
  assert.equal(symbolic([over([a, { op: '*' }, b], [b])]), 'a × b ÷ b');
  assert.equal(symbolic([over([a], [over([a], [b])])]), 'a ÷ (a ÷ b)');
});

test('functions list their arguments', () => {
  assert.equal(symbolic([{ op: 'max', args: [[a], [a, { op: '-' }, b]] }]), 'max(a, a − b)');
  assert.equal(symbolic([{ op: 'sqrt', args: [[a]] }]), '√(a)');
});

test('values keep their digits', () => {
  assert.equal(numeric([{ value: 70553706496 }]), '70,553,706,496');
  assert.equal(numeric([{ value: 0.5625 }]), '0.5625');
});

test('numbers as people write them', () => {
  assert.equal(read.tokens('32k'), 32768);
  assert.equal(read.tokens('1m'), 2 ** 20);
  assert.equal(read.tokens('4096'), 4096);
  assert.equal(read.parameters('70.6b'), 70.6e9);
  assert.equal(read.bytes('24GiB'), 24 * 2 ** 30);
  assert.equal(read.bytes('24 gb'), 24e9);
  assert.equal(read.number('0.9'), 0.9);
  for (const text of ['', 'k', '-4k', '4q', '1,000', '0x10']) assert.equal(read.tokens(text), undefined, text);
});

test('a slip finds the word, nonsense does not', () => {
  assert.equal(nearest('modle', ['model', 'memory']), 'model');
  assert.equal(nearest('llama-3-70', ['llama-3-70b', 'llama-2-7b']), 'llama-3-70b');
  assert.equal(nearest('xyzzy', ['model', 'memory']), undefined);
});

test("Python's JSON", () => {
  assert.deepEqual(parsedPython('{"a": [0.0, Infinity, -Infinity, NaN], "b": "Infinity \\" NaN"}'), {
    a: [0, null, null, null],
    b: 'Infinity " NaN',
  });
  assert.equal(parsedPython('{"a": Infinite}'), undefined);
});

test('columns align, long lines wrap', () => {
  assert.deepEqual(
    columns(
      [
        ['row', 'GiB'],
        ['weights', '1.0'],
      ],
      ['left', 'right'],
    ),
    ['row      GiB', 'weights  1.0'],
  );
  assert.deepEqual(wrapped('one two three', '  ', 9), ['one two', '  three']);
});

test('a formula ends in its value, and says which phase where that is not the peak', () => {
  const rows = [
    { id: 'one', bytes: 12, formula: [a], sources: ['someone'] },
    { id: 'two', bytes: 0, by_phase: { decode: 24576 }, formula_phase: 'decode', formula: [a, { op: '*' }, b] },
  ];
  const text = reportText({ total: { bytes: 12, low: 12, high: 12, phase: 'prefill' }, rows }, { unit: 'bytes', style: plain });
  assert.match(text, /one\n {2}= a\n {2}= 12 bytes\n {2}source: someone\ntwo \(decode\)\n {2}= a × b\n {2}= 12 × 2,048\n {2}= 24,576 bytes/);
});

const reply = {
  model: { name: 'A model', parameters: { total: 1000, active: 500 } },
  total: { bytes: 2 ** 30, low: 2 ** 30, high: 2 ** 31, process: { bytes: 2 ** 31, low: 2 ** 31, high: 2 ** 31 }, phase: 'decode' },
  rows: [
    { id: 'weights', bytes: 2 ** 30, low: 2 ** 30, high: 2 ** 30, basis: 'exact', rows: [{ id: 'attention', bytes: 2 ** 29, basis: 'exact' }] },
    { id: 'device_context', bytes: 2 ** 30, low: 2 ** 29, high: 2 ** 30, basis: 'measured' },
  ],
  fit: { verdict: 'too large', usable_bytes: 2 ** 30, free_bytes: -(2 ** 30) },
  missing: ['vocab_size'],
};

test('a report says the answer first, and every row with its share and band', () => {
  assert.equal(
    reportText(reply, { unit: 'GiB', style: plain }),
    `A model · 1,000 parameters (500 active)
1.00 GiB (1.00 … 2.00) needed at the peak (decode)
2.00 GiB in all, as nvidia-smi shows it
too large: 1.00 GiB usable, 1.00 GiB too much

████████████████████████████████████████│▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
█ weights  ▒ device_context  │ end of the device

row              GiB   share  basis     low … high
weights         1.00  50.0 %  exact
  attention     0.50  25.0 %  exact
device_context  1.00  50.0 %  measured  0.50 … 1.00

Left out, because not given
- vocab_size`,
  );
});

test('devices that hold different things stand in a table', () => {
  const devices = [
    { device: 'stage 0', count: 8, bytes: 2 ** 31, phase: 'backward' },
    { device: 'stage 1', count: 8, bytes: 2 ** 30, phase: 'loss' },
  ];
  const text = reportText({ ...reply, devices, total: { ...reply.total, device: 'stage 0' } }, { unit: 'GiB', style: plain });
  assert.match(text, /needed at the peak \(decode\) on stage 0/);
  assert.match(text, /Device by device\ndevice +number +GiB +fullest in\nstage 0 +8 +2\.00 +backward\nstage 1 +8 +1\.00 +loss/);
});
