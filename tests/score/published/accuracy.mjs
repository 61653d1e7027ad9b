// ACCURACY.md: the score as a page. Written from the rows under tests/measured/ alone, good or bad.

import { explainedOf } from '../logs/explained.mjs';
import { error, isInside } from '../statistics.mjs';

const percent = (part) => (part === undefined ? '–' : part === 0 ? '0' : part < 0.001 ? '< 0.1 %' : `${(100 * part).toFixed(1)} %`);

const table = (head, rows) => [
  `| ${head.join(' | ')} |`,
  `|${head.map((_, i) => (i < 2 ? '---' : '--:')).join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];

const titles = {
  models: 'Parameters',
  types: "What llama.cpp's quantizer chooses",
  tables: "Tensors that llama.cpp's loader asks for",
  graphs: "llama.cpp's graph by itself",
  buffers: "llama.cpp's own buffers",
  inference: 'Published figures of inference',
  training: 'Published figures of training',
  printed: 'What tools printed, reconciled',
  requested: 'Requests run by measure.py',
  autograd: "PyTorch's autograd, tensor by tensor",
  objectives: 'Losses of preferences, moment by moment',
};

const signed = (result) => `${result.answer > result.truth ? '+' : '−'}${percent(error(result))}`;

const inside = (result) => (result.low === undefined || result.low === result.high ? '' : isInside(result) ? 'inside' : 'outside');

/** The farthest off of one kind, at most `most`, none of which is exact. */
function worst(results, most) {
  const figures = results.filter((result) => result.reason === undefined && error(result) > result.tolerance);
  return figures
    .sort((a, b) => error(b) - error(a))
    .slice(0, most)
    .map((result) => [
      result.engine,
      result.name,
      result.metric,
      result.truth.toFixed(0),
      Math.round(result.answer ?? 0).toString(),
      signed(result),
      inside(result),
    ]);
}

/** Kinds of more groups than this, families of models say, are shown in sum. */
const groupsAtMost = 12;

function shown(lines, kind) {
  const own = lines.filter((line) => line.kind === kind);
  const many = new Set(own.map(({ engine }) => engine)).size > groupsAtMost;
  return many ? own.filter(({ engine }) => engine === 'all') : own;
}

/** Rows that no rule explains, with what is known of the reason; rows of one reason in one entry. */
function notExplained(results) {
  const names = new Map();
  for (const { name, unexplained } of results) if (unexplained) names.set(unexplained, (names.get(unexplained) ?? new Set()).add(name));
  return [...names].map(([text, rows]) => `- ${[...rows].join(', ')}: ${text}`);
}

/** Settings that rows left out, and what was taken in their place: rows of the same together. */
function assumptions(results) {
  const names = new Map();
  for (const { name, assumed, reason } of results) if (assumed && !reason) names.set(assumed, [...(names.get(assumed) ?? []), name]);
  return [...names].map(([assumed, rows]) => `- ${[...new Set(rows)].join(', ')}: ${assumed}`);
}

const list = (title, entries) => (entries.length ? ['', title, '', ...entries] : []);

/** Of logs, how much of each difference is explained by what the log says besides, or by a row. */
function reconciled(results) {
  const rows = explainedOf(results).map(({ tool, logs, figures, inside, beyond, explained }) => [
    tool,
    String(logs),
    String(figures),
    percent(inside / figures),
    (beyond / 2 ** 30).toFixed(1),
    percent(beyond > 0 ? explained / beyond : undefined),
  ]);
  return [
    '',
    'Each log states model and settings (`tests/measured/logs.jsonl`), and goes through `plimsoll reconcile`. A difference beyond the band is',
    'explained by another figure of the log or by a row, in bytes; the rest is unexplained.',
    '',
    ...table(['of', 'logs', 'figures', 'in band', 'GiB beyond', 'explained'], rows),
  ];
}

function section(kind, lines, results) {
  const head = ['of', 'figure', 'rows', 'answered', 'exact', 'median', '90th', 'worst', 'in band', 'width'];
  const body = shown(lines, kind).map((l) => [
    l.engine,
    l.metric,
    l.rows,
    l.answered,
    l.exact,
    percent(l.median),
    percent(l.p90),
    percent(l.worst),
    l.inside === undefined ? '–' : `${Math.round(100 * l.inside)} %`,
    l.width === undefined ? '–' : percent(l.width),
  ]);
  const own = results.filter((result) => result.kind === kind);
  const far = worst(own, 15);
  const reasons = new Map();
  for (const { reason } of own) if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [
    `## ${titles[kind] ?? kind}`,
    '',
    ...table(head, body),
    ...(kind === 'printed' ? reconciled(own) : []),
    ...list('Farthest off:', far.length ? table(['of', 'row', 'figure', 'said', 'ours', 'error', 'band'], far) : []),
    ...list('Not explained:', notExplained(own)),
    ...list('Assumed where the row does not say:', assumptions(own)),
    ...list(
      'Not answered:',
      [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, times]) => `- ${times} × ${reason}`),
    ),
    '',
  ];
}

const held = ({ inside, width } = {}) => [inside === undefined ? '–' : `${Math.round(100 * inside)} %`, width === undefined ? '–' : percent(width)];

/** How bands hold for cases that they were not made from, and for cases that decide nothing. */
function crossValidated(strata) {
  const deciding = strata.filter(({ aside }) => !aside);
  const aside = strata.filter((stratum) => stratum.aside);
  const counts = ({ cases, models, sources }) => [cases, models, sources];
  return [
    '## Bands, cross-validated',
    '',
    "The bands of `presets/bands` are made from the figures here that mean one of an answer's totals (`./dev score --calibrate`,",
    '`tests/score/calibration/calibration.mjs`): of runs whose source names the counter and states the settings. Below: how many of a',
    "model's figures are inside of bands made without any of that model's, the same by source, and how many are inside of the bands as they",
    'are; each with the median of (high − low) / estimate. A figure is inside where the band reaches what its source leaves open: half of the',
    'last digit, and GB or GiB where it does not say. Where it does not name its counter, ours is the range from what is allocated to the whole',
    'process, and the error is how far outside of it the figure lies. Where one source has more than four fifths, leaving it out would leave nothing to learn',
    'from, and nothing is said; no other source has tried these bands.',
    '',
    ...table(
      ['of', 'metric', 'cases', 'models', 'sources', 'by model', 'width', 'by source', 'width', 'as they are', 'width'],
      deciding.map((one) => [one.of, one.metric, ...counts(one), ...held(one.byModel), ...held(one.bySource), ...held(one.now)]),
    ),
    ...list(
      'Set aside, and held against the bands as they are:',
      table(
        ['of', 'metric', 'cases', 'models', 'sources', 'in band', 'width', 'why'],
        aside.map((one) => [one.of, one.metric, ...counts(one), ...held(one.now), one.aside]),
      ),
    ),
    '',
  ];
}

/** @param {object[]} lines summaries @param {object[]} results all of them @param {object[]} strata of bands @param {string} layouts their section @returns {string} Markdown */
export function accuracy(lines, results, strata, layouts) {
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  return [
    '# How near',
    '',
    'Every row under `tests/measured/`, held against the command line. Each row there names its source; nothing here is typed by',
    'hand: `./dev score --write` writes this page. Errors are relative to what was said or measured; a band is the `low`…`high` of the',
    'reply, its width the median of (high − low) / estimate, and exact means no byte off. A row that no rule explains is named with what',
    'is known of the reason; it stays in the figures.',
    '',
    ...crossValidated(strata),
    ...kinds.flatMap((kind) => section(kind, lines, results)),
    layouts,
  ].join('\n');
}
