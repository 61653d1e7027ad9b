// plimsoll plan: what it prints, in every form, and what it says of a question that cannot be.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { joined } from '../../web/src/answers/planning.mjs';
import { load } from '../../web/src/node/engine.mjs';
import { faults } from '../presets/schema.mjs';
import { plimsoll, replies } from './run.mjs';

const options = ['plan', '--model', 'llama-3-8b', '--device', 'h100-sxm-80gb', '--method', 'full', '--sequence', '4k', '--framework', 'megatron'];
const cluster = ['--nodes', '1', '--devices-per-node', '4', '--global-batch', '16', '--keep', '3'];
const question = {
  request: { model: { preset: 'llama-3-8b' }, training: { method: 'full', sequence: 4096 }, parallel: { framework: 'megatron' } },
  cluster: { device: { preset: 'h100-sxm-80gb' }, devices_per_node: 4, nodes: 1 },
  global_batch: 16,
  keep: 3,
};

test('layouts as a table, those that none beats, and what became of all others', () => {
  const { status, stdout } = plimsoll([...options, ...cluster, '--want', 'least_overhead']);
  assert.equal(status, 0);
  assert.match(stdout, /^layout +who divides +recompute +micro-batch/);
  assert.match(stdout, /TP 4/);
  assert.match(stdout, /None is better in everything than these/);
  const [, all, refused, bounded, computed] = /([\d,]+) layouts: ([\d,]+) refused, ([\d,]+) ruled out by a bound, ([\d,]+) computed/.exec(stdout);
  const number = (text) => Number(text.replaceAll(',', ''));
  assert.equal(number(all), number(refused) + number(bounded) + number(computed));
});

test('whatever is wanted, a layout has the seconds of its step as a reply to its request tells them, or their roof', () => {
  const [{ layouts, front }] = replies(plimsoll(['plan', '-', '--json'], JSON.stringify({ ...question, want: 'fits' })));
  for (const { request, step } of [...layouts, ...front]) {
    const [{ time }] = replies(plimsoll(['estimate', '-', '--json'], JSON.stringify({ ...request, time: true })));
    assert.equal(step.seconds, time.step?.seconds);
    assert.equal(step.roof, time.roof.step);
  }
  const table = plimsoll([...options, ...cluster]).stdout;
  assert.match(table, /^layout .* step /);
  const unknown = plimsoll([...options.slice(0, -1), 'deepspeed', ...cluster]).stdout;
  assert.match(unknown, /≥ [\d.]+ s/);
});

test('of servers a layout has the seconds of a token, at least', () => {
  const served = ['plan', '--model', 'llama-3-70b-instruct', '--device', 'h100-sxm-80gb', '--runtime', 'vllm', '--context', '8k', '--nodes', '1'];
  const [{ layouts }] = replies(plimsoll([...served, '--json']));
  assert.ok(layouts.length > 0);
  for (const { token } of layouts) assert.ok(token.roof > 0);
  assert.match(plimsoll(served).stdout, /^layout .* token /);
});

test('parts of a search are joined by their time only where that is wanted', () => {
  const layout = (bytes, seconds) => ({ bytes, devices: 4, sent_between: 0, rank: [bytes], step: { seconds, roof: 0 } });
  const counted = { all: 1 };
  const part = (want, each) => ({ want, layouts: [each], front: [each], counted, refusals: [] });
  const front = (want) => joined([part(want, layout(1, 2)), part(want, layout(2, 1))]).front.length;
  assert.equal(front('fits'), 1);
  assert.equal(front('shortest_step'), 2);
});

test('a file and options ask the same', () => {
  const [ofOptions] = replies(plimsoll([...options, ...cluster, '--json']));
  const [ofFile] = replies(plimsoll(['plan', '-', '--json'], JSON.stringify(question)));
  assert.deepEqual(
    ofFile.layouts.map(({ bytes }) => bytes),
    ofOptions.layouts.map(({ bytes }) => bytes),
  );
  assert.equal(ofFile.layouts.length, 3);
  assert.deepEqual(ofFile.counted, ofOptions.counted);
});

test('each layout is a request that estimate answers with its bytes', () => {
  const [{ layouts }] = replies(plimsoll(['plan', '-', '--json'], JSON.stringify(question)));
  for (const { request, bytes } of layouts) {
    const [reply] = replies(plimsoll(['estimate', '-', '--json'], JSON.stringify(request)));
    assert.equal(reply.total.bytes, bytes);
    assert.equal(reply.fit.verdict, 'fits');
  }
});

test('the shortest step has its seconds, asks for the links, and no slower link makes it shorter', () => {
  const nodes = ['--nodes', '2', '--devices-per-node', '8', '--global-batch', '64', '--keep', '3', '--want', 'shortest_step'];
  const asked = plimsoll([...options, ...nodes, '--bandwidth-within', '450']);
  assert.equal(asked.status, 1);
  assert.match(asked.stderr, /cluster\.bandwidth_between/);
  const unknown = { ...question, cluster: { ...question.cluster, device: { memory_bytes: 80e9 }, bandwidth_within: 450e9 }, want: 'shortest_step' };
  assert.match(plimsoll(['plan', '-'], JSON.stringify(unknown)).stderr, /want: .*is not known/);
  const at = (between) => replies(plimsoll([...options, ...nodes, '--bandwidth-within', '450', '--bandwidth-between', between, '--json']))[0];
  const [fast, slow] = [at('50'), at('0.5')];
  for (const { step } of [...fast.layouts, ...slow.layouts]) {
    assert.ok(step.roof > 0 && step.roof <= step.low && step.low <= step.seconds && step.seconds <= step.high);
  }
  assert.ok(slow.layouts[0].step.seconds > fast.layouts[0].step.seconds);
  // Sums of tensor parallelism stay within a node.
  for (const { request } of fast.layouts) assert.ok((request.parallel.tensor ?? 1) <= 8);
  assert.match(plimsoll([...options, ...nodes, '--bandwidth-within', '450', '--bandwidth-between', '50']).stdout, /step[^]* s /);
});

test('comma-separated values are bytes', () => {
  const { lines } = plimsoll([...options, ...cluster, '--csv']);
  assert.equal(lines.length, 4);
  const place = lines[0].split(',').indexOf('bytes');
  for (const line of lines.slice(1)) assert.match(line.split(',')[place], /^\d{10,}$/);
});

test('what is wrong is told at its field, or as wrong usage', () => {
  const { status, stderr } = plimsoll(['plan', '-'], JSON.stringify({ ...question, cluster: undefined }));
  assert.equal(status, 1);
  assert.match(stderr, /cluster/);
  const wanted = plimsoll([...options, '--want', 'everything']);
  assert.equal(wanted.status, 1);
  assert.match(wanted.stderr, /want.*fits, fewest_devices/s);
  assert.equal(plimsoll(['plan', 'one.json', 'two.json']).status, 2);
  assert.equal(plimsoll(['plan', '-'], 'no json').status, 1);
});

test('--neighbours says of each layout one step from the best why it is no better, as text and as JSON', () => {
  const { stdout, status } = plimsoll([...options, ...cluster, '--want', 'least_overhead', '--neighbours']);
  assert.equal(status, 0);
  const [, told] = stdout.split('One step from ');
  const lines = told.trim().split('\n').slice(2);
  assert.ok(lines.length > 5);
  for (const line of lines) assert.match(line, / → .* {2}(worse: |better: |refused: |ranks ahead|[\d,.]+ GiB too large|does not start)/);
  assert.match(told, /ZeRO 1 → 2 +refused: parallel\.zero: /);
  const [reply] = replies(plimsoll([...options, ...cluster, '--want', 'least_overhead', '--neighbours', '--json']));
  assert.deepEqual(faults('plan_reply', reply), []);
  const { layouts, neighbours } = reply;
  assert.equal(neighbours.length, lines.length);
  assert.equal(layouts[0].request.parallel.zero, 1);
  const zero = neighbours.find(({ changes: [one] }) => one.field === 'parallel.zero' && one.to === 2);
  assert.equal(zero.kind, 'refused');
  assert.equal(zero.error.where, 'parallel.zero');
  assert.equal(replies(plimsoll([...options, ...cluster, '--json']))[0].neighbours, undefined);
  const refused = plimsoll([...options, ...cluster, '--neighbours', '--csv']);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--neighbours is told as text or as JSON/);
  for (const wrong of ['no json', 'null', '{}'])
    assert.deepEqual(plimsoll(['plan', '-', '--neighbours'], wrong), plimsoll(['plan', '-'], wrong), 'an error is as it is');
});

test('of several kinds of devices a layout runs on one, and all are ranked by the memory that is left', () => {
  const others = ['--other-devices', 'a100-sxm-40gb:2x4,h200-sxm-141gb:1x2', '--want', 'fits'];
  const [{ layouts, front, counted }] = replies(plimsoll([...options, ...cluster, ...others, '--keep', '50', '--json']));
  const of = (device, nodes, devices_per_node) => {
    const one = { ...question, keep: 50, want: 'fits', cluster: { device: { preset: device }, nodes, devices_per_node } };
    return replies(plimsoll(['plan', '-', '--json'], JSON.stringify(one)))[0];
  };
  const single = [of('h100-sxm-80gb', 1, 4), of('a100-sxm-40gb', 2, 4), of('h200-sxm-141gb', 1, 2)];
  assert.equal(
    counted.all,
    single.reduce((sum, reply) => sum + reply.counted.all, 0),
  );
  const left = single.flatMap((reply) => reply.layouts.map(({ rank }) => rank[0])).sort((one, other) => one - other);
  assert.deepEqual(
    layouts.map(({ rank }) => rank[0]),
    left.slice(0, 50),
  );
  assert.ok(new Set([...layouts, ...front].map(({ request }) => request.device.preset)).size === 3);
  assert.ok(layouts.length === 50 && layouts[0].request.device.preset === 'h200-sxm-141gb');
  assert.match(plimsoll([...options, ...cluster, ...others]).stdout, /^layout +on /);
});

test('a device that there is not is an error, and so is a list of others that cannot be read', () => {
  const unknown = plimsoll([...options, ...cluster, '--other-devices', 'nonesuch:1x4']);
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /device\.preset: there is no device "nonesuch"/);
  const unread = plimsoll([...options, ...cluster, '--other-devices', 'h200-sxm-141gb']);
  assert.equal(unread.status, 2);
  assert.match(unread.stderr, /is not of the form ID:NODESxDEVICES/);
});

test('the library asks each cluster of a list, and joins what they say', async () => {
  const engine = await load();
  const clusters = [question.cluster, { ...question.cluster, device: { preset: 'a100-sxm-40gb' }, devices_per_node: 8 }];
  const reply = engine.plan({ ...question, cluster: clusters });
  const single = clusters.map((cluster) => engine.plan({ ...question, cluster }));
  assert.equal(reply.counted.all, single[0].counted.all + single[1].counted.all);
  assert.deepEqual(reply, joined(single, question.keep));
  assert.equal(engine.plan({ ...question, cluster: [] }).error.where, 'cluster');
});
