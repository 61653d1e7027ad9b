// ./dev score --live: asks the llama.cpp of today, through the npm package that carries its CPU library, what it takes for small models
// of its architectures, and holds our answers against it. The files have true metadata and shapes, and zeros for weights. Nothing of
// this is needed by a test: the packages are fetched when this is asked for.

import { spawnSync } from 'node:child_process';
import { existsSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { columns } from '../../../web/src/node/output/table.mjs';
import { gguf } from '../../files/gguf.mjs';
import { buffer, bytes, onHostAndDevice } from '../rows/llama_cpp.mjs';
import { error } from '../statistics.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const folder = join(root, 'build', 'llama');
const program = join(root, 'web', 'bin', 'plimsoll.mjs');
const packages = ['@node-llama-cpp/linux-x64', 'koffi'];
const MiB = 2 ** 20;
const context = 8192;
const microBatch = 512;

/** As the library's own defaults are: windows are not shortened, and one token of a sequence has logits. */
const settings = { backend: 'cpu', context, batch_tokens: microBatch, logits: 'last', swa_full: true, offload: { gpu_layers: 0 } };

function install() {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const run = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages.map((name) => `${name}@latest`)], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`npm install ${packages.join(' ')}: ${run.stderr}`);
  return JSON.parse(readFileSync(join(folder, 'node_modules', packages[0], 'package.json'), 'utf8')).version;
}

/** A table of tests/measured/gguf_tables.jsonl as a file: F16 matrices, F32 vectors, zeros that take no room on the disk. */
function written(path, { architecture, metadata, tensors }, asked) {
  const keys = Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`${architecture}.${key}`, value]));
  const entries = tensors.flatMap(({ name, dims, blocks = ['*'] }) =>
    blocks.map((block) => [name.replace('*', block), [dims, dims.length === 1 ? 'F32' : 'F16']]),
  );
  const made = gguf({ 'general.architecture': architecture, 'tokenizer.ggml.model': 'none', ...keys, ...asked }, Object.fromEntries(entries));
  const file = openSync(path, 'w');
  writeSync(file, made.head);
  ftruncateSync(file, made.size);
  closeSync(file);
}

const printed = (log, pattern) => [...log.matchAll(pattern)].reduce((sum, [, size]) => sum + Number(size) * MiB, 0);

/** A busy machine sometimes loses the log's last lines; it is asked again then. */
const logEnds = /compute buffer size = +[\d.]+ MiB/;
const missing = /key not found in model: (\S+)/;
const mistyped = /key (\S+) has wrong type \w+ but expected type (\w+)/;

/** Values that are written in a type: sections of rotation are four. */
const values = { f32: 0.5, i32: Int32Array.of(4, 2, 2, 0) };

/** The tables leave out what decides on no shape; llama.cpp asks for such a key when it misses it, or for its type. */
function loaded(path, table) {
  const asked = {};
  for (let attempts = 5; ;) {
    written(path, table, asked);
    const run = spawnSync(process.execPath, [join(here, 'live_ask.mjs'), folder, path, String(context), String(microBatch)], { encoding: 'utf8' });
    const [, key] = missing.exec(run.stderr) ?? [];
    const [, other, type] = mistyped.exec(run.stderr) ?? [];
    if (key && !(key in asked)) asked[key] = /epsilon/.test(key) ? 1e-5 : 1;
    else if (other && asked[other] !== values[type]) asked[other] = values[type] ?? 1;
    else if (run.status !== 0 || logEnds.test(run.stderr) || --attempts === 0) return run;
  }
}

/** What llama.cpp says of a file that it is written to, in bytes; its last words where it does not load it. */
function said(path, table) {
  const run = loaded(path, table);
  if (run.status !== 0)
    return {
      reason:
        run.stderr
          .trim()
          .split('\n')
          .reverse()
          .find((text) => /error/.test(text)) ?? 'does not load',
    };
  return {
    weights: Number(run.stdout.trim().split('\n').at(-1)),
    cache: printed(run.stderr, /KV buffer size = +([\d.]+) MiB/g),
    state: printed(run.stderr, /RS buffer size = +([\d.]+) MiB/g),
    compute: printed(run.stderr, /compute buffer size = +([\d.]+) MiB/g),
    logits: printed(run.stderr, /output buffer size = +([\d.]+) MiB/g),
  };
}

/** What we say of the same file. */
function ours(path) {
  const request = { schema: 1, task: 'inference', explain: 'rows', inference: { ...settings, runtime: 'llama.cpp' } };
  const run = spawnSync(process.execPath, [program, 'estimate', '-', '--model', path, '--json'], {
    encoding: 'utf8',
    input: JSON.stringify(request),
  });
  const reply = JSON.parse(run.stdout || '{"error":{"what":"no answer"}}');
  if (reply.error) return { reason: reply.error.what };
  const of = (id, child) => bytes(...onHostAndDevice(reply).map((rows) => buffer(rows, id, child)));
  return {
    weights:
      of('weights', 'model_buffer') -
      bytes(...onHostAndDevice(reply).map((rows) => rows.find(({ id }) => id === 'weights')?.rows?.[0]?.rows?.find(({ id }) => id === 'alignment'))),
    cache: of('kv_cache', 'kv_buffer'),
    state: of('state', 'rs_buffer'),
    compute: of('activations', 'compute_buffer'),
    logits: of('logits', 'output_buffer'),
  };
}

/** One line of the table: for each figure what llama.cpp says, and by how much we are off where that is more than its last digit. */
function line(architecture, theirs, own) {
  const reason = theirs.reason ?? own.reason;
  if (reason) return [architecture, reason];
  return [
    architecture,
    ...Object.entries(theirs).map(([figure, truth]) => {
      const answer = own[figure];
      if (Math.abs(answer - truth) <= 0.005 * MiB) return '=';
      return `${answer > truth ? '+' : '−'}${(100 * error({ truth, answer })).toFixed(1)} %`;
    }),
  ];
}

/** @returns {number} exit status: 1 where something drifted */
export function live() {
  const version = install();
  const tables = readFileSync(join(here, '..', 'measured', 'gguf_tables.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));
  const temporary = mkdtempSync(join(tmpdir(), 'plimsoll-live-'));
  try {
    const rows = tables.map((table, number) => {
      const path = join(temporary, `${table.architecture}-${number}.gguf`);
      return line(table.architecture, said(path, table), ours(path));
    });
    console.log(`llama.cpp of ${packages[0]} ${version}, ${context} tokens; = is no byte more than its log's last digit\n`);
    console.log(
      columns(
        [['architecture', 'weights', 'cache', 'state', 'compute', 'logits'], ...rows],
        ['left', 'right', 'right', 'right', 'right', 'right'],
      ).join('\n'),
    );
    const drifted = rows.filter((row) => row.slice(1).some((cell) => cell !== '='));
    console.log(`\n${rows.length - drifted.length} of ${rows.length} as llama.cpp says`);
    return drifted.length ? 1 : 0;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
