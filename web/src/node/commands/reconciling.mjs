// `plimsoll reconcile`: what a tool printed, beside what is answered here for the same thing.

import { createReadStream, openSync, readSync, closeSync } from 'node:fs';

import { readSnapshot } from '../../reconcile/snapshot/reading.mjs';
import { headBytes, snapshotKind } from '../../files/snapshots.mjs';
import { SnapshotError } from '../../reconcile/snapshot/kept.mjs';
import { load } from '../engine.mjs';
import { reconciler } from '../logs.mjs';
import { reconciledText } from '../output/reconciled.mjs';
import { measuringText, suiting, words } from '../measuring.mjs';
import { lookOf, opened, out, outJson, print } from './printing.mjs';
import { errorReply, readText } from './requests.mjs';
import { UsageError, unknown } from './usage.mjs';

/** How a file's bytes would be read as a snapshot of memory; nothing for what is none, or not there. @param {string} path */
function snapshotAt(path) {
  if (path === '-') return undefined;
  const head = new Uint8Array(headBytes);
  try {
    const file = openSync(path, 'r');
    const length = readSync(file, head);
    closeSync(file);
    return snapshotKind(head.subarray(0, length));
  } catch {
    return undefined; // reading it as text says why
  }
}

/** What a file says: a snapshot portion by portion, a text as a whole. @param {string} path @returns {Promise<{said?: string | object, error?: object}>} */
async function saidIn(path) {
  const kind = snapshotAt(path);
  if (!kind) {
    const { text, error } = readText(path);
    return { said: text, error };
  }
  try {
    return { said: await readSnapshot(kind, createReadStream(path, { highWaterMark: 2 ** 18 })) };
  } catch (fault) {
    if (!(fault instanceof SnapshotError)) throw fault;
    return { error: errorReply(`file.${fault.code}`, path, fault.message) };
  }
}

/** Lines that measure memory, for what words name. @param {string[]} wanted @param {{json?: boolean, unit?: string}} flags */
function how(wanted, flags) {
  const known = words();
  for (const word of wanted) if (!known.includes(word)) throw unknown('word', word, known, 'reconcile');
  const chosen = suiting(wanted);
  if (flags.json) outJson(JSON.stringify(chosen));
  else out(chosen.length > 0 ? measuringText(chosen, lookOf(flags, 'reconcile')) : `nothing measures ${wanted.join(' and ')} together`);
  return chosen.length > 0 ? 0 : 1;
}

/** @param {string[]} argv @returns {Promise<number>} the exit status */
export async function reconcile(argv) {
  const { files, flags, done } = opened('reconcile', argv);
  if (done) return 0;
  if (flags.how) return how(files, flags);
  if (files.length === 0) throw new UsageError('reconcile needs files (- for standard input)', 'reconcile');
  const look = lookOf(flags, 'reconcile');
  const asked = await reconciler(load);
  let answered = 0;
  for (const [i, path] of files.entries()) {
    const { said, error } = await saidIn(path);
    const reply = error ? undefined : await asked(said);
    if (i > 0 && !flags.json) out('');
    if (print(JSON.stringify(reply ?? error), flags.json, (found) => reconciledText(found, look))) ++answered;
  }
  return answered === files.length ? 0 : 1;
}
