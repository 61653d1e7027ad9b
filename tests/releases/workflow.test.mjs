// A release by .github/workflows/release.yml: of a tag that is the version everywhere, with what the changelog says, tested before
// it is built and built before it is published, each job with no more rights than it needs. What it runs is run here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { notesOf, sectionOf } from '../../.ci/release-notes.mjs';
import { root } from '../architecture/sources.mjs';
import { nativeArchive } from '../../web/scripts/native.mjs';
import { packageReadme } from '../../web/scripts/package-readme.mjs';
import { inRepository } from '../../web/scripts/repository.mjs';

const { load } = createRequire(`${root}/web/package.json`)('js-yaml');
const read = (path) => readFileSync(join(root, path), 'utf8');
const workflow = load(read('.github/workflows/release.yml'));
const { jobs } = workflow;
const runs = (name) => jobs[name].steps.flatMap(({ run }) => run ?? []);
const all = Object.keys(jobs).flatMap(runs);

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-release-'));
after(() => rmSync(folder, { recursive: true }));

test('a tag starts it, and nothing else', () => {
  assert.deepEqual(Object.keys(workflow.on), ['push']);
  assert.deepEqual(Object.keys(workflow.on.push), ['tags']);
});

test('each job has the rights that it needs', () => {
  assert.deepEqual(workflow.permissions, { contents: 'read' });
  const rights = Object.entries(jobs).flatMap(([name, { permissions }]) => (permissions ? [[name, permissions]] : []));
  assert.deepEqual(Object.fromEntries(rights), {
    npm: { 'id-token': 'write' },
    github: { contents: 'write' },
    pages: { pages: 'write', 'id-token': 'write' },
  });
  const secrets = [...read('.github/workflows/release.yml').matchAll(/secrets\.(\w+)/g)].map(([, name]) => name);
  assert.deepEqual(secrets, ['NPM_TOKEN'], 'and it is seen by the job that publishes alone');
  assert.match(JSON.stringify(jobs.npm), /secrets\.NPM_TOKEN/);
});

test('the tag is held against the versions first, then all is tested, then built; what publishes comes after', () => {
  const steps = runs('build');
  const at = (text) => steps.findIndex((run) => run.includes(text));
  assert.ok(at('release-notes.mjs "$GITHUB_REF_NAME"') === 0);
  assert.ok(at('./dev test') < at('repository.mjs') && at('repository.mjs') < at('./dev release'));
  for (const name of ['npm', 'github']) assert.deepEqual(jobs[name].needs, ['build', 'native']);
  assert.equal(jobs.pages.needs, 'build');
  for (const name of ['npm', 'github', 'pages'])
    assert.ok(
      !jobs[name].steps.some(({ uses = '' }) => uses.startsWith('actions/checkout@')),
      `${name} publishes what was built, and builds nothing`,
    );
});

test('both packages are published with provenance, after their checksums', () => {
  const [check, publish] = runs('npm');
  assert.match(check, /sha256sum --check/);
  const lines = publish.split('\n').filter((line) => line.startsWith('npm publish'));
  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, /--provenance --access public$/);
});

test('the release has notes, checksums, a bill of materials and every archive', () => {
  assert.ok(runs('github').some((run) => /gh release create .*--verify-tag .*--notes-file NOTES\.md release\/\*/.test(run)));
  assert.ok(runs('github').some((run) => run.includes('sha256sum')));
  const made = read('.ci/release.sh');
  for (const part of ['sbom.mjs', 'SHA256SUMS', 'npm pack', 'conformance.mjs', 'THIRD-PARTY.txt', 'plimsoll.html'])
    assert.ok(made.includes(part), part);
  assert.deepEqual(
    jobs.native.strategy.matrix.include.map(({ name }) => name.split('-')[0]).filter((name, i, names) => names.indexOf(name) === i),
    ['linux', 'macos', 'windows'],
  );
});

test('every script that it runs is there, and every line is one that the shell reads', () => {
  for (const run of all) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: run.replaceAll(/\$\{\{.*?\}\}/g, 'x'), encoding: 'utf8' });
    assert.equal(status, 0, `${run}\n${stderr}`);
    assert.doesNotMatch(run, /\$\{\{/, 'what a tag is called is no text of a script: it comes through the environment');
    for (const [path] of run.matchAll(/(?:\.ci|web\/scripts)\/[\w-]+\.mjs/g)) assert.ok(existsSync(join(root, path)), path);
  }
});

const tree = {
  'web/package.json': '{\n  "name": "plimsoll",\n  "version": "1.2.3"\n}',
  'CMakeLists.txt': 'x\nproject(plimsoll VERSION 1.2.3 LANGUAGES CXX)\n',
  'engine/api/api.cpp': 'std::string_view version() { return "1.2.3"; }',
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-24\n\n### Added\n\n- A thing.\n\n## 1.2.2\n\n- Another.\n',
};
const notes = (tag, more = {}) => notesOf(tag, (path) => ({ ...tree, ...more })[path]);

test('the notes are the section of the version', () => {
  assert.deepEqual(notes('v1.2.3'), { notes: '### Added\n\n- A thing.' });
  assert.equal(sectionOf('## [1.0.0] - 2026\n\n- First.\n', '1.0.0'), '- First.');
});

test('a tag that is not the version, or not told of, is no release', () => {
  assert.match(notes('v1.2.4').wrong.join('\n'), /web\/package\.json says 1\.2\.3[^]*api\.cpp[^]*no section 1\.2\.4/);
  assert.deepEqual(notes('1.2.3').wrong, ['1.2.3 is not of the form v1.2.3']);
  assert.deepEqual(notes('v1.2.3', { 'CHANGELOG.md': '## Unreleased\n\n- A thing.\n' }).wrong, ['CHANGELOG.md has no section 1.2.3']);
  const { status, stderr } = spawnSync(process.execPath, [join(root, '.ci/release-notes.mjs'), 'v99.0.0'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /engine\/api\/api\.cpp says \d/);
});

test('the versions of the tree are one', () => {
  const { version } = JSON.parse(read('web/package.json'));
  assert.deepEqual(
    notesOf(`v${version}`, (path) => (path === 'CHANGELOG.md' ? `## ${version}\n\n- x\n` : read(path))),
    { notes: '- x' },
  );
});

test('packages say where they come from when they are released, and nowhere before', () => {
  const about = JSON.parse(read('web/package.json'));
  for (const name of ['repository', 'homepage', 'bugs']) assert.ok(!(name in about), `${name} would be somebody's`);
  const said = inRepository(about, 'https://example.org/somebody/fork');
  assert.deepEqual(said.repository, { type: 'git', url: 'git+https://example.org/somebody/fork.git', directory: 'web' });
  assert.deepEqual(said.bugs, { url: 'https://example.org/somebody/fork/issues' });
  assert.throws(() => inRepository(about, 'nowhere'));
  const text = 'See [guide](docs/guide.md), [site](https://example.org), [below](#below).\n\n![The page](docs/page.png)\n\nEnd.\n';
  assert.equal(packageReadme(text, { version: '1.0.0' }), 'See guide, [site](https://example.org), [below](#below).\n\nEnd.\n');
  assert.match(
    packageReadme(text, { ...said, version: '1.0.0' }),
    /\[guide\]\(https:\/\/example\.org\/somebody\/fork\/blob\/v1\.0\.0\/docs\/guide\.md\)/,
  );
});

test('a native archive brings presets, licence and notices, and answers', () => {
  const made = join(folder, 'native');
  nativeArchive(join(root, 'build/native'), made);
  assert.deepEqual(readdirSync(made).sort(), ['LICENSE', 'README.txt', 'THIRD-PARTY.txt', 'plimsoll-native', 'presets']);
  assert.match(readFileSync(join(made, 'THIRD-PARTY.txt'), 'utf8'), /^nlohmann\/json [\d.]+ \(MIT\)$/m);
  const request = JSON.stringify({ model: { preset: 'llama-3-8b' }, device: { preset: 'rtx-4090' } });
  const run = spawnSync(join(made, 'plimsoll-native'), [join(made, 'presets')], { input: `${request}\n`, encoding: 'utf8' });
  assert.match(run.stdout, /"verdict":"fits"/, run.stderr);
});
