// node tests/score/speed/calibrate.mjs [--check]: presets/speeds and docs/speed.md, made of tests/score/speed/printed.jsonl alone.
// A group is a runtime on a class of devices. It is written where speeds of sources that it was not made from are foretold
// within twice the goal (a fifth at the median, three fifths for nine of ten); elsewhere a reply tells the roof alone.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { presetOf } from '../rows/names.mjs';
import { classOf } from './classes.mjs';
import { fitPrefill, fitToken, foretold, partsOf, weighed } from './fit.mjs';
import { atPeaks } from './peaks.mjs';
import { speedCase } from './rows.mjs';
import { bandOf, off, quantile, rounded } from './statistics.mjs';
import { frameworks, trainingCases, trainingGroups } from './training.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const runtimes = ['llama.cpp', 'vllm', 'sglang', 'tensorrt-llm', 'transformers', 'mlx'];
const goal = { median: 0.2, ninth: 0.6 };
const fewest = 10; // printed speeds of a group

export const speedRows = () =>
  readFileSync(join(root, 'tests/score/speed/printed.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

export const trainingRows = () => speedRows().filter(({ kind }) => kind === 'training');

/** Every row that can be asked, with the parts of its pass; what does not fit its device was not run there as a whole. */
export function speedCases(rows = speedRows()) {
  const cases = rows.filter(({ kind }) => kind !== 'training').map((row) => ({ row, ...speedCase(row) }));
  const asked = cases.filter(({ request, several }) => request && !several);
  for (const one of asked) one.class = classOf(presetOf('devices', one.device));
  const replies = atPeaks(
    runtimes,
    asked.map(({ request }) => request),
    [...new Set(asked.map((one) => one.class))],
  );
  return asked.flatMap((one, at) => {
    const { time, fit } = replies[at];
    const pass = time?.[one.phase];
    if (!pass || !['fits', 'tight', 'waits'].includes(fit?.verdict)) return [];
    return [{ ...one, model: one.request.model.preset, parts: partsOf(pass) }];
  });
}

const ratio = ({ parts, truth }, shares) => truth / foretold(parts, shares);
/** Each row foretold from the others' sources, or, of one source, from its other models. */
function leftOut(cases, fit) {
  const bySource = leftOutBy('source', cases, fit);
  return bySource.length >= cases.length / 2 ? bySource : leftOutBy('model', cases, fit);
}

function leftOutBy(key, cases, fit) {
  return [...new Set(cases.map((one) => one[key]))].flatMap((left) => {
    const rest = cases.filter((one) => one[key] !== left);
    if (rest.length < fewest / 2) return [];
    const shares = fit(weighed(rest));
    return cases.filter((one) => one[key] === left).map((one) => ({ ratio: ratio(one, shares), source: one.source }));
  });
}

/** Where one source alone speaks, a band is no narrower than that of the groups in which several do. */
function widened(all) {
  const several = all.filter(({ entry, token }) => entry && token.sources > 1).flatMap(({ token }) => token.ratios);
  const least = bandOf(several);
  const widen = ({ low, high }) => ({
    low: Math.min(low, least.low),
    high: Math.max(high, least.high),
  });
  for (const { entry, token, prefill } of all) {
    if (entry && token.sources === 1) entry.token = widen(entry.token);
    if (entry?.prefill && prefill.sources === 1) entry.prefill = widen(entry.prefill);
  }
  return all;
}

function judged(cases, fit) {
  const list = leftOut(cases, fit);
  const errors = list.map((one) => off(one.ratio));
  const sources = new Set(list.map(({ source }) => source)).size;
  if (errors.length === 0) return undefined;
  const ratios = list.map((one) => one.ratio);
  return {
    figures: cases.length,
    sources,
    ratios,
    median: quantile(errors, 0.5),
    ninth: quantile(errors, 0.9),
    band: bandOf(ratios),
  };
}

/** @returns {{runtime: string, devices: string, token?: object, prefill?: object, entry?: object}[]} */
export function groups(cases = speedCases()) {
  const names = [...new Set(cases.map((one) => `${one.runtime} ${one.class}`))].sort();
  const all = names.map((name) => {
    const [runtime, devices] = name.split(' ');
    const own = cases.filter((one) => one.runtime === runtime && one.class === devices);
    const tokens = own.filter(({ phase, batch }) => phase === 'token' && batch === 1);
    const prefills = own.filter(({ phase, parts }) => phase === 'prefill' && parts.compute > 0);
    const group = { runtime, devices };
    if (tokens.length < fewest) return { ...group, figures: own.length };
    const shares = fitToken(weighed(tokens), 1);
    group.token = judged(tokens, (rest) => fitToken(rest, 1));
    if (!group.token || group.token.median > goal.median || group.token.ninth > goal.ninth) return group;
    const products = prefills.length >= fewest ? fitPrefill(weighed(prefills), shares) : undefined;
    const withProducts = (rest) => ({
      ...shares,
      products: fitPrefill(rest, shares),
    });
    group.prefill = products && judged(prefills, withProducts);
    const told = group.prefill && group.prefill.median <= 0.5 && group.prefill.ninth <= 1.2;
    group.entry = {
      devices,
      memory: rounded(shares.memory),
      launch_seconds: rounded(shares.launch_seconds),
      figures: tokens.length,
      sources: group.token.sources,
      token: group.token.band,
      ...(told && {
        products: rounded(products),
        packed: rounded(products),
        prefill: group.prefill.band,
      }),
    };
    return group;
  });
  return widened(all);
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;

const line = ({ runtime, devices, token, prefill, entry }) =>
  `| ${runtime} | ${devices} | ${token?.figures ?? ''} | ${token?.sources ?? ''} | ${token ? percent(token.median) : ''} | ${token ? percent(token.ninth) : ''} | ${
    entry?.prefill ? `${prefill.figures}, ${percent(prefill.median)}, ${percent(prefill.ninth)}` : ''
  } | ${entry ? 'told' : 'the roof alone'} |`;

const errors = (found) => (found ? `${found.figures}, ${percent(found.median)}, ${percent(found.ninth)}` : '');

const trainingLine = ({ framework, devices, generation, dense, experts, entry }) =>
  `| ${framework} | ${devices} | ${generation || 'any'} | ${errors(dense)} | ${errors(experts)} | ${entry ? (entry.mixture_step ? 'told' : 'told without experts') : 'the roof alone'} |`;

export const page = (all, trainings) => `# How near speeds come

Printed speeds (\`tests/score/speed/printed.jsonl\`) of one sequence on one device, held against what is foretold from other sources; of
one source, from its other models. \`node tests/score/speed/calibrate.mjs\` writes this page and \`presets/speeds\`. A group is told where
half of its speeds are within a fifth and nine of ten within three fifths; elsewhere a reply has the roof alone: what the device's
peaks allow.

| Runtime | Devices | Speeds | Sources | Median error | Nine of ten within | Prefills: number, median, nine of ten | A reply has |
|---|---|--:|--:|--:|--:|--:|---|
${all.map(line).join('\n')}

## Training steps

The same of a training step, by framework and by generation of the devices (the compute capability's first number): speeds, median
error, nine of ten within. Rows are foretold from other sources; of one source, from its other models; of \`any\`, from other
generations. A group is told where half of the speeds are within 16 % and nine of ten within 50 %, of models with experts within 40 and
100 %. Sources leave open what is recomputed, and how fast the links are.

| Framework | Devices | Generation | Without experts | With experts | A reply has |
|---|---|--:|--:|--:|---|
${trainings.map(trainingLine).join('\n')}
`;

export function files(all, trainings) {
  const sources = {
    measured: {
      title: 'printed speeds, each with its source: tests/score/speed/printed.jsonl',
    },
  };
  return [...runtimes, ...frameworks].flatMap((id) => {
    const reached = [...all, ...trainings]
      .filter(({ runtime, framework, entry }) => (runtime ?? framework) === id && entry)
      .map(({ entry }) => entry);
    return reached.length
      ? [
          {
            name: `${id}.json`,
            text: `${JSON.stringify({ id, reached, sources }, null, 2)}\n`,
          },
        ]
      : [];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [all, trainings] = [groups(), trainingGroups(trainingCases(trainingRows()))];
  for (const { name, text } of files(all, trainings)) writeFileSync(join(root, 'presets', 'speeds', name), text);
  writeFileSync(join(root, 'docs', 'speed.md'), page(all, trainings));
  console.log(page(all, trainings));
}
