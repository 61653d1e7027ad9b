// A snapshot's file, read in the page: portion by portion, with the page's turns in between.

import { Turns } from '../../answers/filling.ts';
import type { ReconcileReply } from '../../engine/wire.d.ts';
import { readOnly } from '../reconciling.mjs';
import { readSnapshot } from './reading.mjs';
import { snapshotKind } from '../../files/snapshots.mjs';

/** Bytes of a portion: some milliseconds of reading. */
const portion = 2 ** 17;

/** Whoever waits has gone. */
class Unwanted extends Error {}

async function* portionsOf(file: File, wanted: (share: number) => boolean): AsyncGenerator<Uint8Array> {
  const turns = new Turns();
  for (let at = 0; at < file.size; at += portion) {
    await turns.breathe();
    if (!wanted(at / file.size)) throw new Unwanted();
    yield new Uint8Array(await file.slice(at, at + portion).arrayBuffer());
  }
}

/**
 * What a snapshot says; nothing where nobody waits any longer. Rejects with a SnapshotError where it is none.
 * @param wanted is told how much is read, from 0 to 1, and says whether anyone still waits
 */
export async function readFile(file: File, wanted: (share: number) => boolean): Promise<ReconcileReply | undefined> {
  const kind = snapshotKind(new Uint8Array(await file.slice(0, 4096).arrayBuffer())) ?? 'json';
  try {
    const said: unknown = await readSnapshot(kind, portionsOf(file, wanted));
    return readOnly(said as object, { read: () => said, catalog: { models: [], encodings: [] } }) as ReconcileReply;
  } catch (fault) {
    if (fault instanceof Unwanted) return undefined;
    throw fault;
  }
}
