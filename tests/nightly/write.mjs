// Makes docs/trust.md of the tables that ./dev nightly left in build/nightly. A part that is not named keeps its table.
//
//   node tests/nightly/write.mjs SEED PART…
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = `${root}docs/trust.md`;
const parts = {
  properties: ['Properties', 'Random requests of every task, runtime, framework and method, and laws that hold for them (`tests/properties`).'],
  fuzz: ['Fuzzing', 'Bytes, and inputs that a grammar changes (`tests/fuzz`), under address and undefined-behaviour sanitizers.'],
  mutants: ['Mutants', 'Small mistakes put into the engine: the share that the tests notice (`tests/mutation`).'],
  coverage: ['Coverage', 'Lines and branches that the tests run (`tests/coverage`); edges that only an exception takes are not counted.'],
  reproducible: ['Reproducible', 'The WebAssembly built on two paths, and the hashes of both (`.ci/reproducible.sh`).'],
};

const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
const kept = (title) => before.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
const [seed, ...ran] = process.argv.slice(2);
const section = ([name, [title, what]]) => {
  const table = `${root}build/nightly/${name}.md`;
  if (!ran.includes(name) || !existsSync(table)) return kept(title) ? `## ${kept(title).trim()}` : `## ${title}\n\n${what} Not run yet.`;
  const day = new Date().toISOString().slice(0, 10);
  return `## ${title}\n\n${what} ${day}, seed ${seed}.\n\n${readFileSync(table, 'utf8').trimEnd()}`;
};

const head = `# What was tried

\`./dev nightly\` writes this page: what is attacked each night, how often, and what lived through it. Each part can be run
alone (\`./dev nightly mutants\`); the seed makes it the same again.`;
writeFileSync(page, `${[head, ...Object.entries(parts).map(section)].join('\n\n')}\n`);
