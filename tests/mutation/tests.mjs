// The tests that can kill a mutant: which of them run which sites, and how long each takes.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { native, place, program, root } from './tree.mjs';

/** A name as Catch2 takes it on its command line. */
const escaped = (name) => name.replace(/[\\,[\]*]/g, '\\$&');

/** Runs the program; ok: whether it ended well in its time. */
export function run(words, environment, seconds) {
  // What a mutant allocates without end must not take the machine along.
  return runOf('bash', ['-c', `ulimit -v 6000000; exec "$0" "$@"`, program, ...words], environment, seconds);
}

function runOf(command, words, environment, seconds) {
  return new Promise((resolve) => {
    const began = Date.now();
    const child = spawn(command, words, { cwd: root, env: { ...process.env, ...environment }, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ ok: status === 0, took: (Date.now() - began) / 1000 });
    });
  });
}

/** Does `work` to each of a list, so many at once. */
export async function each(list, jobs, work) {
  let next = 0;
  const worker = async () => {
    while (next < list.length) await work(list[next++]);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}

function names() {
  // Version 2 of Catch2 ends with the number of tests as its status.
  const { stdout } = spawnSync(program, ['--list-test-names-only'], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}

async function reachedBy(words, folder) {
  const file = join(folder, createHash('sha256').update(words.join()).digest('hex'));
  const { ok, took } = await run(words, { PLIMSOLL_REACHED: file }, 300);
  const sites = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return { ok, took, sites: sites.map((line) => line.split(' ').map(Number)) };
}

/** What every test reaches, kept beside the program until that changes: names, seconds, sites. */
export async function coverage(jobs) {
  const kept = `${place}/reached.json`;
  const digest = createHash('sha256').update(readFileSync(program)).digest('hex');
  if (existsSync(kept)) {
    const read = JSON.parse(readFileSync(kept, 'utf8'));
    if (read.digest === digest) return read;
  }
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-reached-'));
  const started = await reachedBy(['no test has this name'], folder);
  const always = new Set(started.sites.map(([site]) => site));
  const began = started.took;
  const tests = [];
  await each(names(), jobs, async (name) => {
    const { ok, took, sites } = await reachedBy([escaped(name)], folder);
    if (!ok) {
      console.log(`not used, since it fails without a mutant: ${name}`);
      return;
    }
    const of = (kind) => sites.filter(([site, how]) => (how & kind) !== 0 && !always.has(site)).map(([site]) => site);
    tests.push({ name, took: Math.max(took - began, 0.001), sites: of(1), nothing: of(2) });
  });
  rmSync(folder, { recursive: true });
  const made = { digest, always: [...always], tests: tests.sort((a, b) => a.took - b.took) };
  writeFileSync(kept, JSON.stringify(made));
  return made;
}

/** By site: the tests that run it, the quickest first; null: where its types have no such operation. */
export function testsBySite({ tests, always }) {
  const by = new Map(always.map((site) => [site, tests]));
  const nothing = new Set();
  for (const test of tests) {
    for (const site of test.sites) by.set(site, [...(by.get(site) ?? []), test]);
    for (const site of test.nothing) nothing.add(site);
  }
  for (const site of nothing) if (!by.has(site)) by.set(site, null);
  return by;
}

/**
 * Whether one of the tests fails with the mutant on. So many as run in a second go at once: most mutants die in the first.
 * Those that would take longer than the budget, in seconds, are not tried.
 */
export async function kills(tests, environment, budget = Infinity) {
  let spent = 0;
  let group = [];
  let seconds = 0;
  for (const [i, test] of tests.entries()) {
    const last = i + 1 === tests.length || (spent += test.took) + tests[i + 1].took > budget;
    group.push(escaped(test.name));
    seconds += test.took;
    if (seconds < 1 && !last) continue;
    const { ok } = await run(['--abort', group.join(',')], environment, 5 + 4 * seconds);
    if (!ok) return true;
    if (last) return false;
    group = [];
    seconds = 0;
  }
  return false;
}

/** Scripts that hold answers to what others measured or to laws, the quickest first; where: the paths whose mistakes they see. */
const scripts = [
  { script: 'tests/properties/properties.test.mjs', where: '', settings: { PLIMSOLL_PROPERTIES: '400' } },
  { script: 'tests/properties/solve.test.mjs', where: '/solve/', settings: { PLIMSOLL_SEARCHES: '60' } },
  { script: 'tests/properties/plan.test.mjs', where: '/plan/', settings: {} },
  { script: 'tests/score/score.test.mjs', where: '', settings: {} },
];

// ACCURACY.md, which says how near the answers are, only records.
const runScript = ({ script, settings }, environment, seconds) =>
  runOf(
    process.execPath,
    ['--test', '--test-name-pattern=/^(?!ACCURACY)/', script],
    { ...environment, ...settings, PLIMSOLL_NATIVE: native },
    seconds,
  );

/** The scripts that pass without a mutant, with the seconds that each takes. */
export async function further() {
  const passing = [];
  for (const each of scripts) {
    const { ok, took } = await runScript(each, {}, 600);
    if (ok) passing.push({ ...each, took });
    else console.log(`not used, since it fails without a mutant: ${each.script}`);
  }
  return passing;
}

/** Whether one of the scripts fails with the mutant on. */
export async function killsFurther(passing, path, environment) {
  for (const each of passing) {
    if (!path.includes(each.where)) continue;
    const { ok } = await runScript(each, environment, 5 + 4 * each.took);
    if (!ok) return true;
  }
  return false;
}
