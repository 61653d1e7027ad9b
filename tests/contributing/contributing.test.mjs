// What CONTRIBUTING.md tells works as told: its examples, applied to a copy of the tree, pass the tests that hold presets,
// languages and rows; and what is wrong with an example in the ways that people err is found by them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { apply, copyOfTree, examples } from './examples.mjs';

const all = examples();
const copy = copyOfTree();
after(() => rmSync(copy, { recursive: true }));

// A new language begins as a copy of one that there is, before its name is written.
cpSync(join(copy, 'web/src/languages/zh-CN'), join(copy, 'web/src/languages/de'), { recursive: true });
const given = (kind) => all.find(({ does, path }) => does === 'file' && path.startsWith(`presets/${kind}/`));
const idOf = (kind) => JSON.parse(given(kind).text).id;
const models = ['preset.*are there', 'a family', 'every model', `^${idOf('models')} has`];

/** Runs tests of the copy; what failed, or an empty text. */
function failed(files, pattern = []) {
  const only = pattern.map((one) => `--test-name-pattern=${one}`);
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...only, ...files.map((file) => join(copy, 'tests', file))], {
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const names = [...run.stdout.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name);
  assert.match(run.stdout, /^# tests [1-9]/m, 'some ran');
  return run.status === 0 ? '' : `${names.join('\n')}\n${run.stderr}`;
}

/** Runs the command line of the copy. */
function plimsoll(words) {
  const run = spawnSync(process.execPath, [join(copy, 'web/bin/plimsoll.mjs'), ...words], { encoding: 'utf8' });
  return { status: run.status, said: `${run.stdout}${run.stderr}` };
}

test('there is an example of each kind', () => {
  for (const kind of ['models', 'devices', 'encodings', 'optimizers', 'runtimes']) assert.ok(given(kind), kind);
  for (const does of ['merge', 'append', 'excerpt'])
    assert.ok(
      all.some((one) => one.does === does),
      does,
    );
  assert.ok(
    all.some(({ path }) => path === 'presets/schema/request.json'),
    'a field',
  );
  assert.ok(
    all.some(({ path }) => path === 'web/src/languages/de/language.json'),
    'a language',
  );
});

test('code that is shown is the code that is there', () => {
  const plain = (text) => text.replaceAll(/\/\/.*$/gm, '').replaceAll(/\s+/g, '');
  for (const { path, text } of all.filter(({ does }) => does === 'excerpt')) {
    const there = plain(readFileSync(join(root, path), 'utf8'));
    for (const part of text.split(/…|\n\n/)) assert.ok(there.includes(plain(part)), `${path} has no longer: ${part}`);
  }
});

test('the examples can be applied, and none is there already', () => {
  for (const one of all.filter(({ does }) => does !== 'excerpt')) {
    if (one.does === 'file' && !one.path.includes('/languages/')) assert.ok(!existsSync(join(copy, one.path)), one.path);
    apply(copy, one);
  }
});

test('presets, descriptions and languages pass their tests', () => {
  const files = ['schema', 'devices', 'encodings', 'runtimes', 'trainers', 'described'].map((name) => `presets/${name}.test.mjs`);
  assert.equal(failed(files), '');
  assert.equal(failed(['presets/models.test.mjs'], models), '');
});

test('a new language passes, once its presets say what the others say', () => {
  // The copy was made before the examples of presets were merged into the other language.
  const zh = join(copy, 'web/src/languages/zh-CN');
  for (const file of ['presets.json', 'texts.json']) cpSync(join(zh, file), join(copy, 'web/src/languages/de', file));
  assert.equal(failed(['presets/languages.test.mjs']), '');
});

test('a measured row passes, and is answered', () => {
  assert.equal(failed(['measured/measured.test.mjs'], ['collected_training', 'every config']), '');
  const row = all.find(({ does }) => does === 'append');
  const file = join(copy, 'tests/measured/collected_training.jsonl');
  writeFileSync(file, row.text);
  const run = spawnSync(process.execPath, [join(copy, 'tests/score/score.mjs'), file, '--json', '--rows'], { encoding: 'utf8' });
  const { rows } = JSON.parse(run.stdout);
  assert.ok(rows.length > 0 && rows.every(({ answer }) => answer > 0), run.stdout);
});

test('the engine answers with each of the new presets', () => {
  const on = ['--model', idOf('models'), '--device', idOf('devices')];
  const ways = [
    ['--weights', idOf('encodings'), '--runtime', 'transformers', '--context', '2k'],
    ['--runtime', idOf('runtimes'), '--context', '2k'],
    ['--task', 'training', '--optimizer', idOf('optimizers'), '--sequence', '1k'],
  ];
  for (const way of ways) {
    const { status, said } = plimsoll(['estimate', ...on, ...way]);
    assert.equal(status, 0, said);
  }
  assert.match(plimsoll(['estimate', '--help']).said, /--example-slots N +slots kept free/);
});

/** What people err in, and which test says so. */
const mistakes = [
  ['devices', 'memory of 64 MiB', (preset) => Object.assign(preset.memory, { value: 64, unit: 'MiB' })],
  ['devices', 'memory of 6,400 GiB', (preset) => Object.assign(preset.memory, { value: 6400 })],
  ['devices', 'no compute capability', (preset) => delete preset.compute_capability],
  ['devices', 'no source of the compute capability', (preset) => delete preset.sources.capability],
  ['encodings', 'bits that do not add up', (preset) => Object.assign(preset, { bits: 6 })],
  ['models', 'a misspelt model_type', (preset) => Object.assign(preset.config, { model_type: 'lama' }), models],
  ['models', 'another count', (preset) => Object.assign(preset.parameters, { value: 66331137 }), models],
  ['runtimes', 'a setting that no request has', (preset) => preset.options.rare.push('inference.promt')],
];

for (const [kind, what, err, pattern] of mistakes) {
  test(`a mistake is found: ${kind}, ${what}`, () => {
    const file = join(copy, given(kind).path);
    const preset = JSON.parse(given(kind).text);
    err(preset);
    writeFileSync(file, JSON.stringify(preset));
    assert.notEqual(failed([`presets/${kind}.test.mjs`], pattern), '');
    writeFileSync(file, given(kind).text);
  });
}
