// Random requests of every task, runtime, framework and method, held to the laws of sums.mjs and laws.mjs. A law that breaks is shown by
// the smallest request that breaks it. PLIMSOLL_PROPERTIES: how many requests; PLIMSOLL_TABLE: a file for what was found.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { askNative } from '../native/native.mjs';
import { Random } from '../parity/random.mjs';
import { describes, laws } from './laws.mjs';
import { randomRequest } from './random.mjs';
import { shrink } from './shrink.mjs';
import { sums } from './sums.mjs';

const count = Number(process.env.PLIMSOLL_PROPERTIES ?? 5000);
const seed = Number(process.env.PLIMSOLL_SEED ?? 20261123);
/** Of so many requests a law between two is tried on one. */
const share = 3;

const asked = (requests) => askNative(requests.map((request) => JSON.stringify(request))).map((text) => JSON.parse(text));

/** What breaks, by law: requests, and what is wrong with them. */
const broken = new Map();
const note = (name, request, wrong) => wrong && broken.set(name, [...(broken.get(name) ?? []), { request, wrong }]);

const refusal = ({ error }) =>
  error && !(error.what && error.where && describes(error.where)) ? `${error.code} at ${error.where}: ${error.what}` : undefined;

/** What a law says to these requests, one answer for each; undefined where it has nothing to say. */
function judged({ base = (request) => request, change, wrong }, drawn, random) {
  const first = drawn.map(base);
  const before = asked(first);
  const other = first.map((request, at) => (before[at].error ? undefined : change(request, before[at], random)));
  const places = [...first.keys()].filter((at) => other[at] !== undefined);
  const after = asked(places.map((at) => other[at]));
  const said = new Array(drawn.length);
  for (const [index, at] of places.entries()) if (!after[index].error) said[at] = wrong(before[at], after[index], first[at]);
  return said;
}

let answered = 0;

function tryAll(requests, random) {
  const replies = asked(requests);
  for (const [at, reply] of replies.entries()) {
    note('refused at a field that there is', requests[at], refusal(reply));
    if (reply.error) continue;
    ++answered;
    for (const { name, wrong } of sums) note(name, requests[at], wrong(reply, requests[at]));
  }
  for (const [index, law] of laws.entries()) {
    const own = requests.filter((request, at) => at % share === index % share && !(replies[at].error && !law.base));
    for (const [at, wrong] of judged(law, own, random).entries()) note(law.name, own[at], wrong);
  }
}

const random = new Random(seed);
for (let done = 0; done < count; done += 2500)
  tryAll(
    Array.from({ length: Math.min(2500, count - done) }, () => randomRequest(random)),
    random,
  );

/** Again, and only whether it breaks; what is drawn by chance is drawn as often as it takes. */
function breaksAgain(name) {
  const law = laws.find((one) => one.name === name);
  const own = sums.find((one) => one.name === name);
  if (law) return (requests) => judged(law, requests, new Random(seed)).map(Boolean);
  if (own) return (requests) => asked(requests).map((reply, at) => !reply.error && own.wrong(reply, requests[at]) !== undefined);
  return (requests) => asked(requests).map((reply) => refusal(reply) !== undefined);
}

const names = ['refused at a field that there is', ...sums.map((law) => law.name), ...laws.map((law) => law.name)];
if (process.env.PLIMSOLL_TABLE) {
  const rows = names.map((name) => `| ${name} | ${broken.get(name)?.length ?? 0} |`);
  const said = `${count} requests, ${answered} answered.`;
  writeFileSync(process.env.PLIMSOLL_TABLE, `${[said, '', '| Law | Broken by |', '|---|---|', ...rows].join('\n')}\n`);
}

test('more than half of the requests are answered', () => assert.ok(answered > count / 2, `${answered} of ${count}`));

for (const name of names)
  test(name, () => {
    const found = broken.get(name);
    if (!found) return;
    const [{ request, wrong }] = found.sort((one, other) => JSON.stringify(one.request).length - JSON.stringify(other.request).length);
    const least = shrink(request, breaksAgain(name));
    assert.fail(`${found.length} of ${count}, such as ${JSON.stringify(least)} (drawn as ${JSON.stringify(request)})\n${wrong}`);
  });
