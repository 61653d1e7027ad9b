// What a figure counts, what a tool is called and how memory is measured is said in each language, and only what is so.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const { $defs } = read('presets/schema/reconcile_reply.json');
const counters = $defs.counter.anyOf;
const snippets = read('web/src/reconcile/measuring.json');
const english = { ...read('web/src/languages/en/reconcile.json'), ...read('web/src/languages/en/measuring.json') };
const ids = (kind) => readdirSync(new URL(`../../presets/${kind}`, import.meta.url)).map((file) => file.replace('.json', ''));

test('each counter has a name, and its meaning is the description of the schema', () => {
  for (const { const: counter, description } of counters) {
    assert.ok(english[`counter.${counter}`], counter);
    assert.equal(english[`counts.${counter}`], description, counter);
  }
  const known = counters.map(({ const: counter }) => counter);
  for (const key of Object.keys(english)) {
    const [, counter] = /^(?:counter|counts)\.(.+)$/.exec(key) ?? [];
    assert.ok(counter === undefined || known.includes(counter), key);
  }
});

test('each total that a counter is held against has a name', () => {
  const told = counters.flatMap(({ against }) => (against && !/rows\./.test(against) ? [against.replace(/^devices\./, '')] : []));
  for (const against of told) assert.ok(english[`reconcile.ours.${against}`], against);
});

test('each way to measure says what it shows, what it leaves out, and where that is told', () => {
  assert.equal(new Set(snippets.map(({ id }) => id)).size, snippets.length);
  for (const { id, shows, code, source, for: of } of snippets) {
    assert.ok(english[`measuring.${id}`] && english[`measuring.${id}.leaves`], id);
    for (const counter of shows)
      assert.ok(
        counters.some((one) => one.const === counter),
        `${id}: ${counter}`,
      );
    assert.ok(code.length > 0 && source.title, id);
    assert.match(source.url, /^https:/);
    for (const runtime of of.inference ?? []) assert.ok(ids('runtimes').includes(runtime), `${id}: ${runtime}`);
  }
});

test('each runtime has a way to measure, and names that have passed are not used', () => {
  for (const runtime of ids('runtimes'))
    assert.ok(
      snippets.some(({ for: { inference } }) => inference?.includes(runtime)),
      runtime,
    );
  const all = JSON.stringify(snippets);
  for (const old of ['reset_max_memory', 'memory_cached', 'mx.metal', 'get_memory_usage', 'pip install pynvml', 'rocm-smi'])
    assert.ok(!all.includes(old), old);
});
