// Layouts that others published, of runs that ran and of runs that ran out of memory: is each legal, does it fit, and which
// other degrees would have been better in everything? Rows: published.jsonl, each with its source.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { askNative } from '../../native/native.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** @returns {{id: string, source: string, quote: string, ran: boolean, cluster: object, global_batch: number, request: object, left_open: string[]}[]} */
export const published = () =>
  readFileSync(join(here, 'published.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const asked = (command, questions) =>
  askNative(
    questions.map((question) => JSON.stringify(question)),
    [command],
  ).map((text) => JSON.parse(text));

/** Other degrees are searched on clusters up to this size: a search of a thousand devices takes seconds. */
const searchedDevices = 32;

const requestOf = ({ request, cluster }) => ({ ...request, device: cluster.device });

/** A search that finds this one layout, where it is legal. */
const itself = ({ request, cluster }) => ({ request, cluster });

/** The same run with other degrees of parallelism; what else it chose stays. */
function otherDegrees({ request: { devices, ...request }, cluster, global_batch: batch }) {
  const { data, tensor, pipeline, context, expert, expert_tensor: shared, virtual_stages: parts, ...parallel } = request.parallel;
  const { first_stage_layers: first, last_stage_layers: last, ...even } = parallel;
  const { accumulation, ...training } = request.training;
  return {
    request: { ...request, training, parallel: even },
    cluster,
    global_batch: batch,
    bounds: { 'training.micro_batch': [training.micro_batch ?? 1, training.micro_batch ?? 1] },
    want: 'least_traffic',
    keep: 20,
  };
}

const tradeOf = ({ bytes, recompute, bubble, sent_between: between }) => [bytes, recompute, bubble, between];

/** Those of the front that are better in something and worse in nothing. */
function better(own, front) {
  const ours = tradeOf(own);
  return front.filter((one) => {
    const theirs = tradeOf(one);
    return theirs.every((value, at) => value <= ours[at]) && theirs.some((value, at) => value < ours[at]);
  }).length;
}

/** What is said of each row: a verdict, or why there is none; whether the search finds it, and how many layouts beat it. */
export function judged(rows = published()) {
  const replies = asked(
    'estimate',
    rows.map((row) => ({ ...requestOf(row), explain: 'none' })),
  );
  const found = asked('plan', rows.map(itself));
  const small = rows.filter((row) => row.cluster.devices_per_node * row.cluster.nodes <= searchedDevices);
  const others = new Map(asked('plan', small.map(otherDegrees)).map((reply, at) => [small[at], reply]));
  return rows.map((row, at) => {
    const { error, fit, total } = replies[at];
    if (error) return { ...row, refused: `${error.where}: ${error.what}` };
    const own = found[at].layouts?.[0];
    return {
      ...row,
      verdict: fit.verdict,
      process: total.process,
      usable: fit.usable_bytes,
      legal: found[at].error === undefined && found[at].counted.all > 0 && found[at].counted.refused === 0,
      better: own && others.get(row)?.front ? better(own, others.get(row).front) : undefined,
    };
  });
}

const gibibytes = (bytes) => (bytes / 2 ** 30).toFixed(1);
const counted = (list) => String(list.length);

/** The section of ACCURACY.md. @param {ReturnType<typeof judged>} all */
export function layoutsSection(all) {
  const [ran, failed] = [all.filter((one) => one.ran), all.filter((one) => !one.ran)];
  const of = (list, verdict) => counted(list.filter((one) => one.verdict === verdict));
  const line = (name, list) => [
    name,
    counted(list),
    of(list, 'fits'),
    of(list, 'tight'),
    of(list, 'too large'),
    counted(list.filter((one) => one.refused)),
  ];
  const placed = ran.filter((one) => one.better !== undefined);
  const wrong = [...ran.filter((one) => one.verdict === 'too large'), ...failed.filter((one) => one.verdict === 'fits')];
  const refusals = new Map();
  for (const { refused } of all) if (refused) refusals.set(refused, (refusals.get(refused) ?? 0) + 1);
  return [
    '## Layouts that others published',
    '',
    'Training runs of recipes, tables and reports, each with its degrees of parallelism and its devices (`tests/score/layouts/published.jsonl`).',
    'What ran must fit; what ran out of memory must not.',
    '',
    '| runs | rows | fits | tight | too large | refused |',
    '|---|--:|--:|--:|--:|--:|',
    ...[line('that ran', ran), line('out of memory', failed)].map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `\`plan\` finds ${counted(all.filter((one) => one.legal))} of the ${counted(all.filter((one) => one.verdict))} that are answered. Of ${counted(placed)} that ran and fit on up to ${searchedDevices} devices,`,
    `${counted(placed.filter((one) => one.better === 0))} are beaten by no layout with other degrees in bytes, recomputation, bubble and traffic between nodes together.`,
    '',
    ...(wrong.length ? ['Not explained:', ''] : []),
    ...wrong.map(
      ({ id, verdict, process, usable }) => `- ${id}: ${verdict}, ${gibibytes(process.low)}…${gibibytes(process.high)} GiB of ${gibibytes(usable)}`,
    ),
    ...(wrong.length ? [''] : []),
    ...(refusals.size ? ['Not answered:', ''] : []),
    ...[...refusals].map(([reason, times]) => `- ${times} × ${reason}`),
    '',
  ].join('\n');
}
