// Conformance vectors from rows of truth: of each row whose source anybody can follow, its request with everything in it, and its figures as
// places in the reply. `node tests/score/published/vectors.mjs [FOLDER]` writes them, one a file, with an index.

import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { figureOf, version } from '../../../web/src/library/conformance/index.mjs';
import { aboutOf } from '../rows/about.mjs';
import { ask } from '../ask.mjs';
import { configOf, presetOf } from '../rows/names.mjs';
import { intervals } from '../rows/rounding.mjs';
import { casesOf, measuredFiles } from '../run.mjs';
import { grouped } from '../statistics.mjs';

/** Where the site has them. */
const conformanceFolder = fileURLToPath(new URL('../../../web/dist/conformance', import.meta.url));

/** What a kind of row is called in a vector. */
const kinds = {
  models: 'parameters',
  types: 'files',
  buffers: 'buffers',
  autograd: 'saved',
  inference: 'inference',
  training: 'training',
  requested: 'training',
};

export const kindOf = ({ kind, row }) => (kind === 'printed' || row.source_kind === 'published_log' ? 'logs' : kinds[kind]);

/**
 * What runs of the same settings differ by, beyond what a figure's own source leaves open: PyTorch's peaks by kernels and their workspaces,
 * what it has reserved by the order of its requests, a process by its driver's context and libraries; what a server has left is its share
 * less all these. A graph's buffers are as a version plans them, and weights as loaded have what their kernels pad.
 */
const tolerances = { allocated: 0.05, reserved: 0.25, process: 0.15, capacity: 0.05 };
const planned = 0.02;

const toleranceOf = ({ of, metric }) => (/^compute|as loaded$/.test(metric) ? planned : (tolerances[of] ?? 0));

/** Of one model in one file so many, evenly from the first to the last. */
const atMost = 6;

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');

/** Rows without an id are called by what they say: their place in a file may change. */
export function nameOf(one, model) {
  const { row } = one;
  const own = row.id ?? createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 8);
  return slug([kindOf(one), model, row.quant ?? row.task?.split(/[\s:,]/)[0] ?? row.prec ?? '', own].filter(Boolean).join('-'));
}

const isFollowed = ({ url, title }) => url !== undefined || /^llama\.cpp |^counted on real modules/.test(title);

/** Rows that say all of a run, and what they counted; those that no rule explains say something else than their settings do. */
const isWhole = ({ row, assumed, reason, requests }) => requests && !reason && !assumed && !row.open && !row.unexplained && !row.artifact;

/** A request that needs no table of ours for its model. */
function selfContained(request) {
  return JSON.parse(JSON.stringify({ ...request, explain: 'rows', model: { config: configOf(request.model) } }));
}

const bytesIn = { GiB: 2 ** 30, byte: 1 };

function deviceOf({ device }) {
  const preset = device?.preset && presetOf('devices', device.preset);
  if (!preset) return undefined;
  const { value, unit } = preset.reported_memory ?? preset.memory;
  return { name: preset.name, memory_bytes: device.memory_bytes ?? value * bytesIn[unit] };
}

/** A case as a vector without figures. */
function outline(one) {
  const { model, source } = aboutOf(one);
  const asked = one.requests.map(selfContained);
  const device = deviceOf(asked.at(-1));
  return {
    version,
    name: nameOf(one, model),
    kind: kindOf(one),
    model,
    ...(device && { device }),
    request: asked.at(-1),
    ...(asked.length > 1 && { less: asked[0] }),
    figures: [],
    source,
  };
}

const evenly = (list, most) =>
  list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.round((i * (list.length - 1)) / (most - 1))]);

/** The cases that vectors are made of. */
export function chosen(all) {
  const whole = all.filter((one) => one.kind in kinds && isWhole(one) && isFollowed(aboutOf(one).source));
  const groups = grouped(whole, (one) => `${one.file} ${one.engine} ${aboutOf(one).model}`);
  return groups.flatMap(([, list]) => evenly(list, atMost));
}

/** Figures of a case's own comparison that are places in a reply; what its source does not name the counter of is none. */
function figuresOf(one, [reply, less], between) {
  const compared = one.compare(...(less ? [less, reply] : [reply])).filter((figure) => figure.at && figure.truth > 0 && !figure.unstated);
  return compared.flatMap((figure) => {
    const ours = figureOf(figure.at, reply, less);
    if (!ours) return [];
    const [from, to] = between(one.row, figure);
    const { metric, at, unit = 'bytes', truth } = figure;
    return [{ metric, at, unit, truth, from, to, tolerance: toleranceOf(figure), ours }];
  });
}

/** @param {string[]} files of rows @returns {object[]} vectors, by name */
export function vectorsOf(files) {
  const cases = chosen(files.flatMap(casesOf));
  const vectors = cases.map(outline);
  const replies = ask(vectors.flatMap(({ request, less }) => (less ? [request, less] : [request])));
  const between = intervals(cases.map(({ row }) => row));
  const filled = vectors.map((vector, i) => {
    const own = replies.splice(0, vector.less ? 2 : 1);
    if (own.some(({ error }) => error)) return vector;
    return { ...vector, figures: figuresOf(cases[i], own, between) };
  });
  return filled.filter(({ figures }) => figures.length > 0).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const line = (value) => `${JSON.stringify(value)}\n`;

/** Writes a folder of vectors: one a file, an index, and all of them as lines for who wants one file. */
export function writeVectors(folder = conformanceFolder, files = measuredFiles()) {
  const all = vectorsOf(files);
  const at = join(folder, `v${version}`);
  rmSync(at, { recursive: true, force: true });
  mkdirSync(at, { recursive: true });
  for (const vector of all) writeFileSync(join(at, `${vector.name}.json`), `${JSON.stringify(vector, null, 1)}\n`);
  const index = all.map(({ name, kind, model, source, figures }) => ({ name, kind, model, source: source.title, figures: figures.length }));
  writeFileSync(join(at, 'index.json'), line({ version, vectors: index }));
  writeFileSync(join(folder, `v${version}.jsonl`), all.map(line).join(''));
  return all;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? conformanceFolder);
  console.log(`${writeVectors(folder).length} vectors in ${join(folder, `v${version}`)}`);
}
