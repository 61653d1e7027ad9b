// A folder is a test: request.json, what an outside source says of it (source.json), and the reply and rendered ledger recorded beside
// them, so that a changed formula shows as a readable difference. UPDATE_GOLDENS=1 records anew; the outside figures hold all the same.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { load } from '../../web/src/node/engine.mjs';
import { reportText } from '../../web/src/node/output/report.mjs';
import { plain } from '../../web/src/node/output/style.mjs';
import { figureAt } from './figure.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const update = process.env.UPDATE_GOLDENS === '1';
const engine = await load();

const folders = (under) =>
  (existsSync(under) ? readdirSync(under, { withFileTypes: true }) : []).filter((entry) => entry.isDirectory()).map(({ name }) => name);

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The recorded text, or the new one where recording was asked for. */
function assertRecorded(path, text) {
  if (update) writeFileSync(path, text);
  assert.ok(existsSync(path), `${path} is not recorded: run with UPDATE_GOLDENS=1 and read what it writes`);
  assert.equal(text, readFileSync(path, 'utf8'));
}

/** The reply as recorded: without the engine's version, which says nothing about a formula. */
function replyText({ engine: _, ...reply }) {
  return `${JSON.stringify(reply, null, 1)}\n`;
}

/** The ledger with every formula, to the byte. */
function ledgerText(request) {
  const reply = engine.estimate({ ...request, explain: 'all' });
  return reply.error ? `${JSON.stringify(reply.error, null, 1)}\n` : `${reportText(reply, { unit: 'bytes', style: plain })}\n`;
}

function assertRecords(folder) {
  const request = readJson(join(folder, 'request.json'));
  assertRecorded(join(folder, 'reply.json'), replyText(engine.estimate(request)));
  assertRecorded(join(folder, 'ledger.txt'), ledgerText(request));
}

function assertFigures(folder) {
  const { title, figures } = readJson(join(folder, 'source.json'));
  assert.ok(title, 'source.json names its source');
  assert.ok(Object.keys(figures ?? {}).length > 0, 'source.json asserts a figure');
  const reply = engine.estimate(readJson(join(folder, 'request.json')));
  assert.equal(reply.error, undefined);
  for (const [path, value] of Object.entries(figures)) assert.deepEqual(figureAt(reply, path), value, `${path} by ${title}`);
}

for (const name of folders(here).filter((folder) => folder !== 'own')) {
  test(`${name}: the outside figures`, () => assertFigures(join(here, name)));
  test(`${name}: reply and ledger as recorded`, () => assertRecords(join(here, name)));
}

// These record our own output and prove nothing but that it changed.
for (const name of folders(join(here, 'own'))) {
  test(`own/${name}: reply and ledger as recorded`, () => assertRecords(join(here, 'own', name)));
}
