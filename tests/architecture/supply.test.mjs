// What comes from outside is pinned, and comes from where everyone can get it.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './sources.mjs';
import { packageParts } from '../../web/scripts/notices.mjs';

const workflows = readdirSync(`${root}/.github/workflows`).filter((name) => /\.ya?ml$/.test(name));

for (const name of workflows) {
  test(`${name}: every action is pinned by its full commit, with the version beside it`, () => {
    const text = readFileSync(`${root}/.github/workflows/${name}`, 'utf8');
    const uses = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    assert.ok(uses.length > 0);
    for (const line of uses) assert.match(line, /uses: [\w./-]+@[0-9a-f]{40} # v\d[\w.]*$/);
  });
}

test('the lock file names no registry but the public one, and has a checksum for every package', () => {
  const lock = JSON.parse(readFileSync(`${root}/web/package-lock.json`, 'utf8'));
  assert.equal(lock.lockfileVersion, 3);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.link) continue;
    if (entry.resolved !== undefined) assert.match(entry.resolved, /^https:\/\/registry\.npmjs\.org\//, path);
    assert.match(entry.integrity ?? '', /^sha512-/, path);
  }
});

/** Licences that ask for no more than a notice; of what only builds and tests, those whose terms bind changes to it alone, too. */
const shipped = ['MIT', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', 'Apache-2.0', 'Apache-2.0 WITH LLVM-exception'];
const building = [...shipped, 'MPL-2.0', 'BlueOak-1.0.0', 'PSF-2.0', 'Python-2.0', 'CC0-1.0', 'CC-BY-4.0', 'Unlicense'];

test('every locked package has a licence that may be built with', () => {
  const { packages } = JSON.parse(readFileSync(`${root}/web/package-lock.json`, 'utf8'));
  for (const [path, { license, link }] of Object.entries(packages)) {
    if (path === '' || link) continue;
    assert.ok(building.includes(license), `${path}: ${license ?? 'no licence'}`);
  }
});

test('the packages that the page imports may be shipped, and bring the words of their licence', () => {
  const sources = readdirSync(`${root}/web/src`, { recursive: true }).map(String);
  const texts = sources.filter((name) => /\.(?:ts|mjs)$/.test(name)).map((name) => readFileSync(`${root}/web/src/${name}`, 'utf8'));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/(?:from|import)\s*\(?\s*'((?:@[\w-]+\/)?[a-z][\w-]*)(?=['/])/g)].map(([, name]) => name),
  );
  const { packages } = JSON.parse(readFileSync(`${root}/web/package-lock.json`, 'utf8'));
  const found = packageParts(
    [...new Set(imported)].filter((name) => packages[`node_modules/${name}`]).map((name) => `${root}/web/node_modules/${name}/index.js`),
  );
  assert.ok(found.some(({ name }) => name === 'lit'));
  for (const { name, licence, text } of found) {
    assert.ok(shipped.includes(licence), `${name}: ${licence}`);
    assert.match(text, /copyright/i, name);
  }
});

test('a part whose licence text is missing does not ship', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-supply-'));
  const bare = join(folder, 'node_modules', 'bare');
  mkdirSync(bare, { recursive: true });
  writeFileSync(join(bare, 'package.json'), JSON.stringify({ name: 'bare', version: '1.0.0', license: 'MIT' }));
  assert.throws(() => packageParts([join(bare, 'index.js')]), /no licence text of bare/);
  writeFileSync(join(bare, 'LICENSE'), 'Copyright somebody');
  assert.equal(packageParts([join(bare, 'index.js')])[0].text, 'Copyright somebody');
  rmSync(folder, { recursive: true });
});

test('nothing that builds is the newest of the day: SDK and libraries have a version, and something keeps it new', () => {
  const { customManagers } = JSON.parse(readFileSync(`${root}/.github/renovate.json`, 'utf8'));
  const expressions = customManagers.flatMap(({ matchStrings }) => matchStrings.map((one) => new RegExp(one)));
  const places = [...workflows.map((name) => `.github/workflows/${name}`), 'engine/cmake/dependencies.cmake'];
  const pinned = places.map((path) => readFileSync(`${root}/${path}`, 'utf8')).join('\n');
  assert.doesNotMatch(pinned, /\b(?:install|activate) latest\b|:latest\b/);
  for (const expression of expressions) assert.match(pinned, expression, 'what is kept new is there');
  for (const [, version] of pinned.matchAll(/emsdk" (?:install|activate) (\S+)/g)) assert.equal(version, '"$EMSDK"');
  for (const [whole] of pinned.matchAll(/FetchContent_Declare\([^)]*\)/g)) assert.match(whole, /URL_HASH SHA256=[0-9a-f]{64}|GIT_TAG [0-9a-f]{40}/);
});
