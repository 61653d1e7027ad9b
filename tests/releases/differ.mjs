// What today's engine says otherwise than a release did: nothing that changes is silent.
//
//   node tests/releases/differ.mjs [--write] [--table FILE]
//
// replies.jsonl holds requests and the figures that the last release gave: total, verdict, or the refusal. What differs is
// listed by row. --write: today's figures become the release's.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { askNative } from '../native/native.mjs';
import { Random } from '../parity/random.mjs';
import { randomRequest } from '../properties/random.mjs';

const file = fileURLToPath(new URL('replies.jsonl', import.meta.url));
const { values: given } = parseArgs({ options: { write: { type: 'boolean' }, table: { type: 'string' } } });
/** As many as are read through at a glance when all of them change. */
const count = 200;

function figures(reply) {
  if (reply.error) return { refused: `${reply.error.code} at ${reply.error.where}` };
  const rows = Object.fromEntries((reply.rows ?? []).map(({ id, bytes }) => [id, bytes]));
  return { total: reply.total.process?.bytes ?? reply.total.bytes, ...(reply.fit && { verdict: reply.fit.verdict }), rows };
}

const asked = (requests) => askNative(requests.map((request) => JSON.stringify(request))).map((text) => figures(JSON.parse(text)));

/** Requests that are answered, drawn anew: what the presets offer today is among them. */
function drawn() {
  const random = new Random(20261123);
  const requests = Array.from({ length: 3 * count }, () => randomRequest(random));
  const replies = asked(requests);
  return requests
    .map((request, at) => ({ request, ...replies[at] }))
    .filter(({ refused }, at) => !refused || at % 10 === 0)
    .slice(0, count);
}

if (given.write) {
  const lines = drawn().map((line) => JSON.stringify(line));
  writeFileSync(file, `${lines.join('\n')}\n`);
  console.log(`releases: ${lines.length} replies kept`);
  process.exit(0);
}

const released = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const today = asked(released.map(({ request }) => request));

/** The rows that differ, and the total or the refusal. */
function differences(before, now) {
  if (before.refused !== now.refused) return [`${before.refused ?? before.total} → ${now.refused ?? now.total}`];
  if (before.refused) return [];
  const ids = [...new Set([...Object.keys(before.rows), ...Object.keys(now.rows)])];
  const rows = ids.filter((id) => before.rows[id] !== now.rows[id]).map((id) => `${id} ${before.rows[id] ?? 0} → ${now.rows[id] ?? 0}`);
  const verdict = before.verdict === now.verdict ? [] : [`${before.verdict} → ${now.verdict}`];
  return before.total === now.total && rows.length === 0 ? verdict : [`total ${before.total} → ${now.total}`, ...verdict, ...rows];
}

const changed = released.flatMap((before, at) => {
  const list = differences(before, today[at]);
  return list.length ? [`- \`${JSON.stringify(before.request)}\`: ${list.join(', ')}`] : [];
});
const said = `${changed.length} of ${released.length} replies are other than the last release's.`;
if (given.table) writeFileSync(given.table, `${[said, '', ...changed].join('\n')}\n`);
console.log([...changed, `releases: ${said}`].join('\n'));
