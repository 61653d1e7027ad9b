// @ts-check
// A snapshot's values as figures: what the segments hold, and how much was there at most while the history was recorded.
// What each counts: PyTorch, c10/cuda/CUDACachingAllocator.cpp. An entry of the history has the size that was asked for, a block
// also the size that it was rounded up to.

import { SnapshotError } from './kept.mjs';

/** Points of a course at most: each has the most of its stretch. */
const points = 480;

/** Blocks that are looked at, at most: a pickle may speak of one list many times. */
const mostBlocks = 2 ** 24;

/** Larger than any memory, and still a whole number. */
const mostBytes = 2 ** 50;

/** @param {string} what @returns {never} */
const unlike = (what) => {
  throw new SnapshotError('unlike', `it is no snapshot of memory: ${what}`);
};

/** @param {any} value @param {string} of @returns {number} */
const size = (value, of) => (Number.isSafeInteger(value) && value >= 0 && value <= mostBytes ? value : unlike(`${of} is no size`));

/** @param {any} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : []);

/** @param {any} value @returns {number} */
const index = (value) => (Number.isInteger(value) && value >= 0 && value < 4096 ? value : unlike('a device has no number'));

const empty = () => ({ allocated: 0, active: 0, requested: 0, reserved: 0, asked: true, segments: /** @type {Record<string, any>[]} */ ([]) });

/** What one segment has; `largest` is its largest free block. @param {any} segment */
function segmentOf(segment) {
  const blocks = list(segment.blocks);
  let [requested, asked, largest] = [0, true, 0];
  for (const block of blocks) {
    const { size: whole, state, requested_size: own } = block ?? {};
    if (state === 'active_allocated') {
      requested += size(own ?? whole, 'requested_size');
      asked &&= own !== undefined;
    }
    if (state === 'inactive') largest = Math.max(largest, size(whole, 'size'));
  }
  const allocated = size(segment.allocated_size, 'allocated_size');
  return {
    blocks: blocks.length,
    bytes: size(segment.total_size, 'total_size'),
    allocated,
    active: size(segment.active_size ?? allocated, 'active_size'),
    requested,
    asked,
    largest,
    pool: segment.segment_type === 'small' ? 'small' : 'large',
  };
}

/** @param {any[]} segments @returns {Map<number, ReturnType<typeof empty>>} */
function byDevice(segments) {
  const found = new Map();
  let blocks = 0;
  for (const segment of segments) {
    if (typeof segment !== 'object' || segment === null) unlike('a segment is none');
    blocks += list(segment.blocks).length;
    if (blocks > mostBlocks) unlike('it has more blocks than any memory');
    const one = segmentOf(segment);
    const at = index(segment.device ?? 0);
    if (!found.has(at)) found.set(at, empty());
    const sum = found.get(at);
    sum.allocated += one.allocated;
    sum.active += one.active;
    sum.requested += one.requested;
    sum.reserved += one.bytes;
    sum.asked &&= one.asked;
    sum.segments.push({ bytes: one.bytes, allocated: one.allocated, blocks: one.blocks, largest_free: one.largest, pool: one.pool });
  }
  return found;
}

/** How an entry of the history changes what tensors have asked for, and what is reserved. @type {Record<string, readonly [number, number]>} */
const changes = {
  alloc: [1, 0],
  free_requested: [-1, 0],
  segment_alloc: [0, 1],
  segment_map: [0, 1],
  segment_free: [0, -1],
  segment_unmap: [0, -1],
};

/** The sums of all changes. @param {any[]} trace @returns {[number, number]} */
function netOf(trace) {
  const net = /** @type {[number, number]} */ ([0, 0]);
  for (const entry of trace) {
    const [tensors, reserved] = changes[entry?.action] ?? [0, 0];
    if (tensors === 0 && reserved === 0) continue;
    const bytes = size(entry.size, 'size');
    net[0] += tensors * bytes;
    net[1] += reserved * bytes;
  }
  return net;
}

/**
 * The course of memory over a history, which ends at what the segments hold. Where it would begin below nothing, the history was cut
 * off or stopped before the snapshot was taken, and is not told.
 * @param {any[]} trace @param {{requested: number, reserved: number}} end
 */
function courseOf(trace, { requested, reserved: last }) {
  const net = netOf(trace);
  let [tensors, reserved] = [requested - net[0], last - net[1]];
  if (trace.length === 0 || tensors < 0 || reserved < 0) return undefined;
  const count = Math.min(points, trace.length);
  const course = { tensors: Array(count).fill(0), reserved: Array(count).fill(0) };
  const peak = { tensors, reserved };
  for (const [i, entry] of trace.entries()) {
    const [of, from] = changes[entry?.action] ?? [0, 0];
    const bytes = of || from ? entry.size : 0;
    tensors += of * bytes;
    reserved += from * bytes;
    if (tensors < 0 || reserved < 0) return undefined;
    peak.tensors = Math.max(peak.tensors, tensors);
    peak.reserved = Math.max(peak.reserved, reserved);
    const at = Math.floor((i * count) / trace.length);
    course.tensors[at] = Math.max(course.tensors[at], tensors);
    course.reserved[at] = Math.max(course.reserved[at], reserved);
  }
  const times = [trace[0]?.time_us, trace.at(-1)?.time_us];
  const seconds = times.every((one) => Number.isFinite(one)) ? Math.max(0, times[1] - times[0]) / 1e6 : undefined;
  return { peak, entries: trace.length, ...(seconds !== undefined && { seconds }), course };
}

/** @param {string} counter @param {number} bytes @param {number} device @param {string} line */
const figure = (counter, bytes, device, line) => ({ counter, value: bytes, bytes, low: bytes, high: bytes, device, line, estimate: false });

/** The last request that failed. @param {any[]} trace @param {number} device */
function failure(trace, device) {
  const failed = trace.findLast((entry) => entry?.action === 'oom');
  if (!failed) return [];
  const free =
    failed.device_free === undefined
      ? []
      : [figure('device_free', size(failed.device_free, 'device_free'), device, 'device_traces: oom, device_free')];
  return [figure('requested', size(failed.size, 'size'), device, 'device_traces: oom, size'), ...free];
}

/** Segments shown one by one, the largest first. */
const shown = 64;

/** @param {number} device @param {ReturnType<typeof empty>} held @param {any[]} trace */
function deviceOf(device, held, trace) {
  const course = courseOf(trace, held);
  const { segments } = held;
  const pool = (/** @type {string} */ name) => segments.filter((one) => one.pool === name).reduce((sum, { bytes }) => sum + bytes, 0);
  const figures = [
    figure('allocated', held.allocated, device, 'segments: allocated_size'),
    figure('active', held.active, device, 'segments: active_size'),
    ...(held.asked ? [figure('tensors', held.requested, device, 'segments: blocks, requested_size')] : []),
    figure('reserved', held.reserved, device, 'segments: total_size'),
    ...(course
      ? [
          figure('tensors_peak', course.peak.tensors, device, 'device_traces: alloc, free_requested'),
          figure('reserved_peak', course.peak.reserved, device, 'device_traces: segment_alloc, segment_free'),
        ]
      : []),
    ...failure(trace, device),
  ];
  const all = [...segments].sort((a, b) => b.bytes - a.bytes);
  const told = {
    device,
    segments: all.length,
    small: pool('small'),
    large: pool('large'),
    largest: all.slice(0, shown),
    ...(course && { entries: course.entries, ...(course.seconds !== undefined && { seconds: course.seconds }), course: course.course }),
    ...(trace.length > 0 && !course && { untold: true }),
  };
  return { figures, told };
}

/**
 * @param {any} value as `_snapshot()` or `memory_snapshot()` return it: a dictionary of segments and histories, or segments alone
 * @returns {any} a reply about a log
 */
export function snapshotReply(value) {
  const whole = Array.isArray(value) ? { segments: value } : value;
  if (typeof whole !== 'object' || whole === null || !Array.isArray(whole.segments)) unlike('it has no segments');
  const held = byDevice(whole.segments);
  const traces = list(whole.device_traces);
  for (const [device, trace] of traces.entries()) if (list(trace).length > 0 && !held.has(device)) held.set(device, empty());
  const devices = [...held].sort(([a], [b]) => a - b).map(([device, sum]) => deviceOf(device, sum, list(traces[device])));
  return {
    schema: 1,
    tool: 'torch-snapshot',
    version: null,
    settings: {},
    stated: {},
    figures: devices.flatMap(({ figures }) => figures),
    refused: [],
    snapshot: devices.map(({ told }) => told),
  };
}
