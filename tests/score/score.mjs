// ./dev score [FILE…] [--rows] [--json] [--write]: holds the built command line against rows of truth; --write writes ACCURACY.md.
//
// Without a file: every .jsonl under tests/measured/. A file `inference_models.json` beside a file of rows holds the configs that its rows name.

import { readFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { parsedPython } from '../../web/src/node/json.mjs';
import { accuracy } from './accuracy.mjs';
import { ask } from './ask.mjs';
import { kinds, nameOf } from './mapping.mjs';
import { summaries, summaryLines, rowLines, reasonLines } from './statistics.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const measured = join(here, '..', 'measured');

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { rows: { type: 'boolean' }, json: { type: 'boolean' }, write: { type: 'boolean' } } });

function defaultFiles() {
  const found = existsSync(measured)
    ? readdirSync(measured, { recursive: true })
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
    : [];
  return found.map((name) => join(measured, name));
}

/** What a row's `config` key names: the object beside the file, and nothing where there is none. */
function configsBeside(file) {
  const path = join(dirname(resolve(file)), 'inference_models.json');
  const configs = existsSync(path) ? parsedPython(readFileSync(path, 'utf8')) : {};
  return (key) => (typeof key === 'string' && Object.hasOwn(configs, key) ? configs[key] : undefined);
}

/** Configs of llama.cpp's rows. */
function modelsBeside(file) {
  const path = join(dirname(resolve(file)), 'gguf_models.json');
  let models;
  return () => (models ??= existsSync(path) ? parsedPython(readFileSync(path, 'utf8')) : {});
}

function casesOf(file) {
  const beside = configsBeside(file);
  const models = modelsBeside(file);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const row = parsedPython(line);
    const kind = row && kinds.find(({ holds }) => holds(row));
    if (!kind) throw new Error(`${basename(file)}: a row of no known kind: ${line.slice(0, 120)}`);
    return { kind: kind.kind, name: nameOf(row), ...kind.case(row, beside, models) };
  });
}

/** A case with its replies becomes one result per figure compared, or one with the reason why there is none. */
function results({ kind, engine, name, reason, compare }, replies) {
  if (reason) return [{ kind, engine, name, reason }];
  const refused = replies.find((reply) => reply.error)?.error;
  if (refused) return [{ kind, engine, name, reason: `${refused.code} ${refused.where}: ${refused.what}` }];
  return compare(...replies).map((figure) =>
    figure.answer === undefined ? { kind, engine, name, reason: `the reply has no ${figure.metric}` } : { kind, engine, name, ...figure },
  );
}

const files = positionals.length ? positionals : defaultFiles();
if (files.length === 0) {
  console.error('score: no file given, and tests/measured/ holds no .jsonl');
  process.exit(2);
}
const cases = files.flatMap(casesOf);
const replies = ask(cases.flatMap(({ requests }) => requests ?? []));
const all = cases.flatMap((one) => results(one, replies.splice(0, one.requests?.length ?? 0)));

if (flags.write) writeFileSync(join(here, '..', '..', 'ACCURACY.md'), accuracy(summaries(all), all));

if (flags.json) {
  console.log(JSON.stringify({ summaries: summaries(all), ...(flags.rows && { rows: all }) }));
} else {
  if (flags.rows) console.log(`${rowLines(all).join('\n')}\n`);
  console.log(summaryLines(summaries(all)).join('\n'));
  console.log(`\n${reasonLines(all).join('\n')}`);
}
