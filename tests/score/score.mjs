// ./dev score [FILE…] [--rows] [--json] [--write] [--check] [--calibrate] [--live]: holds the built command line against rows of truth.
// ./dev score FIXTURES.jsonl [--rows] [--write]: of logs with their figures and settings, what is read of them (logs/logs.mjs);
// --write makes tests/measured/logs.jsonl of those that state a model.
// ./dev score [FILE…] --against COMMAND [--timeout SECONDS] [--rows]: holds any other calculator against the vectors made of them (against.mjs).
//
// Without a file: every .jsonl under tests/measured/. A file `inference_models.json` beside a file of rows holds the configs that its
// rows name. --calibrate writes presets/bands from them, and then ACCURACY.md; --write writes ACCURACY.md and README.md's
// table of it alone, --check fails where either is not what would be written. --live asks llama.cpp itself.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { judged, layoutsSection } from './layouts/layouts.mjs';
import { accuracy } from './published/accuracy.mjs';
import { withNear } from './published/near.mjs';
import { calibration, staleBands, writeBands } from './calibration/bands.mjs';
import { load } from '../../web/src/node/engine.mjs';
import { reader, reconciler } from '../../web/src/node/logs.mjs';
import { heldAgainst, heldLines, isLogs, logLines, rowsFrom, scoreLogs, summed } from './logs/logs.mjs';
import { writeRows } from './logs/rows.mjs';
import { measuredFiles, score } from './run.mjs';
import { bandLines, reasonLines, rowLines, summaries, summaryLines } from './statistics.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = join(root, 'ACCURACY.md');
const readme = join(root, 'README.md');

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'boolean' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
    check: { type: 'boolean' },
    calibrate: { type: 'boolean' },
    live: { type: 'boolean' },
    against: { type: 'string' },
    timeout: { type: 'string', default: '60' },
  },
});

if (flags.live) {
  const { live } = await import('./live/live.mjs');
  process.exit(live());
}
const files = positionals.length ? positionals : measuredFiles();
if (files.length === 0) {
  console.error('score: no file given, and tests/measured/ holds no .jsonl');
  process.exit(2);
}
if (files.every(isLogs)) {
  const [read, reconcile] = [await reader(), await reconciler(load)];
  for (const file of files) {
    console.log(logLines(summed(scoreLogs(file, read)), flags.rows).join('\n'));
    console.log(heldLines(await heldAgainst(file, reconcile), flags.rows).join('\n'));
  }
  if (flags.write) writeRows(files.flatMap((file) => rowsFrom(file, read)));
  process.exit(0);
}
if (flags.against !== undefined) {
  const seconds = Number(flags.timeout);
  if (!(seconds > 0) || flags.against.trim() === '') {
    console.error('score: --against COMMAND --timeout SECONDS');
    process.exit(2);
  }
  const [{ report }, { vectorsOf }] = await Promise.all([import('./published/against.mjs'), import('./published/vectors.mjs')]);
  process.exit(await report(flags.against, vectorsOf(files), { seconds, rows: flags.rows }));
}
const bands = flags.calibrate || flags.write || flags.check ? await calibration(files) : undefined;
if (flags.calibrate) writeBands(bands.files);
const all = score(files);
const lines = summaries(all);

if (flags.write || flags.calibrate) {
  const text = accuracy(lines, all, bands.strata, layoutsSection(judged()));
  writeFileSync(page, text);
  writeFileSync(readme, withNear(readFileSync(readme, 'utf8'), text));
}

if (flags.check) {
  const stale = [
    ...staleBands(bands.files).map((name) => `presets/bands/${name} is stale: ./dev score --calibrate`),
    ...(readFileSync(page, 'utf8') === accuracy(lines, all, bands.strata, layoutsSection(judged()))
      ? []
      : ['ACCURACY.md is stale: ./dev score --write']),
  ];
  console.log(stale.join('\n') || 'presets/bands and ACCURACY.md say what is');
  process.exitCode = stale.length ? 1 : 0;
} else if (flags.calibrate) {
  console.log(`${bandLines(bands.strata).join('\n')}\n\ntests/golden has bands, too: UPDATE_GOLDENS=1 node --test tests/golden/*.test.mjs`);
} else if (flags.json) {
  console.log(JSON.stringify({ summaries: lines, ...(flags.rows && { rows: all }) }));
} else {
  if (flags.rows) console.log(`${rowLines(all).join('\n')}\n`);
  console.log(summaryLines(lines).join('\n'));
  console.log(`\n${reasonLines(all).join('\n')}`);
}
