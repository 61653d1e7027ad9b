// The tarball, not the tree: pack web/, install it in an empty folder without a network, and use it as anyone would.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-pack-'));
after(() => rmSync(folder, { recursive: true }));

function run(program, words, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${error ?? ''}\n${stdout}\n${stderr}`);
  return stdout;
}

/** `npm pack` builds first, as it does before publishing. */
function packed() {
  run('npm', ['pack', '--pack-destination', folder], join(root, 'web'));
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return join(folder, tarball);
}

const request = {
  schema: 1,
  task: 'classic',
  model: { preset: 'llama-3-70b' },
  weights: { encoding: 'bf16' },
  inference: { context: 2048, sequences: 1 },
};
const bytes = 153019119616;

const program = `import { load } from 'plimsoll';
const plimsoll = await load();
const reply = await plimsoll.estimate(${JSON.stringify(request)});
console.log(reply.total.bytes);
`;

const held = `import { figureOf, isHeld, vectors, version } from 'plimsoll/conformance';
import { load } from 'plimsoll';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const all = vectors();
const { request, figures } = all.find(({ kind }) => kind === 'parameters');
const reply = await (await load()).estimate(request);
const file = existsSync(fileURLToPath(import.meta.resolve(\`plimsoll/conformance/v\${version}/index.json\`)));
console.log(all.length >= 300 && file && isHeld(figures[0], figureOf(figures[0].at, reply).value));
`;

const named = `import { modelFiles } from 'plimsoll/sources';
const fault = await modelFiles('ollama:no/such/name').catch((error) => error);
console.log(fault.failure.code);
`;

const typed = `import { load, type Request } from 'plimsoll';
import { figureOf } from 'plimsoll/conformance';
import { modelFiles } from 'plimsoll/sources';
import type { PlimsollTag } from 'plimsoll/element';
import type {} from 'plimsoll/loader';
const request: Request = ${JSON.stringify(request)};
const reply = await (await load()).estimate(request);
const bytes: number | undefined = 'total' in reply ? reply.total.bytes : undefined;
const value: number | undefined = figureOf(['total'], reply)?.value;
const files: readonly { size: number }[] = (await modelFiles('ollama:qwen3:8b', { patience: 100 })).sources;
const told = async (tag: PlimsollTag): Promise<object> => (await tag.answered()).request;
const tag = (): HTMLElementTagNameMap['plimsoll-calculator'] => Object.assign(document.createElement('plimsoll-calculator'), { context: 4096 });
console.log(bytes, value, files.length, told, tag);
`;

test('the package installs in an empty folder and answers', async (t) => {
  const tarball = packed();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'someone', private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball]);

  await t.test('it brings no other package', () => {
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['plimsoll'],
    );
  });

  await t.test('npx plimsoll estimate', () => {
    writeFileSync(join(folder, 'request.json'), JSON.stringify(request));
    const reply = JSON.parse(run('npx', ['--no-install', 'plimsoll', 'estimate', 'request.json', '--json']));
    assert.equal(reply.total.bytes, bytes);
    assert.match(run('npx', ['--no-install', 'plimsoll', 'list', 'models']), /llama-3-70b/);
  });

  await t.test("import { load } from 'plimsoll'", () => {
    writeFileSync(join(folder, 'program.mjs'), program);
    assert.equal(run(process.execPath, ['program.mjs']).trim(), String(bytes));
  });

  await t.test("import { vectors } from 'plimsoll/conformance'", () => {
    writeFileSync(join(folder, 'held.mjs'), held);
    assert.equal(run(process.execPath, ['held.mjs']).trim(), 'true');
  });

  await t.test("import { modelFiles } from 'plimsoll/sources'", () => {
    writeFileSync(join(folder, 'named.mjs'), named);
    assert.equal(run(process.execPath, ['named.mjs']).trim(), 'hub.bad_name');
  });

  await t.test('its types', () => {
    writeFileSync(join(folder, 'typed.ts'), typed);
    const compiler = join(root, 'web', 'node_modules', 'typescript', 'bin', 'tsc');
    const strict = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
    run(process.execPath, [compiler, ...strict, 'typed.ts']);
  });

  await t.test('its licence, and those of what it is made of', () => {
    const at = (file) => readFileSync(join(folder, 'node_modules', 'plimsoll', 'dist', file), 'utf8');
    assert.match(at('node/LICENSE'), /MIT/);
    for (const file of ['node/THIRD-PARTY.txt', 'plimsoll.js', 'plimsoll-calculator.all.js', 'plimsoll-engine.js'])
      for (const part of ['nlohmann/json', 'musl', 'libc++']) assert.ok(at(file).includes(part), `${file}: ${part}`);
  });

  await t.test('what a browser gets is there', () => {
    for (const file of ['plimsoll.js', 'plimsoll-calculator.js', 'plimsoll-calculator.all.js', 'plimsoll-engine.js'])
      assert.ok(readdirSync(join(folder, 'node_modules', 'plimsoll', 'dist')).includes(file), file);
  });
});
