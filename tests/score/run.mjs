// Rows of truth and the command line's answers to them, as results that statistics and ACCURACY.md are made of.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parsedPython } from '../../web/src/node/output/json.mjs';
import { ask } from './ask.mjs';
import { kinds, nameOf } from './rows/mapping.mjs';
import { intervals } from './rows/rounding.mjs';

const measured = join(dirname(fileURLToPath(import.meta.url)), '..', 'measured');

/** All rows of the repository. */
export function measuredFiles() {
  const found = existsSync(measured) ? readdirSync(measured, { recursive: true }) : [];
  return found
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(measured, name));
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

/** The cases of one file: what is asked for a row, and how the replies are compared with it. */
export function casesOf(file) {
  const beside = configsBeside(file);
  const models = modelsBeside(file);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const row = parsedPython(line);
    const kind = row && kinds.find(({ holds }) => holds(row));
    if (!kind) throw new Error(`${basename(file)}: a row of no known kind: ${line.slice(0, 120)}`);
    return { file: basename(file), kind: kind.kind, name: nameOf(row), row, unexplained: row.unexplained, ...kind.case(row, beside, models) };
  });
}

/** A case with its replies becomes one result per figure compared, or one with the reason why there is none. */
function results({ kind, engine, name, row, reason, unexplained, assumed, compare }, replies, between) {
  const about = { kind, engine, name, ...(unexplained && { unexplained }), ...(assumed && { assumed }) };
  if (reason) return [{ ...about, reason }];
  const refused = replies.find((reply) => reply.error)?.error;
  if (refused) return [{ ...about, reason: `${refused.code} ${refused.where}: ${refused.what}` }];
  return compare(...replies).map((figure) =>
    figure.answer === undefined ? { ...about, reason: `the reply has no ${figure.metric}` } : { ...about, ...figure, between: between(row, figure) },
  );
}

/** @param {object[]} cases @returns {object[][]} for each case one result for each figure compared, or one with the reason why there is none */
export function scored(cases) {
  const replies = ask(cases.flatMap(({ requests }) => requests ?? []));
  const between = intervals(cases.map(({ row }) => row));
  return cases.map((one) => results(one, replies.splice(0, one.requests?.length ?? 0), between));
}

/** @param {string[]} files @returns {object[]} the results of all their cases */
export const score = (files) => scored(files.flatMap(casesOf)).flat();
