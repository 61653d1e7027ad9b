// The rows of others are whole: each is JSON, names its source, and finds the config it speaks of; README.md counts them right.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

// Python writes Infinity where JSON has no word for it; some published configs hold it.
const parsed = (line) => JSON.parse(line.replaceAll(/-?\bInfinity\b/g, 'null'));

const text = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const rowsOf = (name) => text(name).trim().split('\n').map(parsed);
const files = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.jsonl'));
const configs = JSON.parse(text('inference_models.json'));

for (const file of files) {
  test(`${file}: every row names its source`, () => {
    for (const row of rowsOf(file)) assert.ok(row.source ?? row.count_source, JSON.stringify(row).slice(0, 200));
  });

  test(`${file}: README.md counts its rows right`, () => {
    assert.ok(text('README.md').includes(`| \`${file}\` | ${rowsOf(file).length} |`), `${rowsOf(file).length} rows`);
  });
}

test('every config that a row names is there, and no other', () => {
  const naming = ['inference.jsonl', 'collected_inference.jsonl', 'collected_training.jsonl'];
  const named = new Set(naming.flatMap(rowsOf).flatMap(({ config }) => config ?? []));
  assert.deepEqual(Object.keys(configs).sort(), [...named].sort());
  assert.ok(text('README.md').includes(`| \`inference_models.json\` | ${named.size} |`), `${named.size} configs`);
});

test('a parameter count is the sum of its breakdown', () => {
  for (const { name, params_total: total, params_mtp: mtp, breakdown } of rowsOf('models.jsonl')) {
    const parts = Object.values(breakdown ?? {}).reduce((sum, part) => sum + part, 0);
    if (parts) assert.ok(parts === total || parts === total + mtp, `${name}: ${parts} for ${total}`);
  }
});

// Debian's PyTorch is with the system's own python3, which need not be the first one found.
const pythons = ['python3', '/usr/bin/python3'];
const hasTorch = (python) => spawnSync(python, ['-c', 'import torch']).status === 0;

test('measure.py reads requests, refuses by name and writes rows', () => {
  const python = pythons.find(hasTorch) ?? pythons[0];
  const run = spawnSync(python, ['-W', 'ignore', '-m', 'unittest', 'test_measure'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
});

test('a collected row says what was read, where and when', () => {
  const rows = ['collected_training.jsonl', 'collected_inference.jsonl'].flatMap(rowsOf);
  for (const row of rows) {
    for (const field of ['id', 'source', 'date', 'model', 'settings']) assert.ok(row[field], `${row.id}: ${field}`);
    assert.ok(row.quoted ?? row.quote, `${row.id}: the words of the source`);
    // a file of a public repository that the search names by its number alone has no address
    assert.ok(row.url?.startsWith('https://github.com/') || /^public GitHub file, #\d+/.test(row.source), row.id);
  }
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
});

test('the figure of a collected row of training is in the words quoted, and its bytes follow from the unit', () => {
  const units = { B: 1, MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 };
  for (const { id, value, unit, bytes, quoted } of rowsOf('collected_training.jsonl')) {
    assert.ok(
      quoted.match(/\d+(\.\d+)?/g).some((figure) => Number(figure) === value),
      `${id}: ${value} in "${quoted}"`,
    );
    assert.equal(bytes, Math.round(value * units[unit]), id);
  }
});
