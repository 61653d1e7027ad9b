// Every door of the command line has a limit, and says which. What is wrong with one request of many is that one's alone.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { parsedPython, whyUnread } from '../../web/src/node/output/json.mjs';
import { urlSources } from '../../web/src/node/url.mjs';
import { plimsoll, program, replies } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-limits-'));
after(() => rmSync(folder, { recursive: true }));

const put = (name, content) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const deep = (levels, open = '[', close = ']') => open.repeat(levels) + '1' + close.repeat(levels);
const good = JSON.stringify({ schema: 1, task: 'classic', model: { preset: 'llama-3-70b' }, inference: { context: 2048, sequences: 1 } });

/** Lines that no engine answers, each for a reason of its own. */
const bad = {
  'nested 65 deep': deep(65),
  'nested 5,000 deep': deep(5000),
  'nested 5,000 deep in a field': `{"schema":1,"model":${deep(5000, '{"a":', '}')}}`,
  'nested a million deep': deep(1e6),
  'a config nested 5,000 deep': `{"model_type":"llama","x":${deep(5000)}}`,
  'no JSON': 'not JSON',
  'a text that does not end': `"${'\\"'.repeat(2 ** 20)}`,
  'a word of Python': 'NaN',
  'a list': '[]',
  'a number': '7',
  nothing: 'null',
  'longer than is read': `{"a":"${'x'.repeat(2 ** 25)}"}`,
};

test('of many requests each bad one is an error in its place, and the others are answered', () => {
  const lines = Object.values(bad).flatMap((line) => [good, line]);
  for (const options of [[], ['--context', '4k'], ['--explain']]) {
    const run = plimsoll(['estimate', put('many.jsonl', [...lines, good].join('\n')), '--json', ...options]);
    assert.equal(run.status, 1, run.stderr);
    const answers = replies(run);
    assert.equal(answers.length, lines.length + 1);
    answers.forEach((reply, at) => {
      const name = at % 2 === 1 ? Object.keys(bad)[(at - 1) / 2] : 'the good one';
      assert.equal('error' in reply, at % 2 === 1, `${name}: ${JSON.stringify(reply).slice(0, 300)}`);
      if (!reply.error) return;
      assert.notEqual(reply.error.code, 'program.failed', `${name}: ${reply.error.what}`);
      assert.doesNotMatch(reply.error.what, /call stack|Invalid string length|heap/, name);
    });
  }
});

test('nesting that is too deep is called so, wherever it comes in', () => {
  const config = put('deep.json', `{"model_type":"llama","x":${deep(5000)}}`);
  for (const words of [
    ['estimate', config],
    ['estimate', put('request.json', deep(5000))],
    ['estimate', put('request.json', deep(5000)), '--context', '4k'],
    ['estimate', '--model', config],
    ['inspect', config],
    ['sweep', put('sweep.json', `{"request":${deep(5000)},"over":[]}`)],
  ]) {
    const run = plimsoll(words);
    assert.equal(run.status, 1, words.join(' '));
    assert.match(run.stderr, /nested more than 64 levels deep/, words.join(' '));
  }
});

test('JSON is read as deep and as long as the engine reads it, whatever stands in its texts', () => {
  assert.ok(parsedPython(deep(64)));
  assert.equal(parsedPython(deep(65)), undefined);
  for (const text of [`"${'\\"'.repeat(2 ** 22)}`, `"${'a'.repeat(2 ** 24)}`, '"'.repeat(1e5), '\\'.repeat(1e5)])
    assert.equal(whyUnread(text), 'this is not JSON');
  assert.deepEqual(parsedPython('{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN \\" Infinity"}'), {
    a: null,
    b: [null, null],
    c: 'NaN " Infinity',
  });
});

/** A command line with input that never ends. */
const endless = (words) => {
  const run = spawnSync('sh', ['-c', 'yes "{}" | "$0" "$@"', process.execPath, program, ...words], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(run.signal, null, `${words.join(' ')} never ended`);
  return run;
};

test('what never ends is refused with the limit that it passed', { skip: !existsSync('/dev/zero') }, () => {
  for (const words of [
    ['estimate', '-'],
    ['estimate', '-', '--json'],
    ['inspect', '-'],
    ['sweep', '-'],
    ['estimate', '/dev/zero'],
    ['inspect', '/dev/zero'],
    ['sweep', '/dev/zero'],
    ['estimate', '--model', '/dev/zero'],
  ]) {
    const run = endless(words);
    assert.equal(run.status, 1, words.join(' '));
    assert.match(run.stdout + run.stderr, /\d+ MiB/, `${words.join(' ')}: ${run.stderr}`);
  }
});

test('a file of 200 GB is no request, and is not read through: no memory would hold it', () => {
  const large = put('large.json', good);
  truncateSync(large, 2e11);
  const run = plimsoll(['estimate', large]);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /longer than the 128 MiB/);
});

test('a file in a hundred thousand parts is not asked for', async () => {
  await assert.rejects(urlSources('http://127.0.0.1:9/model-00001-of-99999.gguf'), /at most 1000/);
});
