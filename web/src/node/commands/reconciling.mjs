// `plimsoll reconcile`: what a tool printed, beside what is answered here for the same thing.

import { load } from '../engine.mjs';
import { reconciler } from '../logs.mjs';
import { reconciledText } from '../output/reconciled.mjs';
import { lookOf, opened, out, print } from './printing.mjs';
import { readText } from './requests.mjs';
import { UsageError } from './usage.mjs';

/** @param {string[]} argv @returns {Promise<number>} the exit status */
export async function reconcile(argv) {
  const { files, flags, done } = opened('reconcile', argv);
  if (done) return 0;
  if (files.length === 0) throw new UsageError('reconcile needs files (- for standard input)', 'reconcile');
  const look = lookOf(flags, 'reconcile');
  const asked = await reconciler(load);
  let answered = 0;
  for (const [i, path] of files.entries()) {
    const { text, error } = readText(path);
    const reply = error ? undefined : await asked(text);
    if (i > 0 && !flags.json) out('');
    if (print(JSON.stringify(reply ?? error), flags.json, (found) => reconciledText(found, look))) ++answered;
  }
  return answered === files.length ? 0 : 1;
}
