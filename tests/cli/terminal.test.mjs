// In a terminal of its own: colours, as many columns as there are, and questions where no command is given.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { bare, program } from './run.mjs';

/** What a terminal of so many columns shows; `script` (bsdutils) makes one. */
function shown(words, { columns = 60, input = '', env = {} } = {}) {
  const command = `stty cols ${columns}; exec '${process.execPath}' '${program}' ${words.map((word) => `'${word}'`).join(' ')}`;
  const all = { ...bare, TERM: 'xterm', NO_COLOR: '', ...env };
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', input, env: all });
  return { status, text: stdout.replaceAll('\r', '') };
}

const escape = String.fromCharCode(27);
const withoutColours = (text) => text.replaceAll(new RegExp(`${escape}\\[[0-9;]*m`, 'g'), '');
const estimate = ['estimate', '--model', 'llama-3.2-1b', '--device', 'rtx-4090', '--context', '8k'];

test('a terminal shows colours, and no line of a table is wider than it', () => {
  const { status, text } = shown(estimate, { columns: 50 });
  assert.equal(status, 0, text);
  assert.ok(text.includes(`${escape}[32mfits${escape}[0m`), text);
  const lines = withoutColours(text).split('\n');
  const table = lines.slice(lines.findIndex((line) => /^[█▒▓░]/.test(line)));
  assert.ok(table.length > 10);
  for (const line of table) assert.ok(line.length <= 50, line);
});

test('NO_COLOR takes the colours away', () => {
  assert.ok(!shown(estimate, { env: { NO_COLOR: '1' } }).text.includes(escape));
});

test('without a command, three answers make one', () => {
  const { status, text } = shown([], { columns: 100, input: 'qwen3 8b\n4090\n16k\n' });
  assert.equal(status, 0, text);
  assert.match(text, /plimsoll estimate --model qwen3-8b --device rtx-4090 --context 16k/);
  assert.match(withoutColours(text), /Qwen3 8B · Qwen3ForCausalLM/);
});
