// What the site shows of how near we are: every case of tests/measured with its figures, and of those that mean a whole answer what leads from
// an answer to the nearest of them. `node tests/score/published/evidence.mjs` writes both under build/evidence; the page's build has them from there.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { explainedOf } from '../logs/explained.mjs';
import { aboutOf } from '../rows/about.mjs';
import { casesOf, measuredFiles, scored } from '../run.mjs';
import { sourceOf } from '../calibration/residuals.mjs';
import { chosen, kindOf, nameOf } from './vectors.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'build', 'evidence');

const slug = (text) => text.replace(/[^a-z]+/gi, '_').toLowerCase();

/** A figure's name as texts of the page have it: the counter, where it is a total's; else what it is. */
const metricOf = ({ metric, of, part, unstated }) => (unstated ? 'unstated' : of && !part ? of : slug(metric));

/** What ran, or how it was trained; several devices have errors of their own. */
function subjectOf({ engine, requests }) {
  const { task, training, inference, devices } = requests[0];
  const many = devices > 1 && { many: true };
  if (task === 'training') return { of: training.method ?? 'full', ...many };
  // programs that run llama.cpp are asked as it, and told apart
  return { of: ['Ollama', 'LM Studio', 'ik_llama.cpp'].includes(engine) ? engine : (inference.runtime ?? 'transformers'), ...many };
}

const subjectless = ['parameters', 'files', 'saved'];

/** Texts by their numbers: the same sources and reasons stand at thousands of cases. */
class Texts {
  list = [];
  #at = new Map();

  number(text) {
    if (text === undefined) return -1;
    if (!this.#at.has(text)) this.#at.set(text, this.list.push(text) - 1);
    return this.#at.get(text);
  }
}

const exactly = ({ truth, answer, low, high, between: [from, to] }) =>
  truth === answer && (low ?? answer) === answer && (high ?? answer) === answer && from === truth && to === truth;

/** Case, metric, unit, what was said, what we say, from, to, low, high; what is exact in every way ends after what was said. */
function figureEntry(at, texts, figure) {
  const { truth, answer, low, high, unit = 'bytes', between } = figure;
  const head = [at, texts.number(metricOf(figure)), texts.number(unit), truth];
  return exactly(figure) ? head : [...head, Math.round(answer * 1000) / 1000, ...between, ...(low === undefined ? [] : [low, high])];
}

function entryOf(one, kind, about, texts, vector) {
  const { source, model, family } = about;
  const said = [source.title, source.url, source.version, source.date, source.device, source.quoted];
  const why = [one.unexplained, one.assumed, one.row.open];
  const { of, many } = subjectless.includes(kind) ? {} : subjectOf(one);
  const name = one.row.id ?? one.row.name ?? [one.row.quant, one.row.backend].filter(Boolean).join(', ');
  return [kind, of, many ? 'many' : undefined, family, model, name, ...said, ...why, vector].map((text) => texts.number(text));
}

/** Why rows have no figure, and how many of each. */
function reasonsOf(results) {
  const counted = new Map();
  for (const { kind, reason } of results.flat()) if (reason) counted.set(`${kind}: ${reason}`, (counted.get(`${kind}: ${reason}`) ?? 0) + 1);
  return [...counted].sort((a, b) => b[1] - a[1]);
}

function boardOf(cases, results) {
  const vectors = new Set(chosen(cases));
  const texts = new Texts();
  const board = { cases: [], figures: [], reasons: reasonsOf(results), explained: explainedOf(results.flat()) };
  cases.forEach((one, i) => {
    const figures = results[i].filter(({ reason }) => reason === undefined);
    if (figures.length === 0) return;
    const about = aboutOf(one);
    const vector =
      vectors.has(one) && figures.some((figure) => figure.at && figure.truth > 0 && !figure.unstated) ? nameOf(one, about.model) : undefined;
    const at = board.cases.push(entryOf(one, kindOf(one), about, texts, vector)) - 1;
    board.figures.push(...figures.map((figure) => figureEntry(at, texts, figure)));
  });
  return { texts: texts.list, ...board };
}

/** Of llama.cpp's buffers those of one place add up to what it takes there. */
function wholeOf(figures, host) {
  const own = figures.filter(({ metric }) => metric.includes(host ? 'host' : 'device'));
  const parts = new Set(own.map(({ metric }) => metric.split(',')[0]));
  const sum = (part) => own.reduce((all, figure) => all + (figure[part] ?? figure.answer), 0);
  const whole = ['model', 'context', 'compute'].every((part) => parts.has(part)) && sum('truth') > 0;
  return whole
    ? [{ of: 'allocated', truth: sum('truth'), answer: sum('answer'), low: sum('low'), high: sum('high'), between: [sum('truth'), sum('truth')] }]
    : [];
}

/** What of a case means as much as an answer's total does. */
function totalsOf({ kind, row }, figures) {
  if (kind === 'buffers') return wholeOf(figures, row.backend === 'cpu');
  return figures.filter(({ of, part, truth, answer }) => of && !part && truth > 0 && answer > 0);
}

/** Cases to compare an answer with: task, what ran, family, model, name, source, address, counter, said, ours, low, high, from, to. */
function nearestOf(cases, results) {
  const texts = new Texts();
  const entries = cases.flatMap((one, i) => {
    if (!one.requests) return [];
    const totals = totalsOf(
      one,
      results[i].filter(({ reason }) => reason === undefined),
    );
    if (totals.length === 0) return [];
    const { model, family, source } = aboutOf(one);
    const { of, many } = subjectOf(one);
    const name = one.row.id ?? [one.row.quant, one.row.backend].filter(Boolean).join(', ');
    const words = [one.requests[0].task, of, many ? 'many' : undefined, family, model, name, sourceOf({ source: source.title }), source.url];
    return totals.map(({ of: counter, unstated, truth, answer, low, high, between }) => [
      ...[...words, unstated ? 'unstated' : counter].map((text) => texts.number(text)),
      ...[truth, answer, low ?? answer, high ?? answer, ...between].map(Math.round),
    ]);
  });
  return { texts: texts.list, entries };
}

/** @param {string[]} files of rows @returns {{board: object, nearest: object}} */
export function evidence(files) {
  const cases = files.flatMap(casesOf);
  const results = scored(cases);
  return { board: boardOf(cases, results), nearest: nearestOf(cases, results) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(evidence(measuredFiles()))) writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
}
