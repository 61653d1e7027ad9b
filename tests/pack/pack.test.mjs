// The tarballs, not the tree: pack web/ and the conformance vectors, install them in an empty folder without a network, and use
// them as anyone would.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-pack-'));
after(() => rmSync(folder, { recursive: true }));

function run(program, words, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd,
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${error ?? ''}\n${stdout}\n${stderr}`);
  return stdout;
}

/** `npm pack` builds first, as it does before publishing; PLIMSOLL_PAGE: where that was just done, it is not done twice. */
function packed() {
  const web = join(root, 'web');
  const isBuilt = process.env.PLIMSOLL_PAGE === 'built';
  const { prepack } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8')).scripts;
  const [build, more] = prepack.split(' && ');
  assert.equal(build, 'npm run build');
  if (isBuilt) run('bash', ['-c', more], web);
  run('npm', ['pack', ...(isBuilt ? ['--ignore-scripts'] : []), '--pack-destination', folder], web);
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

/** Of the package on a disk. */
const limit = 3_066_000;
const most = 125;
const installed = join(folder, 'node_modules', 'plimsoll');

const program = `import { load } from 'plimsoll';
const plimsoll = await load();
const reply = await plimsoll.estimate(${JSON.stringify(request)});
console.log(reply.total.bytes);
`;

const listed = `import { load } from 'plimsoll';
const plimsoll = await load();
const models = await plimsoll.list('models', 'coder 7b');
const lists = await Promise.all(['devices', 'machines', 'others', 'encodings', 'optimizers', 'runtimes', 'trainers'].map((kind) => plimsoll.list(kind)));
console.log(models.map(({ id }) => id).join(), lists.every((list) => list.length > 1 && list.every(({ id, name }) => id && name)));
`;

const held = `import { figureOf, isHeld, vectors } from 'plimsoll-conformance';
import { load } from 'plimsoll';
const all = vectors();
const { request, figures } = all.find(({ kind }) => kind === 'parameters');
const reply = await (await load()).estimate(request);
console.log(all.length >= 300 && isHeld(figures[0], figureOf(figures[0].at, reply).value));
`;

const vectorTypes = `import { figureOf, vectors, type Vector } from 'plimsoll-conformance';
const [first]: Vector[] = vectors();
const value: number | undefined = figureOf(['total'], { total: { bytes: 1 } })?.value;
console.log(first, value);
`;

const named = `import { modelFiles } from 'plimsoll/sources';
const fault = await modelFiles('ollama:no/such/name').catch((error) => error);
console.log(fault.failure.code);
`;

const typed = `import { load, type Request } from 'plimsoll';
import 'plimsoll/element';
import type { TrainerPreset } from 'plimsoll/wire';
import { modelFiles } from 'plimsoll/sources';
import type { PlimsollTag } from 'plimsoll/element';
const request: Request = ${JSON.stringify(request)};
const plimsoll = await load();
const reply = await plimsoll.estimate(request);
const bytes: number | undefined = 'total' in reply ? reply.total.bytes : undefined;
const found = await plimsoll.inspect([{ name: 'config.json', text: '{}' }]);
const value: number | undefined = 'error' in found ? undefined : found.parameters?.total;
const context: number | undefined = (await plimsoll.list('models'))[0]?.context;
const trainer: TrainerPreset['id'] | undefined = (await plimsoll.list('trainers'))[0]?.id;
// @ts-expect-error there is no such kind
const nothing = plimsoll.list('cars');
const element: PlimsollTag = document.createElement('plimsoll-calculator');
element.addEventListener('plimsoll-change', () => console.log(element.request, element.unit));
const files: readonly { size: number }[] = (await modelFiles('ollama:qwen3:8b', { patience: 100 })).sources;
const told = async (tag: PlimsollTag): Promise<object> => (await tag.answered()).request;
const tag = (): HTMLElementTagNameMap['plimsoll-calculator'] => Object.assign(document.createElement('plimsoll-calculator'), { context: 4096 });
console.log(bytes, value, context, trainer, nothing, files.length, told, tag);
`;

/** Types as Node and as bundlers resolve them, our own declarations checked, too. */
function checkTypes(file) {
  const compiler = join(root, 'web', 'node_modules', 'typescript', 'bin', 'tsc');
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022,dom'];
  run(process.execPath, [compiler, ...strict, '--module', 'nodenext', file]);
  run(process.execPath, [compiler, ...strict, '--module', 'esnext', '--moduleResolution', 'bundler', file]);
}

const filesIn = (at) =>
  readdirSync(at, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(at, name)).isFile());

/** Files with the bytes of another one. */
function twice(files) {
  const known = new Map();
  return files.flatMap((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(installed, file)))
      .digest('hex');
    const first = known.get(hash);
    known.set(hash, file);
    return first ? [`${first} and ${file}`] : [];
  });
}

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

  await t.test('its list', () => {
    writeFileSync(join(folder, 'listed.mjs'), listed);
    const [ids, all] = run(process.execPath, ['listed.mjs']).trim().split(' ');
    assert.match(ids, /qwen2\.5-coder-7b/);
    assert.equal(all, 'true');
    const printed = JSON.parse(run('npx', ['--no-install', 'plimsoll', 'list', 'models', 'coder', '7b', '--json']));
    assert.deepEqual(
      printed.map(({ id }) => id),
      ids.split(','),
    );
  });

  await t.test("import { modelFiles } from 'plimsoll/sources'", () => {
    writeFileSync(join(folder, 'named.mjs'), named);
    assert.equal(run(process.execPath, ['named.mjs']).trim(), 'hub.bad_name');
  });

  await t.test('its types', () => {
    writeFileSync(join(folder, 'typed.ts'), typed);
    checkTypes('typed.ts');
  });

  await t.test('its licence, and those of what it is made of', () => {
    const at = (file) => readFileSync(join(installed, file), 'utf8');
    assert.match(at('LICENSE'), /MIT/);
    for (const file of ['dist/THIRD-PARTY.txt', 'dist/plimsoll.js', 'dist/plimsoll-data.js', 'dist/plimsoll-calculator.all.js'])
      for (const part of ['nlohmann/json', 'musl', 'libc++']) assert.ok(at(file).includes(part), `${file}: ${part}`);
  });

  await t.test('what a registry shows: README without links that lead nowhere, licence, words to find it by', () => {
    const about = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    assert.match(readme, /^# Plimsoll\n/);
    assert.deepEqual(
      [...readme.matchAll(/\]\((?!https?:|#)[^)]*\)/g)].map(([link]) => link),
      [],
    );
    assert.equal(about.license, 'MIT');
    assert.ok(about.keywords.includes('llm') && about.description.length > 20);
  });

  await t.test(`at most ${limit.toLocaleString('en')} bytes in ${most} files, and none twice`, () => {
    const files = filesIn(installed);
    const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
    assert.ok(bytes <= limit, `${bytes} bytes`);
    assert.ok(files.length <= most, `${files.length} files`);
    assert.deepEqual(twice(files), []);
  });

  await t.test('no file that nobody asked for', () => {
    const known =
      /^(package\.json|README\.md|LICENSE|bin\/plimsoll\.mjs|dist\/[\w.-]+\.js|dist\/THIRD-PARTY\.txt|dist\/node\/plimsoll-\w+\.mjs|src\/.+\.(mjs|d\.ts|d\.mts))$/;
    assert.deepEqual(
      filesIn(installed).filter((file) => !known.test(file)),
      [],
    );
    for (const file of ['plimsoll.js', 'plimsoll-data.js', 'plimsoll-calculator.all.js'])
      assert.ok(filesIn(installed).includes(`dist/${file}`), file);
  });

  await t.test('every module of it is there that another one imports', () => {
    const sources = filesIn(installed).filter((file) => /^(src|bin)\/.*\.(mjs|d\.ts|d\.mts)$/.test(file));
    const lost = sources.flatMap((file) =>
      [...readFileSync(join(installed, file), 'utf8').matchAll(/(?:from|import)\(?\s*'(\.[^']+)'/g)]
        .map(([, path]) => join(installed, dirname(file), path))
        .filter((path) => ![path, path.replace(/\.js$/, '.d.ts')].some((one) => existsSync(one)))
        .map((path) => `${file}: ${path}`),
    );
    assert.deepEqual(lost, []);
  });

  await t.test('a bundler leaves out what a program does not import', async () => {
    writeFileSync(join(folder, 'one.mjs'), "import { load } from 'plimsoll';\nconsole.log('nothing is asked');\nexport const asked = [];\n");
    const { build } = await import(pathToFileURL(join(root, 'web/node_modules/vite/dist/node/index.js')).href);
    const made = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        lib: { entry: join(folder, 'one.mjs'), formats: ['es'] },
      },
    });
    const [{ output }] = [made].flat();
    assert.ok(output.reduce((sum, { code = '' }) => sum + code.length, 0) < 1000, 'neither engine nor presets');
  });

  for (const [name, words] of [
    ['deno', ['run', '--allow-read', '--allow-env', '--no-remote', 'program.mjs']],
    ['bun', ['program.mjs']],
  ]) {
    const is = spawnSync(name, ['--version']).status === 0;
    await t.test(`under ${name}`, { skip: !is && `${name} is not here` }, () => assert.equal(run(name, words).trim(), String(bytes)));
  }
});

test('the vectors are a package of their own', async (t) => {
  const made = join(folder, 'conformance');
  run(process.execPath, [join(root, 'web/scripts/conformance.mjs'), made]);
  run('npm', ['pack', '--pack-destination', folder], made);
  const tarball = readdirSync(folder).find((name) => name.startsWith('plimsoll-conformance-'));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', join(folder, tarball)]);
  const own = join(folder, 'node_modules', 'plimsoll-conformance');

  await t.test('what it holds, each once', () => {
    assert.deepEqual(filesIn(own).sort(), ['LICENSE', 'README.md', 'index.d.mts', 'index.mjs', 'package.json', 'v1.jsonl', 'wire.d.ts']);
    const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
    assert.equal(version, JSON.parse(readFileSync(join(root, 'web/package.json'), 'utf8')).version);
  });

  await t.test('a calculator is held against it', () => {
    writeFileSync(join(folder, 'held.mjs'), held);
    assert.equal(run(process.execPath, ['held.mjs']).trim(), 'true');
  });

  await t.test('its types', () => {
    writeFileSync(join(folder, 'vectors.ts'), vectorTypes);
    checkTypes('vectors.ts');
  });
});
