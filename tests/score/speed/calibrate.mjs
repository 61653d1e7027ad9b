// node tests/score/speed/calibrate.mjs [--check]: presets/speeds and docs/speed.md, made of tests/score/speed/printed.jsonl alone.
// A group is a runtime on a class of devices. It is written where speeds of sources that it was not made from are foretold
// within twice the goal (a fifth at the median, three fifths for nine of ten); elsewhere a reply tells the roof alone.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { presetOf } from '../rows/names.mjs';
import { fitBatch, fitSums, foretoldBatch } from './batches.mjs';
import { classOf } from './classes.mjs';
import { fitPrefill, fitToken, partsOf, partsOfWhole, weighed } from './fit.mjs';
import { atPeaks } from './peaks.mjs';
import { speedCase } from './rows.mjs';
import { bandOf, off, quantile, rounded } from './statistics.mjs';
import { frameworks, trainingCases, trainingGroups } from './training.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const runtimes = ['llama.cpp', 'vllm', 'sglang', 'tensorrt-llm', 'transformers', 'mlx'];
const goals = {
  token: { median: 0.2, ninth: 0.6 },
  batch: { median: 0.4, ninth: 1 },
  prefill: { median: 0.5, ninth: 1.2 },
};
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
  const asked = cases.filter(({ request }) => request);
  for (const one of asked) one.class = classOf(presetOf('devices', one.device));
  const replies = atPeaks(
    runtimes,
    asked.map(({ request }) => request),
    [...new Set(asked.map((one) => one.class))],
  );
  return asked.flatMap((one, at) => {
    const { time, fit } = replies[at];
    const pass = one.phase === 'whole' ? time?.token : time?.[one.phase];
    if (!pass || !['fits', 'tight', 'waits'].includes(fit?.verdict)) return [];
    const parts = one.phase === 'whole' ? partsOfWhole(time, one.steps) : partsOf(pass);
    return [{ ...one, model: one.request.model.preset, parts }];
  });
}

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
    return cases.filter((one) => one[key] === left).map((one) => ({ one, ratio: one.truth / foretoldBatch(one.parts, shares) }));
  });
}

const kinds = ['token', 'batch', 'prefill'];
const wider = (one, other) => ({ low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) });

/** Where one source alone speaks, a band is no narrower than that of the groups in which several do. */
function widened(all) {
  const several = all.filter(({ entry, token }) => entry?.token && token.sources > 1).flatMap(({ token }) => token.ratios);
  const least = bandOf(several);
  for (const { entry, ...found } of all)
    for (const kind of kinds) if (entry?.[kind] && found[kind].sources === 1) entry[kind] = wider(entry[kind], least);
  return all;
}

/** How near rows of one kind were foretold; undefined where there are none. */
function judged(list) {
  if (list.length === 0) return undefined;
  const ratios = list.map(({ ratio }) => ratio);
  const errors = ratios.map(off);
  return {
    figures: list.length,
    sources: new Set(list.map(({ one }) => one.source)).size,
    ratios,
    median: quantile(errors, 0.5),
    ninth: quantile(errors, 0.9),
    band: bandOf(ratios),
  };
}

const isWithin = (found, { median, ninth }) => found !== undefined && found.figures >= fewest / 2 && found.median <= median && found.ninth <= ninth;
const stepOf = ({ batch }) => (batch > 1 ? 'batch' : 'token');
const kindOf = (one) => (one.phase === 'prefill' ? 'prefill' : stepOf(one));
const ofKind = (list, kind) => list.filter(({ one }) => kindOf(one) === kind);

/** Steps of one sequence decide the share of the bandwidth; prefills, by themselves, that of the peak. */
function byTokens(group, { token: tokens, batch: batches, prefill: prefills }) {
  if (tokens.length < fewest) return group;
  const whole = (rest) => ({
    ...fitToken(
      rest.filter(({ batch }) => batch === 1),
      1,
    ),
    products: 1,
  });
  const shares = whole(weighed(tokens));
  group.token = judged(leftOut(tokens, whole));
  if (!isWithin(group.token, goals.token)) return group;
  group.batch = judged(ofKind(leftOut([...tokens, ...batches], whole), 'batch'));
  const withProducts = (rest) => ({ ...shares, products: fitPrefill(rest, shares) });
  const computed = prefills.filter(({ parts }) => parts.compute > 0);
  const products = computed.length >= fewest ? fitPrefill(weighed(computed), shares) : undefined;
  group.prefill = products && judged(leftOut(computed, withProducts));
  const told = isWithin(group.prefill, goals.prefill);
  return told ? { ...group, shares: { ...shares, products } } : { ...group, shares: { ...shares, products: undefined }, prefill: undefined };
}

/** Where prompts and answers were timed together, or several sequences alone, one fit of all finds both shares. */
function byAll(group, { token, batch, prefill }) {
  const all = [...token, ...batch, ...prefill];
  if (all.length < fewest) return group;
  const left = leftOut(all, fitBatch);
  for (const kind of kinds) group[kind] = judged(ofKind(left, kind));
  // Of what was timed together a prefill's part is not known: it may be as far off as the whole.
  if (group.prefill && group.batch) group.prefill.band = wider(group.prefill.band, group.batch.band);
  // One device says nothing of others of its class.
  const one = new Set(all.map(({ device }) => device)).size === 1;
  const told = !one && (token.length >= fewest ? isWithin(group.token, goals.token) : isWithin(group.batch, goals.batch));
  return told ? { ...group, shares: fitBatch(weighed(all)) } : group;
}

/** Of a group with shares, what presets/speeds says. */
function entryOf({ devices, shares, ...found }, figures) {
  const told = kinds.filter((kind) => isWithin(found[kind], goals[kind]) && (kind !== 'token' || found.token.figures >= fewest));
  return {
    devices,
    memory: rounded(shares.memory),
    launch_seconds: rounded(shares.launch_seconds),
    figures,
    sources: (found.token ?? found.batch).sources,
    ...(shares.products && { products: rounded(shares.products), packed: rounded(shares.products) }),
    ...Object.fromEntries(told.map((kind) => [kind, found[kind].band])),
  };
}

/** Steps that devices share, from what one of them reaches. */
function spreadOf(cases, shares) {
  if (cases.length < fewest) return undefined;
  return judged(leftOut(cases, (rest) => ({ ...shares, exchange_seconds: fitSums(rest, shares) })));
}

/** @returns {{runtime: string, devices: string, token?: object, batch?: object, prefill?: object, spread?: object, entry?: object}[]} */
export function groups(cases = speedCases()) {
  const names = [...new Set(cases.map((one) => `${one.runtime} ${one.class}`))].sort();
  const all = names.map((name) => {
    const [runtime, devices] = name.split(' ');
    const own = cases.filter((one) => one.runtime === runtime && one.class === devices);
    const single = Object.fromEntries(kinds.map((kind) => [kind, own.filter((one) => !one.several && kindOf(one) === kind)]));
    const together = single.token.length < fewest || single.token.some(({ phase }) => phase === 'whole');
    const group = (together ? byAll : byTokens)({ runtime, devices, figures: own.length }, single);
    if (!group.shares) return group;
    const entry = entryOf(group, single.token.length + single.batch.length);
    const spread = own.filter((one) => one.several && one.phase !== 'prefill');
    return { ...group, entry, spread: spreadOf(spread, { products: 1, ...group.shares }) };
  });
  return widened(all);
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;

const errors = (found) => (found ? `${found.figures}, ${percent(found.median)}, ${percent(found.ninth)}` : '');

const toldOf = (entry) =>
  entry
    ? kinds
        .filter((kind) => entry[kind])
        .map((kind) => names[kind])
        .join(', ')
    : 'the roof alone';

const names = { token: 'one sequence', batch: 'several', prefill: 'prefill' };

const line = ({ runtime, devices, token, batch, prefill, spread, entry }) =>
  `| ${runtime} | ${devices} | ${[token, batch, prefill, spread].map(errors).join(' | ')} | ${toldOf(entry)} |`;

const trainingLine = ({ framework, devices, generation, dense, experts, entry }) =>
  `| ${framework} | ${devices} | ${generation || 'any'} | ${errors(dense)} | ${errors(experts)} | ${entry ? (entry.mixture_step ? 'told' : 'told without experts') : 'the roof alone'} |`;

export const page = (all, trainings) => `# How near speeds come

Printed speeds (\`tests/score/speed/printed.jsonl\`) held against what is foretold from other sources; of one source, from its other
models: how many, median error, nine of ten within. \`node tests/score/speed/calibrate.mjs\` writes this page and \`presets/speeds\`. A
reply tells a step of one sequence where half of its speeds are within a fifth and nine of ten within three fifths, of several
sequences within 40 and 100 %, a prefill within 50 and 120 %. Elsewhere it has the roof alone: what the device's peaks allow, each
expert being as likely as any other. Of several devices that share each layer no group is near enough yet.

| Runtime | Devices | One sequence | Several sequences | Prefills | Several devices | A reply has |
|---|---|--:|--:|--:|--:|---|
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
