// Times the reader of GGUF headers on a vocabulary of 150,000 tokens: beside the plainest walk that finds the same
// places, and beside the two readers that npm has. Those are fetched when the bench runs, for one of them is large.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { inspectFiles } from '../../web/src/files/door.mjs';
import { inspect } from '../../web/src/files/reading.mjs';
import { sourcesOf } from '../../web/src/node/sources.mjs';
import { gguf, metadata, tensors } from '../files/gguf.mjs';
import { best, bestAsync } from './best.mjs';

const readers = { '@huggingface/gguf': '0.4.6', 'node-llama-cpp': '3.22.1' };
const place = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build', 'bench');

/** The header of a model of 36 blocks, its tokens and merges as long as those of Qwen's on average. */
function header(tokens = 150_000) {
  const word = (i) => `Ġ${(i * 2654435761) % 2 ** 32}`.slice(0, 3 + (i % 6));
  const all = Array.from({ length: tokens }, (_, i) => word(i));
  return gguf(
    metadata({
      'llama.block_count': 36,
      'tokenizer.ggml.tokens': all,
      'tokenizer.ggml.scores': all.map((_, i) => -i - 0.5),
      'tokenizer.ggml.token_type': all.map(() => 1),
      'tokenizer.ggml.merges': all.slice(0, 100_000).map((token, i) => `${token} ${all[i + 1]}`),
      'tokenizer.chat_template': '{{ messages }}'.repeat(300),
    }),
    tensors(36),
  );
}

/** Bytes of a value by its kind; texts and lists carry their lengths. */
const sizes = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];

/** Steps over every key and tensor and keeps nothing: what any reader has to do at the least. */
function bareWalk(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 8;
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const u64 = () => u32() + u32() * 2 ** 32;
  const text = () => {
    const length = u64(); // moves `at` before it is read
    at += length;
  };
  const tensorCount = u64();
  for (let keys = u64(); keys > 0; keys--) {
    text();
    const kind = u32();
    if (kind === 8) text();
    else if (kind === 9) {
      const of = u32();
      const length = u64();
      if (of === 8) for (let i = 0; i < length; i++) text();
      else at += length * sizes[of];
    } else at += sizes[kind];
  }
  for (let i = 0; i < tensorCount; i++) {
    text();
    const sides = u32();
    at += 8 * sides + 12;
  }
  return at;
}

/** npm's readers, or why they are not there. */
function installed() {
  const names = Object.entries(readers).map(([name, version]) => `${name}@${version}`);
  const require = createRequire(join(place, 'package.json'));
  const all = () =>
    Object.entries(readers).every(([name, version]) => require(join(place, 'node_modules', name, 'package.json')).version === version);
  try {
    if (all()) return undefined;
  } catch {
    // not there yet
  }
  mkdirSync(place, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--fetch-retries=0'];
  const { status } = spawnSync('npm', ['install', '--prefix', place, ...flags, ...names], { stdio: 'ignore', timeout: 120_000 });
  return status === 0 ? undefined : `npm could not fetch ${names.join(' and ')}`;
}

/** A function by its name out of a package that only the bench has. */
async function entry(name, exported) {
  const { exports, main } = createRequire(join(place, 'package.json'))(join(place, 'node_modules', name, 'package.json'));
  const target = exports?.['.'] ?? main;
  const path = typeof target === 'string' ? target : (target.node?.import ?? target.import ?? target.default);
  return (await import(pathToFileURL(join(place, 'node_modules', name, path)).href))[exported];
}

/** The peers, each a function from a path to the number of tensors that it found. */
async function peers() {
  const theirs = await entry('@huggingface/gguf', 'gguf');
  const llama = await entry('node-llama-cpp', 'readGgufFileInfo');
  return {
    '@huggingface/gguf': async (path) => (await theirs(path, { allowLocalFile: true })).tensorInfos.length,
    'node-llama-cpp': async (path) => (await llama(path, { sourceType: 'filesystem', logWarnings: false })).fullTensorInfo.length,
  };
}

/** Rows of the bench, and a line where npm's readers could not be had. @param {import('../../web/src/files/door.mjs').Door} door */
export async function ofGguf(door) {
  const { head, size } = header();
  const { length } = Object.keys(tensors(36));
  const held = [{ name: 'model.gguf', size, bytes: head }];
  const checked = (reply) => {
    if (reply.checkpoint?.count !== length) throw new Error(`the header was not read whole: ${JSON.stringify(reply.error)}`);
  };
  checked(inspectFiles(door, held));
  if (bareWalk(head) !== head.length) throw new Error('the walk lost its way');
  const what = `GGUF header, 150,000 tokens, ${(head.length / 1e6).toFixed(1)} MB`;
  const rows = [
    {
      name: what,
      ours: best(() => inspectFiles(door, held)),
      beside: 'a bare walk over the bytes',
      theirs: best(() => bareWalk(head)),
      goal: '≤ 3 ×',
    },
  ];
  const missing = installed();
  if (missing) return { rows, line: `npm's readers of GGUF: not timed: ${missing}` };
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  try {
    const path = join(folder, 'model.gguf');
    writeFileSync(path, head);
    truncateSync(path, size); // the tensors: a hole in the file
    const sources = await sourcesOf([path]);
    const ours = await bestAsync(async () => checked(await inspect(door, sources)));
    for (const [name, read] of Object.entries(await peers())) {
      if ((await read(path)) !== length) throw new Error(`${name} found other tensors`);
      rows.push({ name: `the same, from a file`, ours, beside: name, theirs: await bestAsync(() => read(path), 3), goal: '' });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { rows };
}
