// clang-tidy over the engine's translation units: `node tidy.mjs BUILD_FOLDER JOBS`. A unit is checked again only when
// the contents of something it includes have changed, or the rules have.
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
    if (paths[0]?.startsWith('engine/')) units.set(paths[0], paths);
  }
  return units;
}

/**
 * A folder with the build's commands, less the headers that it compiled beforehand: those are in its compiler's form,
 * and a unit includes what it needs by itself.
 */
function commandsWithoutPrecompiled() {
  const folder = 'build/tidy';
  mkdirSync(folder, { recursive: true });
  const commands = readFileSync(`${build}/compile_commands.json`, 'utf8');
  writeFileSync(`${folder}/compile_commands.json`, commands.replaceAll(/ (-Winvalid-pch|-include \S+cmake_pch\.hxx)/g, ''));
  return folder;
}

async function check(unit, paths, rules) {
  const stamp = `${stamps}/${unit.replaceAll('/', '.')}`;
  const now = sha(rules + paths.map((path) => `${path}\0${sha(readFileSync(path))}`).join('\n'));
  if (statSync(stamp, { throwIfNoEntry: false }) && readFileSync(stamp, 'utf8') === now) return 'unchanged';
  try {
    // The build's compiler may know warnings by name that clang does not.
    await promisify(execFile)(tool, ['-p', commands, '--quiet', '--extra-arg=-Wno-unknown-warning-option', unit]);
  } catch (fault) {
    rmSync(stamp, { force: true });
    console.log(fault.stdout || fault.stderr || fault.message);
    return 'failed';
  }
  writeFileSync(stamp, now);
  return 'checked';
}

const commands = commandsWithoutPrecompiled();
const rules = readFileSync('.clang-tidy', 'utf8') + execFileSync(tool, ['--version'], { encoding: 'utf8' });
const queue = [...compiledFrom()].filter(([, paths]) => paths.every((path) => statSync(path, { throwIfNoEntry: false })));
const count = { unchanged: 0, checked: 0, failed: 0 };
await Promise.all(
  Array.from({ length: Number(jobs) }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) count[await check(...next, rules)] += 1;
  }),
);
console.log(`clang-tidy: ${count.checked} files checked, ${count.unchanged} unchanged, ${count.failed} with findings`);
if (count.failed > 0 || count.checked + count.unchanged === 0) process.exitCode = 1;
