// What README.md says is so: its explained row, its commands, what it knows, what it refuses, and how near it comes.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { engineFiles, root } from '../architecture/sources.mjs';
import { program, plimsoll } from '../cli/run.mjs';
import { filesOf, schemas } from '../presets/schema.mjs';
import { withNear } from '../score/published/near.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, text]) => text.trimEnd().split('\n'));
const words = (line) => line.trim().split(/\s+/);
const section = (title) => readme.slice(readme.indexOf(`\n## ${title}\n`)).split(/\n## /)[1];
const oneLine = (text) => text.replaceAll(/\s+/g, ' ');

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-readme-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a command of the README where the files lie that it names. */
function run([name, ...options]) {
  assert.equal(name, 'plimsoll');
  return spawnSync(process.execPath, [program, ...options], { cwd: folder, encoding: 'utf8' });
}

test('the explained row is what the command prints, line by line', () => {
  const [command, ...lines] = blocks.find(([first]) => first.startsWith('$ plimsoll'));
  const { status, stdout } = run(words(command.slice(2)));
  assert.equal(status, 0);
  const printed = stdout.split('\n');
  let at = 0;
  for (const line of lines.filter((text) => text !== '…')) {
    const found = printed.indexOf(line, at);
    assert.ok(found >= 0, `not printed, or not there: ${line}`);
    at = found + 1;
  }
});

test('the commands work', () => {
  mkdirSync(join(folder, 'Llama-3.1-8B'));
  const { config } = filesOf('models').find(({ preset }) => preset.id === 'llama-3.1-8b').preset;
  writeFileSync(join(folder, 'Llama-3.1-8B', 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'request.json'), JSON.stringify({ schema: 1, model: { preset: 'llama-3-8b' }, inference: { context: 8192 } }));
  writeFileSync(join(folder, 'vllm.log'), 'INFO 11-02 [gpu_worker.py:298] Available KV cache memory: 15.37 GiB');
  // A network, and gigabytes of weights, are not for a test.
  const commands = blocks.flat().filter((line) => line.startsWith('plimsoll ') && !/--hub|\.gguf/.test(line));
  assert.ok(commands.length >= 4);
  for (const command of commands) assert.equal(run(words(command)).status, 0, command);
});

test('methods and objectives are all that there are, and each is answered', () => {
  const training = schemas().find(({ name }) => name === 'request.json').schema.$defs.training.properties;
  const known = oneLine(section('What it knows'));
  for (const name of ['method', 'objective']) {
    const told = known.match(new RegExp(`\`--${name}\` ([\\w, -]+)[;.]`))[1].split(', ');
    assert.deepEqual(told, training[name].enum, name);
    for (const value of told) {
      const model = value === 'qlora' ? ['--weights', 'nf4-dq'] : [];
      const { status, stderr } = plimsoll([
        'estimate',
        '--model',
        'qwen3-0.6b',
        '--task',
        'training',
        '--sequence',
        '1k',
        `--${name}`,
        value,
        ...model,
      ]);
      assert.equal(status, 0, `${name} ${value}: ${stderr}`);
    }
  }
});

test('every runtime is named, and there are as many presets and types of models as it says', () => {
  const known = section('What it knows');
  for (const { preset } of filesOf('runtimes')) assert.ok(known.includes(preset.name.replace('Hugging Face ', '')), preset.name);
  assert.ok(filesOf('models').length > Number(known.match(/over (\d+) presets/)[1]));
  const types = engineFiles()
    .filter(({ path }) => path.startsWith('model/architectures/'))
    .flatMap(({ text }) => [...text.matchAll(/const Architecture \w+\{\s*\{([^}]*)\}/g)])
    .flatMap(([, list]) => [...list.matchAll(/"[^"]+"/g)]);
  assert.ok(types.length > Number(known.match(/over (\d+) types/)[1]), `${types.length} types`);
});

test('what it refuses is refused, at the field that it names', () => {
  const text = oneLine(section('What it refuses'));
  const [base, ...told] = [...text.matchAll(/`([^`]+)`(?:: `([\w.]+)`)?/g)];
  const refused = told.filter(([, , field]) => field);
  assert.ok(refused.length >= 5, `${refused.length} told`);
  for (const [, options, field] of refused) {
    const { status, stdout } = run([...words(base[1]), ...words(options), '--json']);
    assert.equal(status, 1, options);
    const { error } = JSON.parse(stdout);
    assert.equal(error.where, field, options);
    assert.ok(error.hint, `${options}: what to do instead`);
  }
});

test('an architecture that is not known is counted as a usual decoder, and says so', () => {
  const config = {
    architectures: ['NewForCausalLM'],
    hidden_size: 1024,
    num_hidden_layers: 8,
    num_attention_heads: 8,
    intermediate_size: 4096,
    vocab_size: 32000,
  };
  const request = { schema: 1, explain: 'none', model: { config }, inference: { context: 2048 } };
  const run = plimsoll(['estimate', '-', '--json'], JSON.stringify(request));
  assert.equal(run.status, 0, run.stderr);
  const reply = JSON.parse(run.stdout);
  assert.ok(reply.notes.some(({ code }) => code === 'generic_architecture'));
  assert.ok(reply.total.high - reply.total.low > 0.1 * reply.total.bytes, 'a wide band');
});

test("the hosted calculator's figures are those that it says", () => {
  const [inference, training] = section('What it knows').match(/[\d.]+ GB/g);
  const ask = (more) => {
    const { stdout } = plimsoll(
      ['estimate', '-', '--json'],
      JSON.stringify({ schema: 1, task: 'classic', model: { preset: 'llama-3-70b' }, weights: { encoding: 'bf16' }, ...more }),
    );
    return `${(JSON.parse(stdout).total.bytes / 2 ** 30).toFixed(2)} GB`;
  };
  assert.equal(ask({ inference: { context: 2048, sequences: 1 } }), inference);
  assert.equal(ask({ training: { sequence: 2048, micro_batch: 1 } }), training);
});

test('how near it comes is what ACCURACY.md says', () => {
  assert.equal(readme, withNear(readme, readFileSync(join(root, 'ACCURACY.md'), 'utf8')), './dev score --write');
});
