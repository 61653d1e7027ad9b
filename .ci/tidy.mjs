// clang-tidy over the engine's translation units: `node tidy.mjs BUILD_FOLDER JOBS`. Most of its time goes into headers, so
// that the units of a folder are checked as one where their internal names allow it. What was checked is checked again only
// when the contents of something that it includes have changed, or the rules have.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const [build, jobs] = process.argv.slice(2);
const tool = 'clang-tidy-14';
const stamps = 'build/stamps/tidied';
mkdirSync(stamps, { recursive: true });

const sha = (text) => createHash('sha256').update(text).digest('hex');

/** What each object was compiled from, as the last build noted it: source first, then headers. */
function compiledFrom() {
  const units = new Map();
  const text = execFileSync('ninja', ['-C', build, '-t', 'deps'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const entry of text.split('\n\n')) {
    const paths = entry
      .split('\n')
      .slice(1)
      .map((line) => relative('.', resolve(build, line.trim())))
      .filter((path) => path !== '' && !path.startsWith('..') && !path.startsWith('build'));
    // not what was only precompiled, which begins with a header
    if (paths[0]?.startsWith('engine/') && paths[0].endsWith('.cpp')) units.set(paths[0], paths);
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

/** The units of each folder that one target compiles. */
function foldersOf(units) {
  const folders = new Map();
  for (const unit of units) {
    const key = `${dirname(unit)} ${/ -o (\S+\.dir)/.exec(commands.get(unit).command)[1]}`;
    folders.set(key, [...(folders.get(key) ?? []), unit]);
  }
  return [...folders.values()];
}

const nameOf = (group) => (group.length === 1 ? group[0] : `${dirname(group[0])}/all`).replaceAll('/', '.');

/** Writes a group as one source with a command of its own; gives both. */
function asOneSource(group) {
  const command = commands.get(group[0]);
  const file = resolve(folder, `${nameOf(group)}.cpp`);
  writeFileSync(file, group.map((unit) => `#include "${resolve(unit)}"\n`).join(''));
  return { ...command, file, command: command.command.replace(/ -o \S+ -c \S+/, ` -o ${file}.o -c ${file}`) };
}

/** A folder's units as one group where they compile as one source, else each as a group. */
async function grouped(units) {
  if (units.length === 1) return [units];
  const { command, directory } = asOneSource(units);
  const compiles = run('sh', ['-c', `${command} -w -fsyntax-only`], { cwd: directory });
  return compiles.then(
    () => [units],
    () => units.map((unit) => [unit]),
  );
}

async function check(group) {
  const paths = [...new Set(group.flatMap((unit) => units.get(unit)))].sort();
  const stamp = `${stamps}/${nameOf(group)}`;
  const now = sha(rules + paths.map((path) => `${path}\0${sha(readFileSync(path))}`).join('\n'));
  if (statSync(stamp, { throwIfNoEntry: false }) && readFileSync(stamp, 'utf8') === now) return 'unchanged';
  const file = group.length === 1 ? group[0] : resolve(folder, `${nameOf(group)}.cpp`);
  const own = group.length === 1 ? [] : ['--checks=-bugprone-suspicious-include'];
  try {
    // The build's compiler may know warnings by name that clang does not.
    await run(tool, ['-p', folder, '--quiet', ...own, '--extra-arg=-Wno-unknown-warning-option', file]);
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
const units = new Map([...compiledFrom()].filter(([unit, paths]) => commands.has(unit) && paths.every(isThere)));
const groups = (await sideBySide(foldersOf(units.keys()), grouped)).flat();
writeFileSync(
  `${folder}/compile_commands.json`,
  JSON.stringify([...commands.values(), ...groups.filter(({ length }) => length > 1).map(asOneSource)]),
);
const count = { unchanged: 0, checked: 0, failed: 0 };
await sideBySide(groups, async (group) => {
  count[await check(group)] += group.length;
});
console.log(`clang-tidy: ${count.checked} files checked, ${count.unchanged} unchanged, ${count.failed} with findings`);
if (count.failed > 0 || count.checked + count.unchanged === 0) process.exitCode = 1;
