// What is read of logs: on rows made for it that the score counts rightly, and on other people's, where they lie beside the
// checkout, that no reader has become worse.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { reader } from '../../../web/src/node/logs.mjs';
import { faults } from '../../presets/schema.mjs';
import { explainedOf } from './explained.mjs';
import { isLogs, logLines, rowsFrom, scoreLogs, summed } from './logs.mjs';
import { rowsFile, rowsOf, textOfRows } from './rows.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const theirs = join(process.env.PLIMSOLL_TRUTH ?? join(root, '..', 'shared', 'truth'), 'logs', 'fixtures.jsonl');
test('the score counts what is right, missed, false and stated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-logs-'));
  const line = 'MPS allocated: 1.50 GiB';
  writeFileSync(join(folder, '1.txt'), line);
  const row = {
    id: '1',
    file: '1.txt',
    tool: 'torch-oom',
    figures: [{ value: 1.5, unit: 'GiB', bytes: 1610612736, line }],
    settings: { a: 1, b: 'x' },
  };
  const none = { value: 2, unit: 'GiB', bytes: 2147483648, line };
  writeFileSync(join(folder, 'fixtures.jsonl'), `${JSON.stringify({ ...row, figures: [...row.figures, none] })}\n`);
  const found = { counter: 'allocated', value: 1.5, bytes: 1610612736, line };
  const read = () => ({ tool: 'torch-oom', settings: { a: 1 }, figures: [found, { ...found, value: 3 }], refused: [] });
  const all = summed(scoreLogs(join(folder, 'fixtures.jsonl'), read)).at(-1);
  assert.deepEqual([all.figures, all.right, all.missed.length, all.false.length, all.settings, all.stated], [2, 1, 1, 1, 2, 1]);
  assert.equal(all.recognised, 1);
  assert.ok(isLogs(join(folder, 'fixtures.jsonl')));
  assert.equal(logLines(summed(scoreLogs(join(folder, 'fixtures.jsonl'), read)), true).length, 6);
  rmSync(folder, { recursive: true });
});

const corpus = join(root, 'tests', 'fuzz', 'corpus', 'logs');

test('replies follow the schema', async () => {
  const read = await reader();
  const files = readdirSync(corpus);
  assert.ok(files.length > 40);
  for (const file of files) assert.deepEqual(faults('reconcile_reply', read(readFileSync(join(corpus, file), 'utf8'))), [], file);
});

/** The counters that the tables of lines and the readers of tables name. */
function named() {
  const folder = join(root, 'engine', 'formats', 'logs');
  const sources = readdirSync(folder, { recursive: true }).filter((name) => /.\/(?!command).*\.cpp$/.test(name));
  const text = sources.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const says = [...text.matchAll(/\{(?:"(?:[^"\\]|\\.)*"\s*)+,\s*"([^"]*)"\}/g)].flatMap(([, words]) => words.split(/[ &]/));
  const lines = says.filter((word) => word !== '' && !/^[=+@!-]/.test(word)).map((word) => word.replace(/^[?~]+/, ''));
  const code = [...text.matchAll(/(?:figure|cell)\(\s*(?:\w+ \? "(\w+)" : )?"(\w+)"/g)].flatMap(([, first, second]) => [first, second]);
  return new Set([...lines, ...code, ...[...text.matchAll(/return "(\w+_\w+)";/g)].map(([, one]) => one)].filter((word) => word !== undefined));
}

test('what the tables name is what the schema describes', () => {
  const schema = JSON.parse(readFileSync(join(root, 'presets', 'schema', 'reconcile_reply.json'), 'utf8'));
  const described = schema.$defs.counter.anyOf.map(({ const: name }) => name);
  assert.deepEqual([...named()].sort(), [...described].sort());
});

test('of other people’s logs at least 99 % of the figures are right, and every tool is recognised', { skip: !existsSync(theirs) }, async () => {
  const all = summed(scoreLogs(theirs, await reader()));
  const { logs, recognised, figures, right, false: none, settings, stated } = all.at(-1);
  const said = logLines(all, true).join('\n');
  assert.equal(recognised, logs, said);
  assert.ok(right / figures >= 0.99, said);
  assert.ok(none.length / figures <= 0.012, said);
  assert.ok(stated / settings >= 0.95, said);
});

test('tests/measured/logs.jsonl is what is read of other people’s logs', { skip: !existsSync(theirs) }, async () => {
  const rows = rowsFrom(theirs, await reader());
  assert.ok(rows.length > 50);
  assert.equal(readFileSync(rowsFile, 'utf8'), textOfRows(rows), './dev score FIXTURES.jsonl --write');
});

test('a row has settings and figures of a log whose model is known, and no line or place of it', () => {
  const line = 'INFO model=/home/somebody/Llama-3-8B';
  const read = (text) => ({
    tool: 'vllm',
    version: null,
    settings: text === 'known' ? { model: '/home/somebody/Llama-3-8B' } : { model: 'unheard-of' },
    figures: [{ counter: 'weights', value: 15, bytes: 15, low: 14, high: 16, line, estimate: false }],
  });
  const source = 'https://github.com/a/b/blob/0123abc/logs/c%20d.txt#L1';
  const context = { dtype: 'bfloat16', n_ctx: '8192 (4 x 2048)', device: 'a card', ftype: 'a class' };
  const fixtures = ['known', 'unknown'].map((id) => ({ id, source_url: source, settings_context: context }));
  const [article, row, ...others] = rowsOf(fixtures, read, ({ id }) => id);
  assert.equal(others.length, 0);
  assert.ok(article.example);
  assert.equal(row.source, 'a/b logs/c d.txt');
  assert.deepEqual(row.settings, { model: 'Llama-3-8B', dtype: 'bfloat16', n_ctx: 8192 });
  assert.deepEqual(row.beside, ['dtype', 'n_ctx']);
  assert.ok(!JSON.stringify(row).includes('somebody'));
});

test('of what lies beyond the band the part that is accounted for is explained', () => {
  const one = (name, truth, left) => ({ kind: 'printed', engine: 'e', name, truth, answer: 10, low: 8, high: 12, difference: truth - 10, left });
  const results = [
    one('a', 11, 1),
    one('a', 20, 4),
    one('b', 5, -5),
    { ...one('c', 99, 0), reason: 'refused' },
    { ...one('d', 99, 0), unit: 'tokens' },
  ];
  const [own, all] = explainedOf(results);
  assert.deepEqual(own, { tool: 'e', logs: 2, figures: 3, inside: 1, beyond: 15, explained: 6 });
  assert.deepEqual(all, { ...own, tool: 'all' });
  assert.deepEqual(explainedOf([]), []);
});
