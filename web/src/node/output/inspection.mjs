// What `plimsoll inspect` found, as text: architecture, parameters by part, bytes by type, layers, what disagrees.

import { columns, wrapped } from './table.mjs';
import { count, inUnit, share } from '../../library/units.mjs';

/** @typedef {import('./look.mjs').Look} Look */

const right = (n) => Array(n).fill('right');

function table(title, head, rows, align, { style, width }) {
  if (rows.length === 0) return [];
  const lines = columns([head, ...rows], align, { width });
  return ['', ...(title ? [style('bold', title)] : []), lines[0], ...lines.slice(1)];
}

const bullets = (title, lines, { style, width }) =>
  lines.length === 0
    ? []
    : ['', style('bold', title), ...lines.flatMap((line) => wrapped(line, '  ', width).map((part, at) => (at === 0 ? `- ${part}` : part)))];

function heading(reply, look) {
  const { parameters, architecture, checkpoint } = reply;
  const active = parameters && parameters.active !== parameters.total;
  const stored = checkpoint?.bytes ? `, ${inUnit(checkpoint.bytes, look.unit)} ${look.unit}` : '';
  return [
    ...(architecture ? [`architecture: ${look.style('bold', architecture)}`] : []),
    ...(parameters ? [`parameters: ${count(parameters.total)}${active ? ` (${count(parameters.active)} active)` : ''}`] : []),
    ...(reply.tied_head ? ['the vocabulary head is the embedding'] : []),
    ...(checkpoint
      ? [`in the files: ${count(checkpoint.count)} tensors${checkpoint.parameters ? `, ${count(checkpoint.parameters)} parameters` : ''}${stored}`]
      : []),
  ];
}

function adapter({ adapter: given }) {
  if (!given) return [];
  return [
    given.block_size
      ? `adapter: ${given.kind}, blocks of ${count(given.block_size)}`
      : `adapter: ${given.use_dora ? 'dora' : given.kind}, rank ${count(given.rank)}, alpha ${count(given.alpha)}`,
    ...(given.base_model ? [`  of: ${given.base_model}`] : []),
    ...(given.targets.length > 0 ? [`  targets: ${given.targets.join(', ')}`] : []),
    ...(given.modules_to_save.length > 0 ? [`  trained whole: ${given.modules_to_save.join(', ')}`] : []),
  ];
}

function parameterParts({ parameters }, look) {
  const rows = Object.entries(parameters?.by_part ?? {}).map(([part, n]) => [part, count(n), share(n, parameters.total)]);
  return table('', ['part', 'parameters', 'share'], rows, ['left', ...right(2)], look);
}

/** Tensors summed by something: what an index alone cannot tell is left empty. */
function sums(title, names, rows, label, look) {
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const cells = rows.map((row) => [
    ...label(row),
    count(row.count),
    ...(total > 0 ? [count(row.parameters), inUnit(row.bytes, look.unit), share(row.bytes, total)] : []),
  ]);
  const head = [...names, 'tensors', ...(total > 0 ? ['parameters', look.unit, 'share'] : [])];
  return table(title, head, cells, [...names.map(() => 'left'), ...right(4)], look);
}

const layerName = (layer) => (layer === undefined ? 'outside' : count(layer));

function tensors(reply, look) {
  const { parts = [], types = [], per_layer: layers = [] } = reply;
  return [
    ...sums('In the files', ['part', 'purpose'], parts, ({ part, purpose }) => [part, purpose], look),
    ...sums('Types', ['type'], types, ({ type }) => [type], look),
    ...sums('Layers in the files', ['part', 'layer'], layers, ({ part, layer }) => [part, layerName(layer)], look),
  ];
}

function layerWeights({ layers: kinds = [] }, { style, width }) {
  return kinds
    .filter(({ weights }) => weights.length > 0)
    .flatMap((kind) => {
      const rows = kind.weights.map(({ name, shape, copies, parameters }) => [
        `  ${name}`,
        shape.map((n) => count(n)).join(' × '),
        copies > 1 ? `× ${count(copies)}` : '',
        count(parameters),
      ]);
      const title = `${kind.name}${kind.count > 1 ? ` × ${count(kind.count)}` : ''}`;
      return ['', style('bold', title), ...columns(rows, ['left', 'right', 'left', 'right'], { width })];
    });
}

function differences({ differences: found = [] }, look) {
  const place = (where) => where.replace(/^layers .+/, '$&, each');
  const lines = found.map(({ where, config, file, why }) => `${place(where)}: config ${count(config)}, files ${count(file)}${why ? `: ${why}` : ''}`);
  return bullets('Parameters on which config.json and the files disagree', lines, look);
}

/** @param {object} reply @param {Look} look */
export function inspectText(reply, look) {
  const assumed = (reply.assumptions ?? []).map(({ field, value, why }) => `${field} = ${value}: ${why}`);
  return [
    ...heading(reply, look),
    ...adapter(reply),
    ...differences(reply, look),
    ...parameterParts(reply, look),
    ...layerWeights(reply, look),
    ...tensors(reply, look),
    ...bullets('Assumed', assumed, look),
    ...bullets(
      'Notes',
      (reply.notes ?? []).map(({ text }) => text),
      look,
    ),
  ].join('\n');
}
