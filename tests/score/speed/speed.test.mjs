// What is said of speed rests on printed speeds: presets/speeds is made of them, and what is told holds what was printed.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { ask } from '../ask.mjs';
import { presets } from '../rows/names.mjs';
import { files, groups, page, speedCases, trainingRows } from './calibrate.mjs';
import { fitBatch, foretoldBatch } from './batches.mjs';
import { classOf } from './classes.mjs';
import { fitToken, foretold, weighed, weightedQuantile } from './fit.mjs';
import { fitStep, foretoldStep, trainingCases, trainingGroups } from './training.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cases = speedCases();
const all = groups(cases);
const steps = trainingCases(trainingRows());
const trainings = trainingGroups(steps);

test('presets/speeds and docs/speed.md are what the printed speeds make', () => {
  const made = files(all, trainings);
  assert.deepEqual(readdirSync(join(root, 'presets/speeds')).sort(), made.map(({ name }) => name).sort());
  for (const { name, text } of made)
    assert.equal(readFileSync(join(root, 'presets/speeds', name), 'utf8'), text, 'node tests/score/speed/calibrate.mjs');
  assert.equal(readFileSync(join(root, 'docs/speed.md'), 'utf8'), page(all, trainings), 'node tests/score/speed/calibrate.mjs');
});

test('nothing is told of a group whose speeds are foretold badly from other sources, and no share is above one', () => {
  for (const { entry, token, batch } of all.filter((group) => group.entry)) {
    if (entry.token) assert.ok(token.median <= 0.2 && token.ninth <= 0.6);
    if (entry.batch) assert.ok(batch.median <= 0.4 && batch.ninth <= 1);
    assert.ok(entry.memory > 0 && entry.memory <= 1);
    assert.ok(entry.products === undefined || (entry.products > 0 && entry.products <= 1));
  }
  assert.ok(all.some(({ entry }) => entry));
  assert.ok(all.some(({ entry }) => !entry));
});

test('replies of one sequence are those that were foretold, and nine of ten bands hold what was printed', () => {
  const told = new Map(all.filter(({ entry }) => entry?.token).map((group) => [`${group.runtime} ${group.devices}`, group.entry]));
  const tokens = cases.filter((one) => one.phase === 'token' && one.batch === 1 && !one.several && told.has(`${one.runtime} ${one.class}`));
  const replies = ask(tokens.map(({ request }) => request));
  let inside = 0;
  tokens.forEach((one, at) => {
    const { seconds, low, high } = replies[at].time.token;
    const entry = told.get(`${one.runtime} ${one.class}`);
    const expected = foretold(one.parts, { ...entry, products: entry.products ?? 1 });
    assert.ok(Math.abs(seconds / expected - 1) < 0.02 || replies[at].time.roof.token === seconds, `${one.row.id}: ${seconds}, ${expected}`);
    inside += one.truth >= low && one.truth <= high ? 1 : 0;
  });
  assert.ok(inside >= 0.9 * tokens.length, `${inside} of ${tokens.length}`);
});

test('several sequences are told within the goal, as a prefill and so many steps, and nine of ten bands hold what was printed', () => {
  const told = new Map(all.filter(({ entry }) => entry?.batch).map((group) => [`${group.runtime} ${group.devices}`, group]));
  assert.ok(told.size >= 2);
  for (const { batch } of told.values()) assert.ok(batch.median <= 0.2 && batch.ninth <= 0.5, `${batch.median}, ${batch.ninth}`);
  const batches = cases.filter((one) => one.batch > 1 && !one.several && one.phase !== 'prefill' && told.has(`${one.runtime} ${one.class}`));
  const replies = ask(batches.map(({ request }) => request));
  let inside = 0;
  batches.forEach((one, at) => {
    const { prefill, token } = replies[at].time;
    const of = (key) => (one.phase === 'whole' ? prefill[key] + one.steps * token[key] : token[key]);
    inside += one.truth >= of('low') && one.truth <= of('high') ? 1 : 0;
  });
  assert.ok(batches.length >= 40 && inside >= 0.9 * batches.length, `${inside} of ${batches.length}`);
});

test('no printed time of prompts and answers is shorter than what the device allows', () => {
  const whole = cases.filter(({ phase }) => phase === 'whole');
  assert.ok(whole.length > 200);
  const peaks = { memory: 1, products: 1, launch_seconds: 0 };
  assert.deepEqual(
    whole.filter(({ parts, truth }) => truth < foretoldBatch(parts, peaks)).map(({ row }) => row.id),
    [],
  );
});

test('both shares are found again from passes that were made of them', () => {
  const shares = { memory: 0.6, products: 0.4, launch_seconds: 8e-6 };
  const made = [1, 2, 4, 8, 16, 32].flatMap((size) =>
    [0.2, 1, 5].map((share) => {
      const parts = { memory: size * 1e-3, compute: size * share * 1e-3, launches: 100 };
      return { parts, truth: foretoldBatch(parts, shares), source: `${size} ${share}`, weight: 1 };
    }),
  );
  const found = fitBatch(made);
  assert.ok(Math.abs(found.memory - 0.6) < 0.05 && Math.abs(found.products - 0.4) < 0.05, JSON.stringify(found));
});

test('every class that is told has a device, and a device is of one class', () => {
  const classes = new Set(presets('devices').map(classOf));
  for (const { devices } of [...all, ...trainings]) assert.ok(classes.has(devices), devices);
});

test('a share and the seconds of a launch are found again from speeds that were made of them', () => {
  const shares = { memory: 0.6, products: 1, launch_seconds: 8e-6 };
  const parts = [1, 3, 9, 27, 81].map((size) => ({
    memory: size * 1e-3,
    compute: 0,
    launches: 300,
  }));
  const made = weighed(
    parts.map((each, at) => ({
      parts: each,
      truth: foretold(each, shares),
      source: `source ${at}`,
    })),
  );
  const found = fitToken(made, 1);
  assert.ok(Math.abs(found.memory - 0.6) < 1e-6);
  assert.equal(found.launch_seconds, 8e-6);
  assert.equal(
    weightedQuantile(
      [
        { value: 1, weight: 1 },
        { value: 5, weight: 9 },
      ],
      0.5,
    ),
    5,
  );
});

test('no printed step of a training is faster than the roof, in 8 bits neither', () => {
  const faster = steps.filter(({ parts, seconds }) => seconds < foretoldStep(parts, {}));
  assert.deepEqual(
    faster.map(({ row }) => row.id),
    [],
  );
  assert.ok(steps.filter(({ types }) => types !== 'bf16').length > 80);
});

test('steps are told as they were foretold, and nine of ten bands hold what was printed', () => {
  const replies = ask(steps.map(({ request }) => request));
  const told = new Set(trainings.filter(({ entry }) => entry).map(({ framework, generation }) => `${framework} ${generation}`));
  let [inside, answered] = [0, 0];
  steps.forEach((one, at) => {
    const { step, roof } = replies[at].time;
    const known = told.has(`${one.framework} ${one.generation}`) && (!one.mixture || one.framework === 'megatron');
    assert.equal(step !== undefined, known, one.row.id);
    assert.ok(roof.step > 0);
    if (!step) return;
    answered += 1;
    inside += one.seconds >= step.low && one.seconds <= step.high ? 1 : 0;
  });
  assert.ok(answered > 250, `${answered}`);
  assert.ok(inside >= 0.9 * answered, `${inside} of ${answered}`);
});

test('shares of a step are found again from steps that were made of them', () => {
  const shares = {
    memory: 0.5,
    products: 0.8,
    packed: 0.5,
    attention: 0.4,
    experts: 0.2,
  };
  const some = [1, 2, 4, 8].flatMap((size) => [
    { memory: 0.1, products: size, packed: 0, attention: 0.5, experts: 0 },
    { memory: 0.3, products: 0.2, packed: size, attention: 1, experts: 0 },
    { memory: 0.2, products: 0.5, packed: 0, attention: size, experts: size },
    { memory: size, products: 0.5, packed: 0.5, attention: 0.2, experts: 0.1 },
  ]);
  const made = some.map((parts) => ({
    parts,
    seconds: foretoldStep(parts, shares),
    source: 'one',
  }));
  const found = fitStep(made).shares;
  for (const kind of Object.keys(shares)) assert.ok(Math.abs(found[kind] / shares[kind] - 1) < 0.05, `${kind}: ${found[kind]}`);
});
