// Random requests of every task, runtime, framework and method: what holds of each reply by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { askNative } from '../native/native.mjs';
import { Random } from '../parity/random.mjs';
import { randomRequest } from './random.mjs';
import { shrink } from './shrink.mjs';
import { sums } from './sums.mjs';

const count = Number(process.env.PLIMSOLL_PROPERTIES ?? 5000);
const seed = 20261123;
const random = new Random(seed);
const requests = Array.from({ length: count }, () => randomRequest(random));

const asked = (list) => askNative(list.map((request) => JSON.stringify(request))).map((text) => JSON.parse(text));
const replies = asked(requests);

test('more than half of the requests are answered', () => {
  const answered = replies.filter(({ error }) => !error).length;
  assert.ok(answered > count / 2, `${answered} of ${count}`);
});

for (const { name, wrong } of sums)
  test(name, () => {
    const says = (reply, request) => (reply.error ? undefined : wrong(reply, request));
    const broken = requests.filter((request, at) => says(replies[at], request) !== undefined);
    if (broken.length === 0) return;
    const least = shrink(broken[0], (list) => asked(list).map((reply, at) => says(reply, list[at]) !== undefined));
    assert.fail(`${broken.length} of ${count}, such as ${JSON.stringify(least)}\n${says(asked([least])[0], least)}`);
  });
