// @ts-check
// What readers of snapshots share: what of a snapshot is kept, its bounds, and why one is not read.
// Fields: PyTorch, torch/csrc/cuda/Module.cpp, THCPModule_memorySnapshot; torch/cuda/memory.py, _snapshot.

/** Why a file is no snapshot, or none that is read here. */
export class SnapshotError extends Error {
  /** @param {'damaged' | 'forbidden' | 'unlike'} code @param {string} what */
  constructor(code, what) {
    super(what);
    this.code = code;
  }
}

/** @param {string} what @returns {never} */
export const damaged = (what) => {
  throw new SnapshotError('damaged', `the file is damaged: ${what}`);
};

/** Keys that are counted; the call stacks, which are most of a file, are not. */
export const kept = new Set([
  'segments',
  'device_traces',
  'device',
  'total_size',
  'allocated_size',
  'active_size',
  'requested_size',
  'segment_type',
  'stream',
  'blocks',
  'size',
  'state',
  'action',
  'time_us',
  'device_free',
]);

/** Letters of the longest text that anything here is called by; of a longer one nobody reads more. */
export const longest = 64;

/** Values within values at most: a snapshot has a dozen. */
export const deepest = 128;

const nothing = new Uint8Array(0);

/** What was left of a portion, and the next one. @param {Uint8Array} rest @param {Uint8Array} bytes */
export function joined(rest, bytes) {
  if (rest.length === 0) return bytes;
  const all = new Uint8Array(rest.length + bytes.length);
  all.set(rest);
  all.set(bytes, rest.length);
  return all;
}

/** What has not been read, as bytes of its own: a view would hold the whole portion. @param {Uint8Array} all @param {number} at */
export const restOf = (all, at) => (at === all.length ? nothing : all.slice(at));
