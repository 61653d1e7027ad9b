// Bands are made from the rows of tests/measured as written here: by these rules, and no others.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';

import { ask } from '../ask.mjs';
import { calibration, staleBands } from './bands.mjs';
import { bandOf, calibrated, presetsOf } from './calibration.mjs';
import { leftOut, validated } from './cross_validation.mjs';
import { factorsOf } from './factors.mjs';
import { groupsOf } from './residuals.mjs';
import { intervals } from '../rows/rounding.mjs';
import { casesOf, measuredFiles } from '../run.mjs';
import { allowed, offBy, sharesOf, weighed } from './shares.mjs';
import { isInside } from '../statistics.mjs';

const GB = 1e9;

/** A case of ten gigabytes, of which one is modelled, that was measured to be so many times the estimate. */
const one = (times, more = {}) => ({
  name: 'x',
  metric: 'allocated',
  groups: ['a', 'task'],
  model: `m${times}`,
  source: 's',
  ...{
    from: 10 * GB * times,
    to: 10 * GB * times,
    answer: 10 * GB,
    counted: 10 * GB,
    exact: 9 * GB,
  },
  parts: [
    {
      below: 0,
      above: 0,
      terms: [{ path: ['activations'], basis: 'modelled', bytes: GB }],
    },
  ],
  ...more,
});

describe('what a source leaves open', () => {
  const table = { source: 's', unit: 'GB', value: 5.2 };
  test('is half of the last digit, the finest of a table being that of all', () => {
    const between = intervals([table, { ...table, value: 12 }, { source: 'other', unit: 'GB', value: 12 }]);
    assert.deepEqual(between({ ...table, value: 12 }, { truth: 12 * GB }), [11.95 * GB, 12.05 * GB]);
    assert.deepEqual(between({ source: 'other', unit: 'GB', value: 12 }, { truth: 12 * GB }), [11.5 * GB, 12.5 * GB]);
    assert.deepEqual(between({ ...table, value: 12, quoted: 'about 12 GB' }, { truth: 12 * GB }), [11.5 * GB, 12.5 * GB]);
    assert.deepEqual(between({}, { truth: 100, tolerance: 0.1 }), [90, 110]);
  });
  test('may be the unit', () => {
    const [from, to] = intervals([table])({ ...table, unit_ambiguous: true }, { truth: 5.2 * GB });
    assert.equal(from, 5.15 * GB);
    assert.ok(Math.abs(to - 5.25 * 2 ** 30) < 1);
  });
  test('is inside where the band reaches it', () => {
    assert.equal(isInside({ truth: 100, between: [95, 105], low: 80, high: 96 }), true);
    assert.equal(isInside({ truth: 100, between: [95, 105], low: 80, high: 94 }), false);
    assert.equal(isInside({ truth: 100, low: 80, high: 99 }), false);
  });
  test('is not off', () => {
    assert.equal(offBy({ from: 95, to: 105, answer: 90 }), 5);
    assert.equal(offBy({ from: 95, to: 105, answer: 100 }), 0);
    assert.equal(offBy({ from: 95, to: 105, answer: 120 }), -15);
  });
});

describe('cases weigh', () => {
  const many = (count, source) => Array.from({ length: count }, (_, index) => one(1, { source, model: `${source}${index}` }));
  const weights = (cases) => {
    const sum = {};
    for (const { one: each, weight } of weighed(cases)) sum[each.source] = (sum[each.source] ?? 0) + weight;
    return Object.fromEntries(Object.entries(sum).map(([source, weight]) => [source, Number(weight.toFixed(6))]));
  };
  test('one each, of one model in one source as their root', () => {
    assert.deepEqual(weights(many(30, 'a')), { a: 30 });
    assert.equal(weights(Array.from({ length: 16 }, () => one(1))).s, 4);
  });
  test('and a source no more than twice all others, or than a quantile needs', () => {
    assert.deepEqual(weights([...many(400, 'a'), ...many(30, 'b')]), { a: 60, b: 30 });
    assert.deepEqual(weights([...many(400, 'a'), ...many(2, 'b')]), { a: 20, b: 2 });
    assert.deepEqual(weights([...many(50, 'a'), ...many(30, 'b')]), { a: 50, b: 30 });
  });
});

describe('shares and factors', () => {
  const spread = Array.from({ length: 40 }, (_, index) => one(1 + 0.0025 * (index - 20)));
  test('rows add in quadrature, with what no row explains; what is more beside a cache is less in it', () => {
    const parts = [
      { below: 1, above: 3, terms: [] },
      { below: 0, above: 0, terms: [{ path: ['a'], basis: 'modelled', bytes: 8 }] },
    ];
    const shares = { a: 0.5, 'whole.allocated': 0.12, 'whole.capacity': 0 };
    assert.equal(allowed({ metric: 'allocated', parts, counted: 100 }, shares, 1), 13); // √(3² + 4² + 12²)
    assert.equal(allowed({ metric: 'capacity', parts, counted: 100 }, shares, -1), 5);
    assert.equal(
      allowed(
        {
          metric: 'allocated',
          parts: [{ below: 0, above: 0, terms: parts[1].terms }],
          counted: 0,
        },
        { a: 3 },
        -1,
      ),
      8,
    );
  });
  test('a row that errs alone takes the share, and the whole hardly any', () => {
    const ofRow = spread.map((each, index) => {
      const size = 1 + (index % 5);
      const truth = 10 * GB * (1 + 0.0025 * size * (index - 20));
      return {
        ...each,
        from: truth,
        to: truth,
        parts: [
          {
            ...each.parts[0],
            terms: [{ ...each.parts[0].terms[0], bytes: size * GB }],
          },
        ],
      };
    });
    const shares = sharesOf(ofRow);
    assert.ok(shares.activations > 0.15 && shares.activations < 0.4, `${shares.activations}`);
    assert.ok(shares['whole.allocated'] < 0.01, `${shares['whole.allocated']}`);
  });
  test('few cases stay near the wider group, many leave it', () => {
    const wider = { activations: 0.001, 'whole.allocated': 0.001 };
    assert.ok(sharesOf(spread.slice(0, 5), wider)['whole.allocated'] < sharesOf(spread, { ...wider })['whole.allocated'] * 4);
    assert.equal(sharesOf(spread.slice(0, 4), wider), wider); // too few to say anything
  });
  test('the wanted part is inside; of few cases the largest error is, and more', () => {
    const shares = { activations: 0.1, 'whole.allocated': 0.001 };
    const { low, high } = factorsOf(spread, shares);
    const inside = spread.filter((each) => Math.abs(offBy(each)) <= (offBy(each) < 0 ? low : high) * allowed(each, shares, 1) + 1);
    assert.ok(inside.length >= 0.95 * spread.length && inside.length < spread.length);
    const few = factorsOf([one(1.01), one(1.02), one(1.04)], shares);
    assert.ok(few.high * allowed(one(1.04), shares, 1) > 0.4 * GB);
    assert.ok(few.low > 0 && few.low < few.high);
  });
});

describe('groups', () => {
  test('an answer belongs to its runtime with its backend, its runtime, its task; or its method', () => {
    const inference = (fields) => groupsOf({ task: 'inference', inference: fields });
    assert.deepEqual(inference({ runtime: 'ollama', backend: 'metal' }), ['llama.cpp-metal', 'llama.cpp', 'inference']);
    assert.deepEqual(inference({ runtime: 'vllm' }), ['vllm', 'inference']);
    assert.deepEqual(
      groupsOf({
        task: 'training',
        training: { method: 'dora' },
        weights: { encoding: 'nf4' },
      }),
      ['training-qlora', 'training'],
    );
    assert.deepEqual(groupsOf({ task: 'training', training: { method: 'lora', lengths: {} } }), ['training-lengths']);
    const generating = groupsOf({ task: 'training', training: { method: 'lora', objective: 'grpo' } });
    assert.deepEqual(generating, ['training-lengths', 'training-lora', 'training']);
    assert.deepEqual(groupsOf({ task: 'training', training: {}, devices: 8 }), ['training-parallel']);
  });
  const cases = [0.98, 1, 1.01, 1.02, 1.03, 1.05].map((times) => one(times));
  test('a small one says nothing, and a metric that none states is like the one within it', () => {
    const few = one(1.2, { groups: ['b', 'task'] });
    const groups = calibrated([...cases, few]);
    assert.deepEqual([...groups.keys()], ['task', 'a']);
    const [task, own] = presetsOf(groups, () => 1);
    assert.deepEqual([task.totals.allocated.residuals, own.totals.allocated.residuals], [7, 6]);
    assert.deepEqual([task.totals.process.residuals, task.totals.process.why], [0, 'no case states it: as allocated']);
    assert.ok(task.rows.modelled && !own.rows.modelled);
    const band = bandOf(few, groups);
    assert.ok(band.low < 10 * GB && band.high >= 12 * GB, 'the wider group has it inside');
  });
  test('a method of few cases takes its totals of all methods, a runtime does not of other runtimes', () => {
    const times = [0.9, 0.95, 0.98, 1, 1.02, 1.05, 1.1, 1.2];
    const of = (groups, count) => Array.from({ length: count }, (_, i) => one(times[i % 8], { groups, model: `${groups[0]} ${i}` }));
    const within = (wider) => calibrated([...of(['few', wider], 18), ...of(['many', wider], 19)]);
    const methods = within('training');
    assert.equal(methods.get('few').totals.allocated, undefined);
    assert.equal(methods.get('many').totals.allocated.cases.length, 19);
    assert.equal(methods.get('training').totals.allocated.cases.length, 37);
    assert.equal(within('inference').get('few').totals.allocated.cases.length, 18);
  });
  test('left out means that a model has no part in its own bands', () => {
    const far = one(3);
    const results = leftOut([...cases, far], 'model');
    assert.equal(results.get(far).inside, false);
    assert.ok(cases.every((each) => results.get(each).inside));
    const { strata } = validated([...cases, far], calibrated([...cases, far]));
    assert.equal(strata[0].bySource, undefined, 'one source has them all');
    assert.equal(strata[0].now.inside, 1);
  });
});

describe('the rows of this repository', () => {
  let made;
  before(async () => (made = await calibration(measuredFiles())));

  test('presets/bands is what they make', () => assert.deepEqual(staleBands(made.files), [], './dev score --calibrate'));

  test('an answer has the band that calibration counted with', () => {
    const cases = measuredFiles()
      .flatMap(casesOf)
      .filter(({ kind, requests }) => ['inference', 'training', 'requested'].includes(kind) && requests?.length === 1);
    const replies = ask(cases.flatMap(({ requests }) => requests));
    const totals = {
      allocated: ({ total }) => total,
      reserved: ({ total }) => total.reserved,
      process: ({ total }) => total.process,
    };
    // What the driver gave is no less than what was allocated in it, nor a process than that: a band begins there.
    const within = { reserved: 'allocated', process: 'reserved' };
    const near = (ours, theirs, answer) => Math.abs(ours - theirs) <= 100 + 1e-5 * answer;
    const replyOf = new Map(cases.map(({ name }, index) => [name, replies[index]]));
    for (const each of made.all.filter(({ metric }) => metric in totals)) {
      const reply = replyOf.get(each.name);
      const said = totals[each.metric](reply);
      const counted = bandOf({ ...each, answer: said.bytes }, made.groups); // of a range, what is held against a figure is no total
      const low = Math.max(counted.low, totals[within[each.metric]]?.(reply)?.low ?? 0);
      const { high } = counted;
      const text = `${each.name}, ${each.metric}: ${low}…${high}, the reply says ${said.low}…${said.high} from ${said.band?.from}`;
      assert.ok(near(low, said.low, each.answer) && near(high, said.high, each.answer), text);
    }
  });

  test('of cases left out by model, as many are inside as were reached', () => {
    const reached = {
      transformers: ['allocated', 0.94],
      vllm: ['capacity', 0.87], // 14 of 16: what other servers err by widens it less than it did
      mlx: ['allocated', 0.9],
      'training-lora': ['allocated', 0.9],
    };
    for (const [of, [metric, least]] of Object.entries(reached)) {
      const { byModel } = made.strata.find((each) => each.of === of && each.metric === metric && !each.aside);
      assert.ok(byModel.inside >= least, `${of}: ${byModel.inside}`);
    }
  });
});
