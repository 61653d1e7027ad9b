// Which devices of a cluster form which group, numbered as Megatron-LM does: tensor first, then context, data, pipeline. A group of
// experts is a run of devices within a stage.

/** @typedef {{tensor?: number, context?: number, data?: number, pipeline?: number, expert?: number}} Degrees */

/** Kinds of groups, by how they are numbered. */
export const kinds = ['tensor', 'context', 'data', 'pipeline', 'expert'];

/** Boxes of a picture at most, and cells of a box: with their texts some 180 nodes of the page. */
export const mostBoxes = 8;
export const mostCells = 8;

const degreesOf = ({ tensor = 1, context = 1, data = 1, pipeline = 1, expert = 1 }) => ({ tensor, context, data, pipeline, expert });

/** Where a device stands along each degree. @param {number} rank @param {Degrees} parallel */
export function placeOf(rank, parallel) {
  const { tensor, context, data } = degreesOf(parallel);
  const stage = tensor * context * data;
  return {
    tensor: rank % tensor,
    context: Math.floor(rank / tensor) % context,
    data: Math.floor(rank / (tensor * context)) % data,
    pipeline: Math.floor(rank / stage),
  };
}

/** The number of a device's group of each kind. @param {number} rank @param {Degrees} parallel */
export function groupsOf(rank, parallel) {
  const { tensor, context, data, expert } = degreesOf(parallel);
  const at = placeOf(rank, parallel);
  const stage = tensor * context * data;
  return {
    tensor: Math.floor(rank / tensor),
    context: (at.pipeline * data + at.data) * tensor + at.tensor,
    data: (at.pipeline * context + at.context) * tensor + at.tensor,
    pipeline: rank % stage,
    expert: at.pipeline * Math.ceil(stage / expert) + Math.floor((rank % stage) / expert),
  };
}

const edge = (stage, stages) => (stage === 0 ? 'first' : stage === stages - 1 && 'last') || 'between';

/** What makes two nodes alike, from all that tells them apart to the little that always leaves few. */
const likenesses = [
  ({ tensor, context, pipeline }) => `${pipeline}.${context}.${tensor}`,
  ({ pipeline }) => `${pipeline}`,
  ({ pipeline }, stages) => edge(pipeline, stages),
];

function boxesBy(likeness, devices, parallel, perNode) {
  const { pipeline: stages } = degreesOf(parallel);
  const boxes = new Map();
  for (let first = 0; first < devices; first += perNode) {
    const ranks = Array.from({ length: Math.min(perNode, devices - first) }, (_, at) => first + at);
    const key = ranks.map((rank) => likeness(placeOf(rank, parallel), stages)).join();
    const known = boxes.get(key);
    if (known) known.count += 1;
    else boxes.set(key, { first: first / perNode, count: 1, ranks });
  }
  return [...boxes.values()];
}

/** Devices of a box as a few cells: of more, each cell stands for several that follow each other. */
function cellsOf(ranks, parallel) {
  const each = Math.ceil(ranks.length / mostCells);
  const firsts = ranks.filter((_, at) => at % each === 0);
  return firsts.map((rank, at) => {
    const last = ranks[Math.min((at + 1) * each, ranks.length) - 1];
    return {
      first: rank,
      count: last - rank + 1,
      stages: [placeOf(rank, parallel).pipeline, placeOf(last, parallel).pipeline],
      groups: groupsOf(rank, parallel),
    };
  });
}

/**
 * A cluster as few boxes of few cells, whatever its size: nodes that are alike are one box with their number.
 * @param {Degrees} parallel @param {number} devices @param {number} perNode
 */
export function pictured(parallel, devices, perNode) {
  let boxes = [];
  for (const likeness of likenesses) {
    boxes = boxesBy(likeness, devices, parallel, perNode);
    if (boxes.length <= mostBoxes) break;
  }
  const shown = boxes.length > mostBoxes ? [...boxes.slice(0, mostBoxes - 1), boxes.at(-1)] : boxes;
  const left = boxes.filter((box) => !shown.includes(box)).reduce((sum, { count }) => sum + count, 0);
  return { boxes: shown.map(({ first, count, ranks }) => ({ first, count, cells: cellsOf(ranks, parallel) })), left };
}

/** Groups of each kind, and devices in one; kinds that divide nothing are left out. @param {Degrees} parallel */
export function sizesOf(parallel) {
  const degrees = degreesOf(parallel);
  const devices = degrees.tensor * degrees.context * degrees.data * degrees.pipeline;
  return kinds.filter((kind) => degrees[kind] > 1).map((kind) => ({ kind, size: degrees[kind], groups: devices / degrees[kind] }));
}
