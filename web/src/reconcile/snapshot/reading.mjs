// @ts-check
// Which reader takes a file, and a file taken portion by portion.

import { JsonReader } from './json.mjs';
import { SnapshotError } from './kept.mjs';
import { PickleReader } from './pickle.mjs';
import { snapshotReply } from './summing.mjs';
import { snapshotKind } from '../../files/snapshots.mjs';

/** The reader of a kind. @param {'pickle' | 'json'} kind */
const readerOf = (kind) => (kind === 'pickle' ? new PickleReader() : new JsonReader());

/**
 * What a snapshot says, as a reply about a log.
 * @param {'pickle' | 'json'} kind @param {Iterable<Uint8Array> | AsyncIterable<Uint8Array>} portions of the file
 * @returns {Promise<any>} as presets/schema/reconcile_reply.json describes; rejects with a SnapshotError where it is none
 */
export async function readSnapshot(kind, portions) {
  const reader = readerOf(kind);
  for await (const bytes of portions) reader.take(bytes);
  reader.take(new Uint8Array(0), true);
  return snapshotReply(reader.value);
}

/** The same of a whole file. @param {Uint8Array} bytes @returns {any} */
export function snapshotIn(bytes) {
  const kind = snapshotKind(bytes);
  if (!kind) throw new SnapshotError('unlike', 'it is no snapshot of memory');
  const reader = readerOf(kind);
  reader.take(bytes, true);
  return snapshotReply(reader.value);
}
