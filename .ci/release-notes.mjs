// `node .ci/release-notes.mjs TAG`: what CHANGELOG.md says of a release, to standard output. The tag has to be the version that package,
// engine and build name, and the changelog has to have its section: else it ends with status 1 and says what differs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tree = join(import.meta.dirname, '..');

/** Where a version stands, and how it is found there. */
const places = {
  'web/package.json': /^ {2}"version": "([^"]+)"/m,
  'CMakeLists.txt': /^project\(plimsoll VERSION ([\d.]+) /m,
  'engine/api/api.cpp': /version\(\) \{ return "([^"]+)"; \}/,
};

/** The section of a version, without its title. @param {string} changelog @param {string} version @returns {string | undefined} */
export function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((one) => one.split('\n')[0].replace(/[[\]]/g, '').split(/\s/)[0] === version);
  return found?.slice(found.indexOf('\n')).trim();
}

/**
 * The notes of a release, or why it is none.
 * @param {string} tag such as v1.2.3 @param {(path: string) => string} read a file of the tree
 * @returns {{notes: string} | {wrong: string[]}}
 */
export function notesOf(tag, read) {
  const version = tag.replace(/^v/, '');
  const wrong = Object.entries(places).flatMap(([path, pattern]) => {
    const said = pattern.exec(read(path))?.[1];
    return said === version ? [] : [`${path} says ${said ?? 'no version'}, the tag ${tag}`];
  });
  if (!/^v\d+\.\d+\.\d+$/.test(tag)) wrong.push(`${tag} is not of the form v1.2.3`);
  const notes = sectionOf(read('CHANGELOG.md'), version);
  if (!notes) wrong.push(`CHANGELOG.md has no section ${version}`);
  return wrong.length > 0 ? { wrong } : { notes };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { notes, wrong } = notesOf(process.argv[2] ?? '', (path) => readFileSync(join(tree, path), 'utf8'));
  if (notes) console.log(notes);
  else for (const line of wrong) console.error(line);
  process.exitCode = notes ? 0 : 1;
}
