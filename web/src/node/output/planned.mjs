// A search over layouts as text: the best, what nothing beats, and what became of all others.

import { kindOf } from '../../answers/neighbours.mjs';
import { degreeNames, degreesText, deviceOf, furtherText, shardingText } from '../../answers/planning.mjs';
import { tableText } from './forms.mjs';
import { duration } from './time.mjs';
import { count, inUnit as written, share } from '../../library/units.mjs';

const percent = (part) => share(part, 1);

/** Seconds of a step, or of a token of each sequence; or the fewest that there can be. */
const stepText = ({ step, token = step }) => {
  if (!token) return '';
  return token.seconds === undefined ? `≥ ${duration(token.roof)}` : duration(token.seconds);
};

const columnsOf = ({ training, timed, several }, unit, inUnit) => [
  ['layout', 'left', degreesText],
  ...(several ? [['on', 'left', deviceOf]] : []),
  ...(training
    ? [
        ['who divides', 'left', shardingText],
        ['recompute', 'left', ({ request }) => request.training?.checkpointing ?? ''],
        ['micro-batch', 'right', ({ micro_batch: size, accumulation }) => `${size} × ${accumulation}`],
        ['further', 'left', furtherText],
      ]
    : [['sequences', 'right', ({ sequences }) => (sequences === undefined ? '' : count(Math.floor(sequences)))]]),
  ...(timed ? [[training ? 'step' : 'token', 'right', stepText]] : []),
  ['devices', 'right', ({ devices }) => count(devices)],
  [unit, 'right', ({ process }) => inUnit(process, unit)],
  ['left', 'right', ({ free_bytes: free }) => inUnit(free, unit)],
  ['verdict', 'left', ({ verdict }) => verdict],
  ...(training
    ? [
        ['done twice', 'right', ({ recompute }) => percent(recompute)],
        ['waits', 'right', ({ bubble }) => percent(bubble)],
      ]
    : []),
  [`to nodes ${unit}`, 'right', ({ sent_between: sent }) => inUnit(sent, unit)],
];

function tableOf(layouts, look, form) {
  const shown = columnsOf(
    {
      training: layouts.some(({ micro_batch: size }) => size !== undefined),
      timed: layouts.some(({ step, token = step }) => token !== undefined),
      several: form.several,
    },
    form.csv ? 'bytes' : look.unit,
    form.csv ? String : written,
  );
  const cells = [shown.map(([head]) => head), ...layouts.map((layout) => shown.map(([, , text]) => text(layout)))];
  return tableText(
    cells,
    shown.map(([, align]) => align),
    look,
    form,
  );
}

/** What became of all layouts, a line each; the reasons of refusals with an example. */
function countedLines({ counted, refusals }) {
  const lines = [
    `${count(counted.all)} layouts: ${count(counted.refused)} refused, ${count(counted.bounded)} ruled out by a bound, ${count(counted.estimated)} computed`,
  ];
  const reach = counted.within_reach > 0 ? `, ${count(counted.within_reach)} more may fit and are no better` : '';
  lines.push(`${count(counted.fit)} shown to fit${reach}`);
  for (const { what, where, count: times, example } of refusals) {
    const { parallel = {} } = example;
    lines.push(`  ${count(times)} refused: ${where}: ${what} (such as ${degreesText({ request: { ...example, parallel } })})`);
  }
  return lines;
}

/** @param {any} reply @param {import('./look.mjs').Look} look @param {object} [form] csv or markdown; `several`: kinds of devices were asked of */
export function plannedText(reply, look, form = {}) {
  if (form.csv || form.markdown) return tableOf(reply.layouts, look, form);
  const lines = [];
  if (reply.layouts.length === 0) lines.push(look.style('bold', 'No layout fits.'));
  else lines.push(tableOf(reply.layouts, look, form));
  if (reply.front.length > 1) lines.push('', look.style('bold', 'None is better in everything than these'), tableOf(reply.front, look, form));
  return [...lines, '', ...countedLines(reply)].join('\n');
}

const words = {
  seconds: 'time',
  roof: 'time at least',
  recompute: 'done twice',
  bubble: 'waits',
  between: 'to nodes',
  within: 'within nodes',
  process: 'memory',
  devices: 'devices',
  sequences: 'sequences',
};

function figure(measure, value, unit) {
  const forms = {
    time: () => duration(value),
    count: () => count(Math.floor(value)),
    share: () => percent(value),
    bytes: () => written(value, unit),
  };
  return forms[kindOf(measure)]();
}

/** What differs as it is written; what is written alike is left out. */
const differing = (list, unit) =>
  list
    .map(({ measure, from, to }) => [words[measure], figure(measure, from, unit), figure(measure, to, unit)])
    .filter(([, from, to]) => from !== to)
    .map(([name, from, to]) => `${name} ${from} → ${to}`)
    .join(', ');

const shortFields = { ...degreeNames, zero: 'ZeRO', checkpointing: 'recompute', micro_batch: 'micro-batch' };

const changesText = (changes) => changes.map(({ field, from, to }) => `${shortFields[field.split('.')[1]]} ${from} → ${to}`).join(', ');

function reasonText(neighbour, unit) {
  const { kind, error, over, verdict } = neighbour;
  if (kind === 'refused') return `refused: ${error.where}: ${error.what}`;
  if (kind === 'unfit') return over > 0 ? `${written(over, unit)} ${unit} too large` : (verdict ?? 'does not fit');
  const [worse, better] = [differing(neighbour.worse, unit), differing(neighbour.better, unit)];
  const said = [...(worse ? [`worse: ${worse}`] : []), ...(better ? [`better: ${better}`] : [])].join('; ') || 'alike in all that is shown';
  return kind === 'ahead' ? `ranks ahead, and was not searched; ${said}` : said;
}

/** The layouts one step from the best, a line each. @param {any} best @param {readonly any[]} neighbours @param {import('./look.mjs').Look} look */
export function neighboursText(best, neighbours, look) {
  const cells = neighbours.map((one) => [changesText(one.changes), reasonText(one, look.unit)]);
  const head = look.style('bold', `One step from ${[degreesText(best), shardingText(best)].filter(Boolean).join(', ')} (${look.unit})`);
  return [head, tableText([['change', 'why not'], ...cells], ['left', 'left'], look, {})].join('\n');
}
