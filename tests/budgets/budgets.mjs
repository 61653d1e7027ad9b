// Bytes shipped, compressed as a server would (brotli, quality 11), against what they may be. Over budget is a failure.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { firstView } from './first_view.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kilobyte = 1000;
const site = join(root, 'web', 'dist');

const budgets = [
  { what: 'engine', kilobytes: 110, files: [join(root, 'build', 'wasm', 'plimsoll.wasm')] },
  { what: 'glue', kilobytes: 12, files: [join(root, 'build', 'wasm', 'plimsoll.mjs')] },
  { what: 'whole engine', kilobytes: 390, files: [join(root, 'build', 'wasm', 'plimsoll-whole.wasm')] },
  { what: 'reader of logs', kilobytes: 80, files: ['wasm', 'mjs'].map((kind) => join(root, 'build', 'wasm', `plimsoll-logs.${kind}`)) },
  { what: "page's first view", kilobytes: 220, files: await firstView(site) },
  { what: "tags' loader", kilobytes: 8, files: [join(site, 'plimsoll-calculator.js')] },
  { what: 'measured cases', kilobytes: 290, files: [join(site, 'accuracy.html')] },
];

function compressed(file) {
  return brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

for (const { what, kilobytes, files } of budgets) {
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`not built: ${missing.join(', ')}`);
  const sizes = files.map((file) => [compressed(file), file]).sort(([a], [b]) => b - a);
  const total = sizes.reduce((sum, [size]) => sum + size, 0);
  const over = total > kilobytes * kilobyte;
  const used = (total / kilobyte).toFixed(1).padStart(7);
  console.log(`budget ${what.padEnd(18)} ${used} of ${String(kilobytes).padStart(3)} kB brotli${over ? '   OVER' : ''}`);
  if (files.length > 1) for (const [size, file] of sizes) console.log(`  ${String(size).padStart(8)} B  ${relative(site, file)}`);
  if (over) process.exitCode = 1;
}
