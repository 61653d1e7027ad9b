// Hostile names in settings to copy: what the language itself reads is the name, as it is shown, and nothing else happens.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { load as readYaml } from '../../web/node_modules/js-yaml/dist/js-yaml.mjs';
import { shown } from '../../web/src/files/shown.mjs';
import { filled, markdownText, quotedList, quotedText, quotedValue } from '../../web/src/state/quoting.mjs';
import { root } from '../architecture/sources.mjs';
import { harmless, hostile, raw } from './strings.mjs';

const names = [...hostile, ...harmless.filter((name) => name !== '')];
const expected = names.map(shown);

/** The words that bash makes of a text each. */
function words(lines) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-hostile-'));
  try {
    const script = lines.map((line) => `printf '%s\\0' ${line}`).join('\n');
    const run = spawnSync('bash', ['-s'], { cwd: folder, encoding: 'utf8', input: script, maxBuffer: 2 ** 26 });
    assert.equal(run.status, 0, run.stderr);
    assert.ok(!existsSync(join(folder, 'hostile')), 'a name was run as a command');
    return run.stdout.split('\0').slice(0, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The values that Python reads. */
function pythonReads(literals) {
  const run = spawnSync('python3', ['-c', 'import ast, json, sys; print(json.dumps([ast.literal_eval(one) for one in json.load(sys.stdin)]))'], {
    input: JSON.stringify(literals),
    encoding: 'utf8',
  });
  return run.error ? undefined : JSON.parse(run.stdout);
}

test('a shell reads each name as one word', () => {
  assert.deepEqual(words(names.map((name) => quotedText('shell', name))), expected);
  assert.deepEqual(words([quotedList('shell', names)]), expected);
  assert.deepEqual(
    words(names.map((name) => filled('"path/{value}"', 'shell', 'value', name))),
    expected.map((name) => `path/${name}`),
  );
});

test('YAML reads each name as a text', () => {
  for (const [at, name] of names.entries()) {
    assert.deepEqual(readYaml(`key: ${quotedText('yaml', name)}`), { key: expected[at] });
    assert.deepEqual(readYaml(`key: ${quotedList('yaml', [name, 'b'])}\nnext: 1`), { key: [expected[at], 'b'], next: 1 });
    assert.deepEqual(readYaml(filled('key: "path/{value}"', 'yaml', 'value', name)), { key: `path/${expected[at]}` });
  }
});

test('JSON reads each name as a text; TOML writes texts as JSON does', () => {
  for (const language of ['json', 'toml']) {
    assert.deepEqual(
      names.map((name) => JSON.parse(quotedText(language, name))),
      expected,
    );
    assert.deepEqual(JSON.parse(quotedList(language, names)), expected);
  }
});

test('Python reads each name as a text', (t) => {
  const read = pythonReads([
    ...names.map((name) => quotedText('python', name)),
    ...names.map((name) => filled('"{value}"', 'python', 'value', name)),
  ]);
  if (!read) return t.skip('no python3 here');
  assert.deepEqual(read, [...expected, ...expected]);
});

test('numbers and truths stand as they are, where the language spells them so', () => {
  for (const language of ['python', 'json', 'toml', 'yaml', 'shell', 'modelfile'])
    for (const number of ['16', '-2', '0.5', '1e-05']) assert.equal(quotedValue(language, number), number);
  assert.equal(quotedValue('yaml', 'true'), 'true');
  assert.equal(quotedValue('python', 'true'), '"true"');
});

test('Ollama reads each name on one line, within one pair of quotes', () => {
  for (const name of names) assert.match(quotedText('modelfile', name), /^(?:[\w@%+=:,./-]+|"[^"\n]*")$/);
});

test('a remark holds a name on its line, and a hole within a value is no hole', () => {
  for (const name of names) assert.doesNotMatch(filled('a: 1  # of {value}', 'yaml', 'value', name), /\n/);
  assert.equal(filled('--x {value}', 'shell', 'value', '{value}'), "--x '{value}'");
});

test('every line of every preset keeps every name in its place', () => {
  const lines = ['trainers', 'runtimes'].flatMap((kind) =>
    readdirSync(join(root, 'presets', kind)).flatMap((file) => {
      const preset = JSON.parse(readFileSync(join(root, 'presets', kind, file), 'utf8'));
      return (preset.texts ?? preset.launch ?? []).flatMap(({ language, lines }) => lines.map(({ text }) => ({ language, text })));
    }),
  );
  const holed = lines.filter(({ text }) => /\{(model|value|name|file|draft|draft_file)\}/.test(text));
  assert.ok(holed.length > 100);
  const shells = [];
  for (const { language, text } of holed) {
    const [, hole] = /\{(model|value|name|file|draft|draft_file)\}/.exec(text);
    for (const name of hostile) {
      const line = filled(text, language, hole, name, quotedValue);
      assert.doesNotMatch(line, raw);
      assert.doesNotMatch(line, /\n/);
      const remark = /(?:^|\s)#/.test(text.slice(0, text.indexOf(`{${hole}}`)));
      if (language === 'shell' && !remark && !text.includes('&&') && !text.startsWith('OLLAMA')) shells.push([line, shown(name)]);
      if (language === 'yaml' && !remark && /^\w+: \{\w+\}$/.test(text)) assert.equal(String(Object.values(readYaml(line))[0]), shown(name), line);
    }
  }
  const read = words(shells.map(([line]) => `${line} END`))
    .join('\0')
    .split('\0END');
  shells.forEach(([line, name], at) => assert.ok(read[at].includes(name), line));
});

test('Markdown shows a name as it is', () => {
  for (const name of hostile) {
    const text = markdownText(name);
    assert.doesNotMatch(text, raw);
    // Behind its backslash no character of Markdown means anything.
    assert.doesNotMatch(text.replace(/\\[^a-z0-9\s]/gi, ''), /[`*_[\]<>|~&#@!$\\]|:\/\/|www\./);
    assert.equal(text.replace(/\\([^a-z0-9\s])/gi, '$1'), shown(name));
  }
});
