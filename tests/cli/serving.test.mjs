// plimsoll serve --stdio: a line in, a line out, whatever the line is; and the example in Python.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { bare, plimsoll, program, replies } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-serve-'));
after(() => rmSync(folder, { recursive: true }));

const request = { model: { preset: 'llama-3-8b' }, device: { preset: 'rtx-4090' }, inference: { context: 8192 } };

/** What answers some lines: objects, or texts as they are. */
function served(lines) {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const run = plimsoll(['serve', '--stdio'], input, { maxBuffer: 2 ** 28 });
  assert.equal(run.status, 0, run.stderr);
  assert.equal(run.stderr, '');
  return replies(run);
}

/** What the command line answers with --json. */
const printed = (words, input) => replies(plimsoll([...words, '--json'], JSON.stringify(input)))[0];

test('each verb answers as its command does', () => {
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ model_type: 'llama', hidden_size: 64, num_hidden_layers: 2, vocab_size: 100 }));
  const solve = { request, find: 'inference.context' };
  const sweep = { request, over: [{ field: 'inference.context', values: [1024, 2048] }] };
  const plan = { request: { model: request.model }, cluster: { device: request.device, devices_per_node: 2 }, keep: 2 };
  const log = 'INFO 11-02 [gpu_worker.py:298] Available KV cache memory: 15.37 GiB';
  const other = { ...request, inference: { context: 4096 } };
  const answers = served([
    { id: 1, verb: 'estimate', request },
    { id: 'two', verb: 'solve', request: solve },
    { id: 3, verb: 'sweep', request: sweep },
    { id: 4, verb: 'plan', request: plan },
    { id: 5, verb: 'inspect', request: { files: [folder] } },
    { id: 6, verb: 'reconcile', request: { text: log } },
    { id: 7, verb: 'fit', request: { ...request, inference: { runtime: 'llama.cpp', context: 8192 } } },
    { id: 8, verb: 'compare', request: { requests: [request, other] } },
    { id: 9, verb: 'list', request: { kind: 'models', words: 'coder 7b' } },
    { id: 10, verb: 'inspect', request: { texts: [{ name: 'config.json', text: '{"model_type": "llama", "hidden_size": 64}' }] } },
  ]);
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 'two', 3, 4, 5, 6, 7, 8, 9, 10],
  );
  const [estimated, solved, swept, planned, inspected, reconciled, fit, compared, listed, ofText] = answers.map(({ reply }) => reply);
  assert.deepEqual(estimated, printed(['estimate', '-'], request));
  assert.deepEqual(solved, printed(['solve', '-'], solve));
  assert.deepEqual(swept, printed(['sweep', '-'], sweep));
  assert.deepEqual(planned, printed(['plan', '-'], plan));
  assert.deepEqual(inspected, printed(['inspect', folder]));
  assert.equal(reconciled.figures[0].counter, replies(plimsoll(['reconcile', '-', '--json'], log))[0].figures[0].counter);
  assert.ok(fit.rows.length > 3 && fit.kind === 'encodings');
  assert.ok(compared.rows.some(({ bytes }) => bytes[0] !== bytes[1]));
  assert.deepEqual(listed.entries, printed(['list', 'models', 'coder', '7b']));
  assert.equal(ofText.kind, 'config');
});

test('a line that is wrong is told so, and the next one is answered', () => {
  const wrong = [
    ['not JSON', 'bad_json'],
    ['[1]', 'wrong_type'],
    ['null', 'wrong_type'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, 'bad_json'],
    [{ id: 1, verb: 'estimat', request }, 'unknown_value'],
    [{ id: 2, verb: 'constructor', request }, 'unknown_value'],
    [{ id: 3, verb: 'estimate' }, 'wrong_type'],
    [{ id: 4, verb: 'estimate', request: { model: { preset: 'llama-3-8' } } }, 'unknown_preset'],
    ['{"id": 5, "verb": "estimate", "request": {"model": {"preset": "llama-3-8b"}, "inference": {"context": 1e400}}}', 'bad_json'],
    [{ id: 6, verb: 'compare', request: { requests: [request] } }, 'wrong_type'],
    [{ id: 7, verb: 'fit', request: {} }, 'missing'],
    [{ id: 8, verb: 'list', request: { kind: 'cars' } }, 'unknown_value'],
    [{ id: 9, verb: 'reconcile', request: { text: 3 } }, 'wrong_type'],
    [{ id: 10, verb: 'inspect', request: { files: ['-'] } }, 'file.unreadable'],
    [{ id: 11, verb: 'inspect', request: { files: ['/dev/zero'] } }, 'file.unreadable'],
    [{ id: 12, verb: 'inspect', request: { files: ['https://127.0.0.1:9/config.json'] } }, 'file.unreadable'],
    [{ id: 13, verb: 'inspect', request: { files: [join(folder, 'nothing.json')] } }, 'file.unreadable'],
    [{ id: 14, verb: 'inspect', request: {} }, 'wrong_type'],
    [{ id: 15, verb: 'solve', request: { request } }, undefined],
    [{ id: 16, verb: 'plan', request: { request } }, undefined],
  ];
  const answers = served([...wrong.map(([line]) => line), '', { id: 'last', verb: 'estimate', request }]);
  assert.equal(answers.length, wrong.length + 1);
  for (const [at, [line, code]] of wrong.entries()) {
    assert.ok(answers[at].error?.what, JSON.stringify(line));
    if (code) assert.equal(answers[at].error.code, code, JSON.stringify(line));
  }
  assert.match(answers[4].error.hint, /estimate/);
  assert.match(answers[7].error.hint, /llama-3-8b/);
  assert.equal(answers.at(-1).reply.fit.verdict, 'fits');
});

test('a line that is too long is told so, and the next one is answered', () => {
  const long = JSON.stringify({ id: 1, verb: 'reconcile', request: { text: 'x'.repeat(2 ** 25) } });
  const [first, second] = served([long, { id: 2, verb: 'estimate', request }]);
  assert.equal(first.error.code, 'line.too_long');
  assert.equal(second.reply.fit.verdict, 'fits');
});

test('what cannot be seen is escaped, and says the same', () => {
  const id = 'a\u202eb\u009bc';
  const run = plimsoll(['serve', '--stdio'], JSON.stringify({ id, verb: 'list', request: { kind: 'runtimes' } }));
  assert.doesNotMatch(run.stdout, /[\u202e\u009b]/);
  assert.equal(replies(run)[0].id, id);
});

test('a line is answered while the input stays open, however it comes', async () => {
  const child = spawn(process.execPath, [program, 'serve', '--stdio'], { env: bare });
  const answered = new Promise((done) => child.stdout.once('data', (data) => done(JSON.parse(data))));
  const line = Buffer.from(JSON.stringify({ id: '三', verb: 'list', request: { kind: 'runtimes' } }));
  child.stdin.write(line.subarray(0, 9)); // within a letter of three bytes
  setTimeout(() => child.stdin.write(Buffer.concat([line.subarray(9), Buffer.from('\r\n')])), 20);
  assert.equal((await answered).id, '三');
  const ended = new Promise((done) => child.once('exit', done));
  child.stdin.end();
  assert.equal(await ended, 0);
});

test('it is asked for by its option, and by nothing else', () => {
  assert.equal(plimsoll(['serve']).status, 2);
  assert.equal(plimsoll(['serve', '--stdio', 'file.json']).status, 2);
  assert.match(plimsoll(['serve', '--help']).stdout, /"verb": "estimate"/);
  assert.match(plimsoll(['--help']).stdout, /plimsoll serve --stdio[^]*plimsoll mcp/);
});

const python = spawnSync('python3', ['--version']).status === 0;

test('the example in Python asks and prints', { skip: !python && 'python3 is not here' }, () => {
  const example = join(root, 'docs', 'examples', 'serve.py');
  const run = spawnSync('python3', [example, process.execPath, program, 'serve', '--stdio'], { encoding: 'utf8', env: bare });
  assert.equal(run.status, 0, run.stderr);
  const total = printed(['estimate', '-'], request).total.process.bytes / 2 ** 30;
  assert.match(run.stdout, new RegExp(`^llama-3-8b: ${total.toFixed(2)} GiB, fits$`, 'm'));
  assert.match(run.stdout, /^longest context: [\d,]+ tokens$/m);
  assert.match(run.stdout, /^no-such-model: there is no model preset/m);
});
