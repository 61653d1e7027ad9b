// The commands that make one answer of many replies: solve, fit, compare.

import { compared } from '../../answers/comparing.mjs';
import { devicesFor, encodingsAt, modelsOn, speedOf } from '../../answers/fits.mjs';
import { families } from '../../library/families.mjs';
import { comparedText, edgeText, fitTable } from '../output/answers.mjs';
import { preset, presets } from '../presets.mjs';
import { count, inUnit } from '../../library/units.mjs';
import { reportText } from '../output/report.mjs';
import { solvedLine } from '../output/solved.mjs';
import { requestOptions } from './options.mjs';
import { UsageError, unknown } from './usage.mjs';

/** The paths of what `--find` names. @param {readonly string[]} names */
export const fieldsOf = (names) => names.map(fieldOf);

/** The path of what an option or a path names, such as `context` or `inference.context`. */
function fieldOf(name) {
  const options = requestOptions.flatMap((group) => group.options).filter(({ field }) => field);
  const found = options.find((option) => option.name === name || option.field === name);
  if (!found)
    throw unknown(
      'field',
      name,
      options.map((option) => option.name),
      'estimate',
    );
  return found.field;
}

/** The question that `--find`, `--sure` and the limits make of a request. */
export function questionOf(request, fields, { sure, limit: bytes, 'limit-latency': token_seconds, 'limit-speed': tokens_per_second }) {
  const limit = { bytes, token_seconds, tokens_per_second };
  const given = Object.entries(limit).filter(([, value]) => value !== undefined);
  return {
    request,
    find: fields.length === 1 ? fields[0] : fields,
    ...(sure && { sure: true }),
    ...(given.length > 0 && { limit: Object.fromEntries(given) }),
  };
}

/** A search's reply as text. */
export function solveText(reply, look) {
  if (reply.edge) return edgeText(reply, look);
  const lines = [look.style('bold', solvedLine(reply))];
  if (reply.needed !== undefined)
    lines.push(`  at least ${inUnit(reply.needed, look.unit)} ${look.unit} are needed, ${inUnit(reply.over, look.unit)} ${look.unit} too much`);
  if (reply.each === false) lines.push('  of a long range those values were tried that lie near the edge, not each');
  if (reply.untold !== undefined) lines.push(`  values whose speed is not told were passed over: ${reply.untold}`);
  for (const { first, last } of reply.again ?? []) lines.push(`  fits again: ${count(first)} to ${count(last)}`);
  const at = reply.reply ?? reply.next_reply;
  return at ? [...lines, '', reportText(at, look)].join('\n') : lines.join('\n');
}

const contexts = [4096, 8192, 16384, 32768, 65536, 131072];

/** Which table a request asks for: by what it leaves open. */
function tableOf(engine, request) {
  const ask = (command, question) => JSON.parse(engine.ask(command, JSON.stringify(question)));
  if (!request.model && request.device)
    return {
      kind: 'models',
      rows: modelsOn(
        ask,
        request,
        families(presets('models')).flatMap((family) => family.models),
      ),
    };
  if (request.model && !request.device) return { kind: 'devices', rows: devicesFor(ask, request, presets('devices')) };
  if (!request.model) throw new UsageError('fit needs --device, --model, or both', 'fit');
  const asked = request.inference?.context ? [request.inference.context] : contexts;
  return { kind: 'encodings', rows: encodingsAt(ask, request, asked, (id) => preset('encodings', id)?.name ?? id) };
}

/** What fits, as rows. @param {object} request @param {(done: number) => void} progress */
export function fitting(engine, request, progress) {
  const { kind, rows } = tableOf(engine, request);
  const all = [];
  for (const row of rows) {
    all.push(row);
    progress(all.length);
  }
  return { schema: 1, kind, rows: all };
}

export const fitText = fitTable;

/** Requests side by side. @param {readonly object[]} requests @returns {object} a comparison, or the first refusal */
export function comparing(engine, requests) {
  const replies = requests.map((request) => JSON.parse(engine.ask('estimate', JSON.stringify({ ...request, explain: 'all' }))));
  const speeds = replies.map((reply) => speedOf(reply) ?? null);
  const timed = speeds.some((speed) => speed !== null);
  return replies.find((reply) => reply.error) ?? { ...compared(requests, replies), ...(timed && { speeds }) };
}

export const compareText = comparedText;
