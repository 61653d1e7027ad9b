// docs/library.md is a program: its blocks run in order, as somebody's who installed the package, and print what it says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../architecture/sources.mjs';

const page = readFileSync(join(root, 'docs', 'library.md'), 'utf8');
const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-library-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(root, 'web'), join(folder, 'node_modules', 'plimsoll'));

test('the blocks of docs/library.md print what stands beside them', () => {
  const said = blocks.flatMap((text) => [...text.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line));
  assert.ok(blocks.length >= 8 && said.length >= 10, `${blocks.length} blocks, ${said.length} lines`);
  const file = join(folder, 'page.mjs');
  writeFileSync(file, blocks.join('\n'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.trimEnd().split('\n'), said);
});

test('it shows each method that the library has', () => {
  const types = readFileSync(join(root, 'web/src/library/index.d.ts'), 'utf8');
  const door = types.slice(types.indexOf('export interface Plimsoll {'));
  const methods = [...door.slice(0, door.indexOf('\n}')).matchAll(/^ {2}(\w+)[<(]/gm)].map(([, name]) => name);
  assert.ok(methods.length >= 7);
  for (const name of methods.filter((one) => one !== 'sweep')) assert.ok(blocks.join('').includes(`plimsoll.${name}(`), name);
  assert.match(page, /`sweep`/);
});
