// The engine once more, with a switch at every site: a tree of its own under build/mutation, built like the real one.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sitesOf, switched } from './sites.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const place = `${root}/build/mutation`;
export const program = `${place}/build/tests/plimsoll-tests`;
/** Behind standard input and output, for tests that are scripts. */
export const native = `${place}/build/plimsoll-native`;
const tree = `${place}/tree`;
/** The rooms that decide an answer. */
export const rooms = ['model', 'policies', 'estimate', 'formats', 'api'];
/** Sites of one file, and files: what a mutant's number leaves room for. */
const most = 4096;

const isMutated = (path) => rooms.some((room) => path.startsWith(`engine/${room}/`)) && /\.(cpp|h)$/.test(path);

/** Each file's number follows from its name, so that a new file leaves the others' mutants what they are. */
function numbered(paths) {
  const taken = new Map();
  for (const path of paths) {
    let number = [...path].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % most, 7);
    while ([...taken.values()].includes(number)) number = (number + 1) % most;
    taken.set(path, number);
  }
  return taken;
}

/** All mutants: file, line, what is changed, and the number that switches it on. */
export function mutants() {
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'engine'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => isMutated(path) && existsSync(`${root}/${path}`))
    .sort();
  const files = numbered(paths);
  return paths.flatMap((path) =>
    sitesOf(readFileSync(`${root}/${path}`, 'utf8')).map((site, i) => ({ ...site, path, number: files.get(path) * most + i })),
  );
}

function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Puts a file of the tree into place, by default with its switches. */
export function place_file(path, all, text) {
  const own = all.filter((mutant) => mutant.path === path);
  write(`${tree}/${path}`, text ?? switched(readFileSync(`${root}/${path}`, 'utf8'), own, (i) => own[i].number));
}

/** Writes the tree: files that did not change stay untouched, so that only what changed is built again. */
export function makeTree(all) {
  const listed = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = listed(`${root}/engine`).map((entry) => join(entry.path, entry.name).slice(root.length + 1));
  for (const path of paths)
    if (isMutated(path)) place_file(path, all);
    else write(`${tree}/${path}`, readFileSync(`${root}/${path}`, 'utf8'));
  for (const entry of listed(`${tree}/engine`)) {
    const path = join(entry.path, entry.name);
    if (!existsSync(`${root}/${path.slice(tree.length + 1)}`)) rmSync(path);
  }
  for (const name of ['tests', 'presets', 'CMakeLists.txt']) if (!existsSync(`${tree}/${name}`)) symlinkSync(`${root}/${name}`, `${tree}/${name}`);
}

/** Builds the tests with the mutants in them. */
export function build(jobs) {
  const loud = { stdio: ['ignore', 'inherit', 'inherit'] };
  // What is compiled must not warn: a mutant is allowed to look wrong.
  const flags = `-std=c++20 -w -include ${root}/tests/mutation/switch.h -D_GLIBCXX_ASSERTIONS`;
  const settings = ['-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_CXX_FLAGS_RELEASE=-O1', `-DCMAKE_CXX_FLAGS=${flags}`, '-DPLIMSOLL_WERROR=OFF'];
  if (!existsSync(`${place}/build/build.ninja`)) execFileSync('cmake', ['-G', 'Ninja', '-S', tree, '-B', `${place}/build`, ...settings], loud);
  execFileSync('cmake', ['--build', `${place}/build`, '--target', 'plimsoll-tests', 'plimsoll-native', '--parallel', String(jobs)], loud);
}
