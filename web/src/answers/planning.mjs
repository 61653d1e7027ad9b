// A search over layouts in parts, whose replies are joined as if there had been one.

/** A question for each cluster: a layout runs on devices of one kind. @param {any} question */
export const clustersOf = (question) =>
  Array.isArray(question?.cluster) && question.cluster.length > 0 ? question.cluster.map((cluster) => ({ ...question, cluster })) : [question];

/** The parts of a search, to be asked one after the other or side by side: so many of each cluster. @param {object} question @param {number} of */
export const partsOf = (question, of) => clustersOf(question).flatMap((one) => Array.from({ length: of }, (_, at) => ({ ...one, part: [at, of] })));

const deviceText = ({ preset, ...device }) => preset ?? JSON.stringify(device);

/** Of several kinds of devices, the one that a layout runs on. */
export const deviceOf = ({ request: { device = {} } }) => deviceText(device);

/** The cluster that a layout runs on: the first of its kind that has enough devices. @param {any} question @param {any} layout */
export function clusterOf({ cluster, request }, layout) {
  if (!Array.isArray(cluster)) return cluster;
  const own = cluster.filter(({ device = request.device ?? {} }) => deviceText(device) === deviceOf(layout));
  return own.find(({ devices_per_node: perNode = 8, nodes = 1 }) => perNode * nodes >= layout.devices) ?? own[0] ?? cluster[0];
}

const before = (one, other) => {
  const at = one.rank.findIndex((value, place) => value !== other.rank[place]);
  return at < 0 ? 0 : one.rank[at] - other.rank[at];
};

const tradeOf = (layout, timed) => [
  layout.bytes,
  layout.devices,
  layout.recompute ?? 0,
  layout.bubble ?? 0,
  layout.sent_between,
  timed ? (layout.step?.seconds ?? layout.step?.roof ?? 0) : 0,
];

/** Whether one is at least as good in everything and better in something, or the same and ahead. `timed`: in time as well. */
function beats(one, other, timed) {
  const [ours, theirs] = [tradeOf(one, timed), tradeOf(other, timed)];
  if (ours.some((value, at) => value > theirs[at])) return false;
  return ours.some((value, at) => value < theirs[at]) || before(one, other) < 0;
}

function refusalsOf(replies) {
  const all = new Map();
  for (const refusal of replies.flatMap(({ refusals }) => refusals)) {
    const key = JSON.stringify([refusal.code, refusal.where, refusal.what]);
    const known = all.get(key);
    if (known) known.count += refusal.count;
    else all.set(key, { ...refusal });
  }
  return [...all.values()];
}

/**
 * The replies of parts as one; an error of any of them is the answer.
 * @param {readonly any[]} replies @param {number} [keep] layouts in it, as the question says
 */
export function joined(replies, keep = 10) {
  const failed = replies.find(({ error }) => error);
  if (failed) return failed;
  const counted = {};
  for (const [name, count] of replies.flatMap((reply) => Object.entries(reply.counted))) counted[name] = (counted[name] ?? 0) + count;
  const front = replies.flatMap((reply) => reply.front);
  return {
    schema: 1,
    want: replies[0].want,
    layouts: replies
      .flatMap(({ layouts }) => layouts)
      .sort(before)
      .slice(0, keep),
    front: front
      .filter((one) => !front.some((other) => beats(other, one, replies[0].want === 'shortest_step')))
      .sort(before)
      .slice(0, keep),
    counted,
    refusals: refusalsOf(replies),
  };
}

/**
 * A search in so many parts of each cluster, one after the other, until one of them fails.
 * @template Q @param {Q & {keep?: number}} question @param {number} of @param {(part: any) => any} ask one part's reply
 * @param {(share: number) => void} [progress] of the parts that have come
 */
export function searched(question, of, ask, progress = () => {}) {
  const parts = partsOf(question, of);
  const replies = [];
  for (const part of parts) {
    replies.push(ask(part));
    if (replies.at(-1).error) break;
    progress(replies.length / parts.length);
  }
  return joined(replies, question.keep);
}

/** Degrees as people write them. */
export const degreeNames = { data: 'DP', tensor: 'TP', pipeline: 'PP', context: 'CP', expert: 'EP' };

/** A layout's degrees as people write them: `DP 4 · TP 8`. Those of 1 are left out. */
export function degreesText({ request: { parallel = {}, devices } }) {
  const divided = Object.entries(degreeNames).flatMap(([name, short]) => (parallel[name] > 1 ? [`${short} ${parallel[name]}`] : []));
  return divided.join(' · ') || `${devices ?? 1} × 1`;
}

/** Who divides what copies have in common: `megatron, ZeRO 1`. */
export function shardingText({ request: { parallel = {} } }) {
  if (!parallel.framework) return '';
  return parallel.zero === undefined ? parallel.framework : `${parallel.framework}, ZeRO ${parallel.zero}`;
}

/** What else it chose of the pipeline and of the tokens between products. */
export function furtherText({ request: { parallel = {} } }) {
  return [
    ...(parallel.virtual_stages > 1 ? [`virtual stages ${parallel.virtual_stages}`] : []),
    ...(parallel.sequence_parallel ? ['sequence parallel'] : []),
  ].join(', ');
}
