// clang-tidy over the engine's translation units: `node tidy.mjs BUILD_FOLDER JOBS`. Most of its time goes into headers, so
// that a folder which is compiled as one source is checked as one. What was checked is checked again only when the contents
// of something that it includes have changed, or the rules have.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const [build, jobs] = process.argv.slice(2);
const tool = 'clang-tidy-14';
const stamps = 'build/stamps/tidied';
mkdirSync(stamps, { recursive: true });

const sha = (text) => createHash('sha256').update(text).digest('hex');

/** What each unit was compiled from, as the last build noted it: the unit's own source first, then what it includes. */
function compiledFrom() {
  const units = new Map();
  const text = execFileSync('ninja', ['-C', build, '-t', 'deps'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const entry of text.split('\n\n')) {
    const read = entry
      .split('\n')
      .slice(1)
      .map((line) => relative('.', resolve(build, line.trim())));
    const paths = read.filter((path) => path !== '' && !path.startsWith('..') && !path.startsWith('build'));
    const unit = read.find((path) => /\.c(pp|xx)$/.test(path));
    if (paths.some((path) => /^engine\/.*\.cpp$/.test(path))) units.set(unit, paths);
  }
  return units;
}

const run = promisify(execFile);

/**
 * The build's commands by source, less the headers that it compiled beforehand: those are in its compiler's form, and a
 * unit includes what it needs by itself.
 */
function commandsWithoutPrecompiled() {
  const commands = JSON.parse(readFileSync(`${build}/compile_commands.json`, 'utf8').replaceAll(/ (-Winvalid-pch|-include \S+cmake_pch\.hxx)/g, ''));
  return new Map(commands.map((one) => [relative('.', one.file), one]));
}

const sourcesOf = (paths) => paths.filter((path) => path.endsWith('.cpp'));

async function check([unit, paths]) {
  const stamp = `${stamps}/${unit.replaceAll('/', '.')}`;
  const contents = paths.toSorted().map((path) => `${path}\0${sha(readFileSync(path))}`);
  const now = sha(rules + contents.join('\n'));
  if (statSync(stamp, { throwIfNoEntry: false }) && readFileSync(stamp, 'utf8') === now) return 'unchanged';
  // a folder's one source includes the others
  const own = unit.endsWith('.cxx') ? ['--checks=-bugprone-suspicious-include'] : [];
  try {
    // The build's compiler may know warnings by name that clang does not.
    await run(tool, ['-p', folder, '--quiet', ...own, '--extra-arg=-Wno-unknown-warning-option', unit]);
  } catch (fault) {
    rmSync(stamp, { force: true });
    console.log(fault.stdout || fault.stderr || fault.message);
    return 'failed';
  }
  writeFileSync(stamp, now);
  return 'checked';
}

/** Does something with each, as many at once as there are processors. */
async function sideBySide(all, work) {
  const queue = [...all];
  const done = [];
  const one = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) done.push(await work(next));
  };
  await Promise.all(Array.from({ length: Number(jobs) }, one));
  return done;
}

const folder = 'build/tidy';
mkdirSync(folder, { recursive: true });
const commands = commandsWithoutPrecompiled();
const rules = readFileSync('.clang-tidy', 'utf8') + execFileSync(tool, ['--version'], { encoding: 'utf8' });
const isThere = (path) => statSync(path, { throwIfNoEntry: false }) !== undefined;
const units = [...compiledFrom()].filter(([unit, paths]) => commands.has(unit) && paths.every(isThere));
writeFileSync(`${folder}/compile_commands.json`, JSON.stringify([...commands.values()]));
const count = { unchanged: 0, checked: 0, failed: 0 };
await sideBySide(units, async (one) => {
  count[await check(one)] += sourcesOf(one[1]).length;
});
console.log(`clang-tidy: ${count.checked} files checked, ${count.unchanged} unchanged, ${count.failed} with findings`);
if (count.failed > 0 || count.checked + count.unchanged === 0) process.exitCode = 1;
