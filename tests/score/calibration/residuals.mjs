// What measured cases were off, as bands are made from it: of each figure that means one of an answer's totals, by how much it was off, and
// which rows of the answer could have been.
//
// A case calibrates where it is known what was counted and what was run: the source names the counter, the runtime is the one that was
// asked, and no setting was assumed in a tool's place or is left open (`open` in the row says which). All others are compared in
// ACCURACY.md, apart, and decide nothing.

import { tables } from '../../../web/src/library/engine.mjs';
import { presets } from '../../../web/src/node/presets.mjs';
import { instantiated } from '../../../web/src/node/engine.mjs';
import { intervals } from '../rows/rounding.mjs';
import { casesOf } from '../run.mjs';

/** An engine that has no bands: what is left of `low` and `high` are bounds that a mechanism has by itself. */
async function withoutBands() {
  const module = await instantiated('plimsoll-whole');
  const provided = tables.filter((kind) => kind !== 'bands');
  module.provide(JSON.stringify(Object.fromEntries([...provided, 'models'].map((kind) => [kind, presets(kind)]))));
  return (request) => JSON.parse(module.estimate(JSON.stringify(request)));
}

/** The groups of cases that an answer belongs to, the narrowest first: as bands_for in engine/api/engine.cpp. */
export function groupsOf({ task, inference, training, weights, devices = 1 }) {
  if (task === 'training' && devices > 1) return ['training-parallel'];
  if (task === 'training') {
    const { method = 'full', lengths, objective } = training;
    if (lengths) return ['training-lengths'];
    const packed = weights && !['bf16', 'fp16', 'fp32'].includes(weights.encoding);
    const adapted = packed || method === 'qlora' ? 'qlora' : 'lora';
    const of = [`training-${method === 'freeze' ? 'full' : ['full', 'galore'].includes(method) ? method : adapted}`, 'training'];
    return ['grpo', 'ppo'].includes(objective) ? ['training-lengths', ...of] : of; // answers' lengths vary
  }
  const { runtime = 'transformers', backend } = inference;
  const id = presets('runtimes').find((preset) => preset.id === runtime).policies.kv === 'llama.cpp' ? 'llama.cpp' : runtime;
  return [...(backend && id === 'llama.cpp' ? [`${id}-${backend}`] : []), id, 'inference'];
}

/** Whose page or repository it is. */
export function sourceOf({ url, source }) {
  const text = url ?? source ?? '';
  return /github\.com\/([\w.-]+\/[\w.-]+)/.exec(text)?.[1] ?? /^([\w.-]+\/[\w.-]+)/.exec(text)?.[1] ?? text.slice(0, 60);
}

/** A model by its name without what does not change its shape. */
const modelOf = ({ model_full: full, model }) =>
  (full ?? model)
    .toLowerCase()
    .replace(/.*\//, '')
    .replace(/[-_ ](instruct|chat|base|hf|it)(?=$|[-_ ])/g, '');

/**
 * What of a row may be off: `below` and `above` by bounds that a mechanism has, and `terms`, bytes that data band, by the ids from the
 * top. A rule of thumb
 * stays one under whatever row it stands, all else under a row errs as that row.
 */
function partsOfRow(row, path = [row.id]) {
  if (row.basis === 'exact') return { below: 0, above: 0, terms: [] };
  if (row.rows) {
    const parts = row.rows.map((child) => partsOfRow(child, [...path, child.id]));
    const sum = (name) => parts.reduce((all, part) => all + part[name], 0);
    return {
      below: sum('below'),
      above: sum('above'),
      terms: parts.flatMap(({ terms }) => terms),
    };
  }
  const bounded = row.low !== row.bytes || row.high !== row.bytes;
  const term = {
    path: row.basis === 'rule' ? [`rule.${row.id}`] : path,
    basis: row.basis,
    bytes: row.bytes,
  };
  return {
    below: row.bytes - row.low,
    above: row.high - row.bytes,
    terms: bounded || row.bytes === 0 ? [] : [term],
  };
}

/** Whether a metric counts a row (engine/estimate/ledger/bands.cpp). */
const counts = (metric, id) => (id === 'slack' ? metric !== 'allocated' : id !== 'device_context' || metric === 'process');

/** A row by its path: `workspace.library`. */
function rowAt(rows, path) {
  const [id, ...rest] = path.split('.');
  const row = rows.find((each) => each.id === id) ?? rows.find((each) => each.id === path);
  return rest.length === 0 || !row?.rows ? row : rowAt(row.rows, rest.join('.'));
}

const exactBytes = (row) => (row.basis === 'exact' ? row.bytes : (row.rows ?? []).reduce((sum, child) => sum + exactBytes(child), 0));

function rowsOf(metric, { rows, capacity }) {
  if (metric !== 'capacity') return rows.filter(({ id }) => counts(metric, id)).map((row) => ({ row, top: row.id }));
  return capacity.beside.map((path) => ({ row: rowAt(rows, path), top: path.split('.')[0] })).filter(({ row }) => row);
}

/** What may be off of a total, and bytes of all its rows and of what is exact of them. */
function partsOf(metric, reply) {
  const rows = rowsOf(metric, reply);
  const parts = rows.map(({ row, top }) => partsOfRow(row, [top])).filter(({ below, above, terms }) => below > 0 || above > 0 || terms.length > 0);
  const sum = (of) => rows.reduce((all, { row }) => all + of(row), 0);
  return { parts, counted: sum(({ bytes }) => bytes), exact: sum(exactBytes) };
}

/** By how much blocks may be larger than tensors: what the band of all that is allocated has above the bounds of its rows. */
const unsplitOf = (metric, { total }, parts) =>
  metric === 'allocated' ? Math.max(0, total.high - total.bytes - Math.ceil(Math.hypot(...parts.map(({ above }) => above)))) : 0;

const asideOf = ({ row, assumed }, figure) =>
  (figure.unstated && 'the source does not name the counter') ||
  row.open ||
  (assumed && "settings were taken from the tool's own recipe where the source does not say them");

/**
 * Residuals of cases with their replies, in the order of the rows.
 * @returns {{name: string, metric: string, groups: string[], model: string, source: string, aside?: string, from: number, to: number,
 *   answer: number, unsplit: number, pooled: boolean, counted: number, exact: number, parts: object[]}[]} `from`, `to`: bytes between which the truth lies;
 *   `unsplit`: by which blocks may be larger than tensors; `pooled`: whether a caching allocator serves it; `counted`: bytes of the rows,
 *   `exact`: of what is exact of them
 */
export function fromReplies(cases, replies) {
  const between = intervals(cases.map(({ row }) => row));
  const rest = [...replies];
  return cases.flatMap((one) => {
    const own = rest.splice(0, one.requests.length);
    if (own.some(({ error }) => error)) return [];
    const figures = one.compare(...own).filter(({ of, answer }) => of && answer > 0);
    return figures.map((figure) => {
      const [from, to] = between(one.row, figure);
      const rows = partsOf(figure.of, own[0]);
      const rest = figure.part ? rows.counted - figure.answer : 0; // all else of the total is arithmetic, and not off
      return {
        name: one.name,
        metric: figure.of,
        groups: groupsOf(one.requests[0]),
        model: modelOf(one.row),
        source: sourceOf(one.row),
        aside: asideOf(one, figure),
        ...{ from: from + rest, to: to + rest, answer: figure.answer + rest },
        unsplit: unsplitOf(figure.of, own[0], rows.parts),
        pooled: figure.of !== 'capacity' && own[0].rows.some(({ id }) => id === 'slack'),
        ...rows,
      };
    });
  });
}

const kinds = ['inference', 'training', 'requested'];

/** @param {string[]} files @returns {Promise<object[]>} residuals, in the order of the rows */
export async function residuals(files) {
  const estimate = await withoutBands();
  const cases = files.flatMap(casesOf).filter(({ kind, requests }) => kinds.includes(kind) && requests);
  return fromReplies(
    cases,
    cases.flatMap(({ requests }) => requests.map(estimate)),
  );
}
