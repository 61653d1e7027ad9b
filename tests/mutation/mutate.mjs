// Small mistakes put into the engine, one at a time: do the tests notice? Goldens and the comparison of the two builds take
// no part, since they only record.
//
//   node tests/mutation/mutate.mjs [--count 300] [--seed 1] [--only PATH] [--rebuilt] [--budget 5] [--further]
//     [--floor 0.9] [--table FILE]
//
// --only: every mutant of the files whose path has this in it. --rebuilt: also those of constants, for which a file is
// built again. --budget: seconds of tests that a mutant meets at most, the quickest first. --further: survivors meet the
// scripts that hold answers to figures of others and to laws, too. --as-built: the program as it stands. Fails where less than the floor are killed. README.md says more.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Random } from '../parity/random.mjs';
import { summary } from './report.mjs';
import { changed } from './sites.mjs';
import { coverage, each, further, kills, killsFurther, testsBySite } from './tests.mjs';
import { build, makeTree, mutants, place_file, root } from './tree.mjs';

const { values: given } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '20261123' },
    only: { type: 'string' },
    rebuilt: { type: 'boolean', default: false },
    floor: { type: 'string', default: '0' },
    further: { type: 'boolean', default: false },
    budget: { type: 'string', default: 'Infinity' },
    table: { type: 'string' },
    'as-built': { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(process.env.JOBS ?? availableParallelism()) },
  },
});
const jobs = Number(given.jobs);

const all = mutants();
if (!given['as-built']) {
  makeTree(all);
  build(jobs);
}
const reached = await coverage(jobs);
const testsOf = testsBySite(reached);
const scripts = given.further ? await further() : [];

/** In an order that depends on the seed alone. */
function drawn(list) {
  const random = new Random(Number(given.seed));
  const order = list.map((mutant) => ({ mutant, place: random.next() }));
  return order.sort((a, b) => a.place - b.place).map(({ mutant }) => mutant);
}

const possible = all.filter(({ number, rebuilt, path }) => (rebuilt ? given.rebuilt && path.endsWith('.cpp') : testsOf.get(number) !== null));
const chosen = given.only ? possible.filter(({ path }) => path.includes(given.only)) : drawn(possible).slice(0, Number(given.count));

async function outcome(mutant) {
  const tests = testsOf.get(mutant.number) ?? [];
  const environment = { PLIMSOLL_MUTANT: String(mutant.number) };
  if (tests.length > 0 && (await kills(tests, environment, Number(given.budget)))) return 'killed';
  if (await killsFurther(scripts, mutant.path, environment)) return 'killed';
  return tests.length === 0 ? 'not run' : 'alive';
}

/** A constant: its file is built with the mistake in it. What does not compile is killed by the compiler. */
async function outcomeOfRebuilt(mutant) {
  place_file(mutant.path, all, changed(readFileSync(`${root}/${mutant.path}`, 'utf8'), mutant));
  const own = new Set(all.filter(({ path }) => path === mutant.path).map(({ number }) => number));
  const tests = reached.tests.filter(({ sites }) => sites.some((site) => own.has(site)));
  try {
    build(jobs);
    return (await kills(tests.length > 0 ? tests : reached.tests, {})) ? 'killed' : 'alive';
  } catch {
    return 'killed';
  } finally {
    place_file(mutant.path, all);
  }
}

let done = 0;
const began = Date.now();
const judge = async (mutant, how) => {
  mutant.outcome = await how(mutant);
  if (mutant.outcome !== 'killed') console.log(`${mutant.outcome}: ${mutant.path}:${mutant.line}: ${mutant.what}`);
  if (++done % 100 === 0) console.log(`${done} of ${chosen.length}, ${Math.round((Date.now() - began) / 1000)} s`);
};
await each(
  chosen.filter(({ rebuilt }) => !rebuilt),
  jobs,
  (mutant) => judge(mutant, outcome),
);
for (const mutant of chosen.filter(({ rebuilt }) => rebuilt)) await judge(mutant, outcomeOfRebuilt);
if (chosen.some(({ rebuilt }) => rebuilt)) build(jobs);

const { share, lines, unexplained } = summary(chosen, all.length);
console.log(lines.join('\n'));
if (given.table) writeFileSync(given.table, `${lines.join('\n')}\n`);
console.log(`mutants: ${(100 * share).toFixed(1)} % of ${chosen.length} killed, ${unexplained} alive without a reason in survivors.jsonl`);
if (share < Number(given.floor)) {
  console.error(`mutants: less than ${100 * Number(given.floor)} % are killed`);
  process.exit(1);
}
