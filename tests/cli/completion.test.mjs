// plimsoll completion: every command, option and value, and what bash makes of it. Other shells parse their script where
// they are installed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { completed } from '../../web/src/node/commands/completing.mjs';
import { plimsollEach } from './run.mjs';

const shells = ['bash', 'zsh', 'fish'];
const made = plimsollEach(shells.map((shell) => ['completion', shell]));
const scripts = Object.fromEntries(shells.map((shell, at) => [shell, made[at].stdout]));

/** What bash offers for the last of the words. */
function offered(...words) {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `${scripts.bash}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _plimsoll; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: import.meta.dirname });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter(Boolean);
}

test('bash completes commands, options, names, values and files', () => {
  assert.deepEqual(offered('plimsoll', 'est'), ['estimate']);
  assert.deepEqual(offered('plimsoll', 'estimate', '--fail'), ['--fail-if-too-large']);
  assert.ok(offered('plimsoll', 'estimate', '--model', 'qwen3-8').includes('qwen3-8b'));
  assert.ok(offered('plimsoll', 'estimate', '--model', 'run').includes('run.mjs'), 'a model may be a file');
  assert.deepEqual(offered('plimsoll', 'fit', '--precision', 'bf16-m'), ['bf16-mixed']);
  assert.deepEqual(offered('plimsoll', 'fit', '--layers', ''), []);
  assert.deepEqual(offered('plimsoll', 'list', 'mod'), ['models']);
  assert.deepEqual(offered('plimsoll', 'completion', 'z'), ['zsh']);
  assert.ok(offered('plimsoll', 'inspect', 'run').includes('run.mjs'));
});

test('each script has every command and every option', () => {
  for (const { name, options } of completed())
    for (const [shell, script] of Object.entries(scripts)) {
      assert.ok(script.includes(name), `${shell}: ${name}`);
      const written = shell === 'fish' ? `seen_subcommand_from ${name}' -l` : '--';
      for (const option of options) assert.ok(script.includes(`${written}${shell === 'fish' ? ' ' : ''}${option.name}`), `${shell}: ${option.name}`);
    }
});

for (const shell of shells) {
  const missing = spawnSync(shell, ['--version']).error !== undefined;
  test(`${shell} reads its script`, { skip: missing && `${shell} is not installed` }, () => {
    const { status, stderr } = spawnSync(shell, ['-n'], { input: scripts[shell], encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
}

test('another shell is wrong usage', () => {
  const [misspelt, none] = plimsollEach([['completion', 'bsh'], ['completion']]);
  assert.equal(misspelt.status, 2);
  assert.match(misspelt.stderr, /did you mean bash\?/);
  assert.equal(none.status, 2);
});
