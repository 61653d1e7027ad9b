// What `plimsoll reconcile` found, as text: the tool, its settings, figures with what each counts, ours beside them.

import { columns, wrapped } from './table.mjs';
import { count, inUnit } from '../../library/units.mjs';

/** @typedef {import('./report.mjs').Look} Look */

const said = (value) => (Array.isArray(value) ? value.join(', ') : String(value));

function heading({ tool, version, settings, fields = [], open = [], candidates = [] }, { style }) {
  const from = new Map(fields.map(({ field, from: name }) => [name, field]));
  const lines = Object.entries(settings).map(([name, value]) => [`  ${name}`, said(value), from.has(name) ? `→ ${from.get(name)}` : '']);
  return [
    style('bold', tool ? `${tool}${version ? ` ${version}` : ''}` : 'no tool that is known'),
    ...(lines.length > 0 ? columns(lines, ['left', 'left', 'left']) : []),
    ...(open.length > 0 ? [`  left open: ${open.join(', ')}`] : []),
    ...(candidates.length > 0 ? [`  of this shape, and nearest to its figures: ${candidates.map(({ model }) => model).join(', ')}`] : []),
  ];
}

const size = ({ bytes, value }, unit) => (bytes === undefined ? count(value) : inUnit(bytes, unit));
const about = ({ estimate, restated }) => (estimate ? 'expected' : restated ? 'said again' : '');

function figures(reply, look) {
  const beside = new Map((reply.compared ?? []).map((one) => [one.figure, one]));
  const rows = reply.figures.map((figure, at) => {
    const found = beside.get(at);
    const memory = figure.bytes !== undefined;
    const show = (amount) => (memory ? inUnit(amount, look.unit) : count(amount));
    const explained = found?.explained.reduce((sum, { bytes }) => sum + bytes, 0);
    return [
      figure.device === undefined ? '' : String(figure.device),
      figure.counter,
      size(figure, look.unit),
      about(figure),
      ...(found ? [`${show(found.ours.low)} … ${show(found.ours.high)}`, show(found.difference), show(explained), show(found.unexplained)] : []),
    ];
  });
  if (rows.length === 0) return ['', 'no figures of memory'];
  const head = ['device', 'counts', look.unit, '', ...(beside.size > 0 ? ['ours', 'difference', 'explained', 'unexplained'] : [])];
  const lines = columns([head, ...rows], ['left', 'left', 'right', 'left', 'right', 'right', 'right', 'right']);
  return ['', look.style('bold', lines[0]), ...lines.slice(1)];
}

const bullets = (title, lines, { style }) =>
  lines.length === 0
    ? []
    : ['', style('bold', title), ...lines.flatMap((line) => wrapped(line, '  ').map((part, at) => (at === 0 ? `- ${part}` : part)))];

/** A snapshot's segments, and its history, device by device. @param {any[] | undefined} devices @param {Look} look */
function snapshot(devices = [], { unit, style }) {
  const show = (amount) => `${inUnit(amount, unit)} ${unit}`;
  return devices.flatMap(({ device, segments, small, large, largest, entries, seconds, untold }) => [
    '',
    style('bold', `device ${device}: ${count(segments)} segments, ${show(large)} of them for large tensors, ${show(small)} for small ones`),
    ...columns(
      [
        ['segment', 'reserved', 'allocated', 'largest free', 'blocks'],
        ...largest.slice(0, 8).map((one) => [one.pool, show(one.bytes), show(one.allocated), show(one.largest_free), count(one.blocks)]),
      ],
      ['left', 'right', 'right', 'right', 'right'],
    ),
    ...(entries ? [`  history: ${count(entries)} entries${seconds === undefined ? '' : `, ${seconds.toFixed(1)} s`}`] : []),
    ...(untold ? ['  the history does not lead to what is held: it stopped before the snapshot was taken'] : []),
  ]);
}

/** @param {any} reply @param {Look} look */
export function reconciledText(reply, look) {
  const refused = (reply.refused ?? []).map(({ counter, value, why }) => `${counter} ${value}: ${why}`);
  const parts = (reply.compared ?? []).flatMap(({ figure, explained }) =>
    explained.map(({ by, bytes }) => `${reply.figures[figure].counter}: ${inUnit(bytes, look.unit)} ${look.unit} by ${by}`),
  );
  return [
    ...heading(reply, look),
    ...figures(reply, look),
    ...snapshot(reply.snapshot, look),
    ...bullets('Explained', parts, look),
    ...bullets(
      'What follows',
      (reply.advice ?? []).map(({ text }) => text),
      look,
    ),
    ...bullets('Refused', refused, look),
    ...(reply.refusal ? ['', `not estimated: ${reply.refusal.what}`] : []),
  ].join('\n');
}
