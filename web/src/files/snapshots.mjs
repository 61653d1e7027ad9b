// @ts-check
// Whether a file is a snapshot of memory.

/** Bytes of a file's beginning that tell what it is. */
export const headBytes = 4096;

/** Keys that a snapshot has near its beginning, whole or of segments alone. An index of shards begins with a `total_size`, too. */
const keys = /"(segments|device_traces|allocated_size|segment_type)"\s*:/;

/**
 * Whether a file is a snapshot, by its beginning: a pickle of a protocol that has a sign of its own, or JSON with a snapshot's keys.
 * @param {Uint8Array} head @returns {'pickle' | 'json' | undefined}
 */
export function snapshotKind(head) {
  const [first, second = 0xff] = head;
  if (first === 0x80 && second <= 5) return 'pickle';
  const text = new TextDecoder().decode(head.subarray(0, headBytes)).trimStart();
  return /^[{[]/.test(text) && keys.test(text) ? 'json' : undefined;
}
