// `plimsoll plan`: a question in a file, or made of options; searched in parts, so that progress can be shown.

import { withNeighbours } from '../../answers/neighbours.mjs';
import { clustersOf, searched } from '../../answers/planning.mjs';
import { shown } from '../../files/shown.mjs';
import { load } from '../engine.mjs';
import { parsed } from '../output/json.mjs';
import { neighboursText, plannedText } from '../output/planned.mjs';
import { searching } from '../output/progress.mjs';
import { modelOf } from './models.mjs';
import { understood } from './names/meant.mjs';
import { err, lookOf, once, opened, print } from './printing.mjs';
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

/** Other devices beside those of a cluster: `a100-sxm-80gb:4x8`, nodes and devices of a node, with commas between kinds. */
function othersOf(text, cluster) {
  return text.split(',').map((one) => {
    const [, device, nodes, perNode] = /^([^:]+):(\d+)x(\d+)$/.exec(one.trim()) ?? [];
    if (!device) throw new UsageError(`--other-devices: "${one}" is not of the form ID:NODESxDEVICES`, 'plan');
    return {
      ...cluster,
      device: { preset: understood({ name: 'other-devices', kind: 'devices' }, device, (said) => err(shown(said))) },
      nodes: Number(nodes),
      devices_per_node: Number(perNode),
    };
  });
}

/** The question that options make: the device stands in the cluster. */
function questionOf({ device, ...request }, options) {
  const { 'global-batch': batch, 'other-devices': others, want, keep, room, sure } = options;
  const cluster = clusterOf(device, options);
  return {
    request,
    cluster: others === undefined ? cluster : [cluster, ...othersOf(others, cluster)],
    ...(batch !== undefined && { global_batch: batch }),
    ...(want !== undefined && { want }),
    ...(keep !== undefined && { keep }),
    ...(room !== undefined && { room }),
    ...(sure && { sure: true }),
  };
}

/** @returns {string} the reply: parts joined, or what the engine says of text that is no question */
function found(engine, text, progress) {
  const question = parsed(text);
  if (question === undefined || question === null || typeof question !== 'object' || 'part' in question) return engine.ask('plan', text);
  const ask = (part) => JSON.parse(engine.ask('plan', JSON.stringify(part)));
  return JSON.stringify(searched(question, parts, ask, progress));
}

export async function plan(argv) {
  const { files, chosen, flags, done } = opened('plan', argv);
  if (done) return 0;
  if (files.length > 1) throw new UsageError('plan takes one file (- for standard input), or options', 'plan');
  if (flags.neighbours && (flags.csv || flags.markdown)) throw new UsageError('--neighbours is told as text or as JSON', 'plan');
  const look = lookOf(flags, 'plan');
  const engineOnce = once(load);
  const [given] = requestsOf(files, chosen, { named: await modelOf(flags, engineOnce) });
  if (given.error) return print(JSON.stringify(given.error), flags.json, () => '') ? 0 : 1;
  const json = parsed(given.text);
  const asked =
    json && typeof json === 'object' && ('request' in json || files.length > 0) ? given.text : JSON.stringify(questionOf(json ?? {}, flags));
  const engine = await engineOnce();
  const progress = searching(process.stderr);
  let reply = found(engine, asked, progress.show);
  if (flags.neighbours) reply = JSON.stringify(await withNeighbours(parsed(asked), JSON.parse(reply), engine));
  progress.clear();
  const form = { ...flags, several: clustersOf(parsed(asked)).length > 1 };
  const besideText = ({ layouts, neighbours = [] }) => (neighbours.length > 0 ? `\n\n${neighboursText(layouts[0], neighbours, look)}` : '');
  const text = (answer) => plannedText(answer, look, form) + besideText(answer);
  return print(reply, flags.json, text, asked) ? 0 : 1;
}
