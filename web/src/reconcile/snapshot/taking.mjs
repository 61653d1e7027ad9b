// @ts-check
// A text or a file's bytes, of which either may be a snapshot of memory.

import { snapshotIn } from './reading.mjs';
import { headBytes, snapshotKind } from '../../files/snapshots.mjs';

/** The bytes of a text that is a snapshot as JSON. @param {string} text */
function asBytes(text) {
  const like = /^\s*[{[]/.test(text) && snapshotKind(new TextEncoder().encode(text.slice(0, headBytes)));
  return like ? new TextEncoder().encode(text) : undefined;
}

/**
 * A snapshot as it is read, and any other text as it is.
 * @param {string | Uint8Array} from @returns {string | object}
 */
export function taken(from) {
  const bytes = typeof from === 'string' ? asBytes(from) : from;
  if (bytes === undefined) return from;
  return snapshotKind(bytes) ? snapshotIn(bytes) : new TextDecoder().decode(bytes);
}
