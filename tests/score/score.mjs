// ./dev score [FILE…] [--rows] [--json] [--write] [--check] [--live]: holds the built command line against rows of truth.
//
// Without a file: every .jsonl under tests/measured/. A file `inference_models.json` beside a file of rows holds the configs that its
// rows name. --write writes ACCURACY.md, --check fails where it is not what would be written. --live asks llama.cpp itself.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { accuracy } from './accuracy.mjs';
import { measuredFiles, score } from './run.mjs';
import { reasonLines, rowLines, summaries, summaryLines } from './statistics.mjs';

const page = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'ACCURACY.md');

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'boolean' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    check: { type: 'boolean' },
    live: { type: 'boolean' },
  },
});

if (flags.live) {
  const { live } = await import('./live.mjs');
  process.exit(live());
}
const files = positionals.length ? positionals : measuredFiles();
if (files.length === 0) {
  console.error('score: no file given, and tests/measured/ holds no .jsonl');
  process.exit(2);
}
const all = score(files);
const lines = summaries(all);

if (flags.write) writeFileSync(page, accuracy(lines, all));

if (flags.check) {
  const stale = readFileSync(page, 'utf8') !== accuracy(lines, all);
  console.log(stale ? 'ACCURACY.md is stale: ./dev score --write' : 'ACCURACY.md says what is');
  process.exitCode = stale ? 1 : 0;
} else if (flags.json) {
  console.log(JSON.stringify({ summaries: lines, ...(flags.rows && { rows: all }) }));
} else {
  if (flags.rows) console.log(`${rowLines(all).join('\n')}\n`);
  console.log(summaryLines(lines).join('\n'));
  console.log(`\n${reasonLines(all).join('\n')}`);
}
