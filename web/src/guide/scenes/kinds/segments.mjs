// @ts-check
// Segments of PyTorch's allocator, a column each, as blocks are cut off them. A request for each matrix more while a model is loaded,
// and then the phases of its first step. Nothing but the last temporaries is freed on the way, so that the engine's answers say it
// all: what is reserved more than in the answer before is new segments, and blocks lie in them in the order in which they came. Small
// tensors share the first segment.

/** @typedef {import('../scene.mjs').Scene} Scene */
/** @typedef {{ phase: string, rows: any[], reserved: number, allocated: number, freed: boolean }} Moment */

/** What blocks hold, in the order in which they come; the last is what a step makes and lets go. */
const order = ['weights', 'gradients', 'optimizer', 'step_temporaries'];

/** @param {any[]} replies @returns {Moment[]} each phase that reserves more at its fullest, and the last as it ends */
function moments(replies) {
  const [last] = replies.slice(-1);
  const { first_step: run } = last.allocator;
  const loads = replies.map(({ rows, allocator }) => ({ ...allocator.first_step[0], rows, freed: false }));
  const grown = run.filter((/** @type {any} */ { reserved }, /** @type {number} */ at) => at > 0 && reserved > run[at - 1].reserved);
  const fullest = grown.map((/** @type {any} */ phase) => ({ ...phase, allocated: phase.peak, rows: last.rows, freed: false }));
  return [...loads, ...fullest, { ...run.at(-1), rows: last.rows, freed: true }];
}

/** How many blocks each row has: states that are there to stay, and what is left beside them. @param {Moment} moment @param {number} each */
function blocksIn({ phase, rows, allocated, freed }, each) {
  const of = (/** @type {string} */ id) => rows.find((/** @type {any} */ row) => row.id === id)?.by_phase[phase] ?? 0;
  const all = Math.floor(allocated / each);
  const temporary = rows.flatMap(({ rows: parts = [] }) => parts).find(({ id }) => id === 'step_temporaries')?.by_phase[phase] ?? 0;
  const stay = [of('weights'), of('gradients'), temporary > 0 ? of('optimizer') - temporary : 0].map((bytes) => Math.round(bytes / each));
  const left = all - stay.reduce((sum, count) => sum + count, 0);
  if (left < 0 || (freed && left > 0)) throw new Error('the blocks are not those that the allocator counts');
  return [...stay, left].flatMap((count, at) => Array.from({ length: count }, () => /** @type {string} */ (order[at])));
}

/** @param {Scene} _ @param {any[]} replies to a model of one matrix more each */
export function segments(_, replies) {
  const all = moments(replies);
  const weights = replies.map(({ rows }) => rows.find((/** @type {any} */ { id }) => id === 'weights').bytes);
  const each = weights[1] - weights[0];
  const more = all.map(({ reserved }, at) => reserved - (all[at - 1]?.reserved ?? 0));
  const segment = Math.min(...more.slice(1).filter((bytes) => bytes > 0));
  const small = all[0] ? all[0].reserved % segment : 0;
  const room = Math.floor(segment / each);
  const count = (/** @type {Moment} */ { reserved }) => (reserved - small) / segment;
  const most = Math.max(...all.map(count));
  return all.map((moment, at) => {
    const { phase, allocated, reserved, freed } = moment;
    const blocks = blocksIn(moment, each);
    if (blocks.length > count(moment) * room) throw new Error('the blocks do not lie in the segments that are reserved');
    const shared = allocated - blocks.length * each;
    const columns = Array.from({ length: most }, (_none, column) => {
      const there = blocks.slice(column * room, (column + 1) * room);
      const parts = order.flatMap((row) =>
        Array.from({ length: room }, (_slot, slot) => ({ row, amount: slot < there.filter((one) => one === row).length ? each : 0 })),
      );
      return [...parts, { row: 'slack', amount: column < count(moment) ? segment - there.length * each : 0 }];
    });
    const first = [
      { row: 'small_tensors', amount: shared },
      { row: 'slack', amount: small - shared },
    ];
    const gone = freed ? blocksIn(/** @type {Moment} */ (all[at - 1]), each).length - blocks.length : 0;
    const values = {
      phase: { word: `phase.${phase}` },
      blocks: { count: blocks.length },
      each: { bytes: each },
      segments: { count: count(moment) },
      segment: { bytes: segment },
      free: { bytes: reserved - allocated },
      gone: { count: gone },
    };
    const key = freed ? 'freed' : more[at] ? 'taken' : 'cut';
    return {
      say: { key: `scene.segments.${key}`, values },
      lanes: [{ id: 'segments', columns: true, stacks: [first, ...columns], bytes: reserved }],
    };
  });
}
