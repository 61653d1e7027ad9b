// `plimsoll plan`: a question in a file, or made of options; searched in parts, so that progress can be shown.

import { whyNot } from '../../answers/neighbours.mjs';
import { joined, partsOf } from '../../answers/planning.mjs';
import { load } from '../engine.mjs';
import { parsed } from '../output/json.mjs';
import { neighboursText, plannedText } from '../output/planned.mjs';
import { searching } from '../output/progress.mjs';
import { modelOf } from './models.mjs';
import { lookOf, once, opened, print } from './printing.mjs';
import { requestsOf } from './requests.mjs';
import { UsageError } from './usage.mjs';

const parts = 4;

const gigabyte = 1e9;

/** The devices, and how fast they reach each other. */
function clusterOf(device, { nodes, 'devices-per-node': perNode, 'bandwidth-within': within, 'bandwidth-between': between }) {
  return {
    device,
    ...(perNode !== undefined && { devices_per_node: perNode }),
    ...(nodes !== undefined && { nodes }),
    ...(within !== undefined && { bandwidth_within: Math.round(within * gigabyte) }),
    ...(between !== undefined && { bandwidth_between: Math.round(between * gigabyte) }),
  };
}

/** The question that options make: the device stands in the cluster. */
function questionOf({ device, ...request }, options) {
  const { 'global-batch': batch, want, keep, room, sure } = options;
  return {
    request,
    cluster: clusterOf(device, options),
    ...(batch !== undefined && { global_batch: batch }),
    ...(want !== undefined && { want }),
    ...(keep !== undefined && { keep }),
    ...(room !== undefined && { room }),
    ...(sure && { sure: true }),
  };
}

/** @returns {string} the reply: parts joined, or what the engine says of text that is no question */
function searched(engine, text, progress) {
  const question = parsed(text);
  if (question === undefined || question === null || typeof question !== 'object' || 'part' in question) return engine.ask('plan', text);
  const replies = [];
  for (const part of partsOf(question, parts)) {
    replies.push(JSON.parse(engine.ask('plan', JSON.stringify(part))));
    if (replies.at(-1).error) break;
    progress(replies.length / parts);
  }
  return JSON.stringify(joined(replies, question.keep));
}

/** Why the neighbours of the best layout are no better; undefined where none fits. */
async function neighboursIn(engine, asked, reply) {
  const [best] = JSON.parse(reply).layouts ?? [];
  const ask = (verb) => (text) => JSON.parse(engine.ask(verb, text));
  return best && whyNot(JSON.parse(asked), best, { plan: ask('plan'), estimate: ask('estimate') });
}

export async function plan(argv) {
  const { files, chosen, flags, done } = opened('plan', argv);
  if (done) return 0;
  if (files.length > 1) throw new UsageError('plan takes one file (- for standard input), or options', 'plan');
  if (flags.neighbours && (flags.json || flags.csv || flags.markdown)) throw new UsageError('--neighbours is told as text alone', 'plan');
  const look = lookOf(flags, 'plan');
  const engineOnce = once(load);
  const [given] = requestsOf(files, chosen, { named: await modelOf(flags, engineOnce) });
  if (given.error) return print(JSON.stringify(given.error), flags.json, () => '') ? 0 : 1;
  const json = parsed(given.text);
  const asked =
    json && typeof json === 'object' && ('request' in json || files.length > 0) ? given.text : JSON.stringify(questionOf(json ?? {}, flags));
  const engine = await engineOnce();
  const progress = searching(process.stderr);
  const reply = searched(engine, asked, progress.show);
  const beside = flags.neighbours ? await neighboursIn(engine, asked, reply) : undefined;
  progress.clear();
  const text = (answer) => plannedText(answer, look, flags) + (beside?.length > 0 ? `\n\n${neighboursText(answer.layouts[0], beside, look)}` : '');
  return print(reply, flags.json, text, asked) ? 0 : 1;
}
