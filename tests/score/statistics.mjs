// What a score says of many results: how many, how far off, how often inside the band.

import { columns } from '../../web/src/node/output/table.mjs';
import { count } from '../../web/src/library/units.mjs';

/** Relative error; of a truth of zero, zero is exact and anything else is wholly wrong. */
export const error = ({ truth, answer }) => (truth === answer ? 0 : truth === 0 ? 1 : Math.abs(answer - truth) / truth);

/** Whether the band reaches the truth, or what its source leaves open of it. */
export const isInside = ({ truth, low, high, between = [truth, truth] }) => overlaps({ low, high }, { from: between[0], to: between[1] });

/** Whether a band reaches a range. */
export const overlaps = ({ low, high }, { from, to }) => low <= to && from <= high;

/** The value that `part` of a sorted list does not exceed. */
const quantile = (sorted, part) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];

export function median(sorted) {
  if (sorted.length === 0) return undefined;
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Lists of what has the same key, with that key, in the order in which keys come. */
export function grouped(results, key) {
  const groups = new Map();
  for (const result of results) {
    const own = key(result);
    const group = groups.get(own);
    if (group) group.push(result);
    else groups.set(own, [result]);
  }
  return [...groups];
}

function summary([title, results]) {
  const { kind, engine } = results[0];
  const figures = results.filter(({ reason }) => reason === undefined);
  const errors = figures.map(error).sort((a, b) => a - b);
  const banded = figures.filter(({ low, high }) => low !== undefined && high !== undefined);
  const widths = banded.map(({ low, high, answer }) => (answer ? (high - low) / answer : 0)).sort((a, b) => a - b);
  const inside = banded.filter(isInside);
  return {
    title,
    kind,
    engine,
    metric: title.split('\t')[2],
    rows: results.length,
    answered: figures.length,
    exact: figures.filter((figure) => !figure.unstated && error(figure) <= figure.tolerance).length, // within a range is not exact
    ...(errors.length > 0 && {
      median: median(errors),
      p90: quantile(errors, 0.9),
      worst: errors.at(-1),
      inside: inside.length / Math.max(1, banded.length),
      width: median(widths),
    }),
  };
}

/** One line per kind, engine and figure; a kind of several engines gets a line for all of them too. */
export function summaries(results) {
  // A row that was not answered counts under every figure that its engine's answered rows compare.
  const metrics = new Map(grouped(results, (r) => `${r.kind}\t${r.engine}`).map(([key, rows]) => [key, rows.find((r) => r.metric)?.metric ?? '–']));
  const metricOf = (r) => r.metric ?? metrics.get(`${r.kind}\t${r.engine}`);
  const perEngine = grouped(results, (r) => `${r.kind}\t${r.engine}\t${metricOf(r)}`).map(summary);
  const perKind = grouped(results, (r) => `${r.kind}\tall\t${metricOf(r)}`)
    .filter(([, rows]) => new Set(rows.map((r) => r.engine)).size > 1)
    .map(summary);
  const wide = perKind.map((line) => ({ ...line, engine: 'all' }));
  return [...perEngine, ...wide].sort((a, b) => (a.kind === b.kind ? 0 : a.kind < b.kind ? -1 : 1)).map(({ title, ...line }) => line);
}

const percent = (part) => (part === undefined ? '' : `${(100 * part).toFixed(part !== 0 && part < 0.001 ? 4 : 2)} %`);

export function summaryLines(lines) {
  const head = ['kind', 'engine', 'figure', 'rows', 'answered', 'exact', 'median', '90th', 'worst', 'inside', 'width'];
  const body = lines.map((l) => [
    l.kind,
    l.engine,
    l.metric,
    String(l.rows),
    String(l.answered),
    String(l.exact),
    percent(l.median),
    percent(l.p90),
    percent(l.worst),
    percent(l.inside),
    percent(l.width),
  ]);
  return columns(
    [head, ...body],
    head.map((_, i) => (i < 3 ? 'left' : 'right')),
  );
}

export function rowLines(results) {
  const body = results.map((r) => {
    if (r.reason) return [r.kind, r.name, '', '', '', `not answered: ${r.reason}`];
    const same = r.unstated ? 'between' : 'exact';
    const off = r.truth === r.answer ? same : `${r.answer > r.truth ? '+' : '−'}${percent(error(r))}`;
    const band = r.low === undefined || r.low === r.high ? '' : isInside(r) ? 'inside' : 'outside';
    return [r.kind, r.name, r.metric, count(r.truth), count(r.answer), `${off} ${band}`.trim()];
  });
  return columns([['kind', 'row', 'figure', 'truth', 'answer', 'error'], ...body], ['left', 'left', 'left', 'right', 'right', 'left']);
}

/** Why rows were not answered, most frequent first. */
export function reasonLines(results) {
  const reasons = grouped(
    results.filter(({ reason }) => reason),
    (r) => `${r.kind}: ${r.reason}`,
  ).map(([reason, rows]) => [reason, rows.length]);
  if (reasons.length === 0) return ['every row was answered'];
  return ['not answered:', ...reasons.sort((a, b) => b[1] - a[1]).map(([reason, times]) => `  ${String(times).padStart(5)}  ${reason}`)];
}

/** How bands hold, by runtime or method and metric: of cases left out, each model with all of its cases, and each source. */
export function bandLines(strata) {
  const share = ({ inside, width } = {}) => (inside === undefined ? ['', ''] : [percent(inside), percent(width)]);
  const body = strata.map(({ of, metric, aside, cases, models, sources, now, byModel, bySource }) => {
    const counts = [cases, models, sources].map(String);
    return [of, metric, ...counts, ...share(byModel), ...share(bySource), ...share(now), aside ?? ''];
  });
  const head = ['of', 'metric', 'cases', 'models', 'sources', 'by model', 'width', 'by source', 'width', 'now', 'width', 'set aside'];
  return columns(
    [head, ...body],
    head.map((_, i) => (i < 2 || i === head.length - 1 ? 'left' : 'right')),
  );
}
