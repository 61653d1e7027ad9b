// Makes the projects of docs/embedding with the generators that they are for, where this machine has those: each in a folder of its
// own, with our scripts where its README says, and what the command line prints in place of its remark.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(__dirname, '..', '..');
const scripts = ['plimsoll-calculator.js', 'plimsoll-engine.js'];

/** Where npm's generators lie: `./dev nightly generators` installs them there. */
const modules = join(process.env['PLIMSOLL_GENERATORS'] ?? join(root, 'build', 'generators'), 'node_modules');

const program = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync);
/** A program within npm's packages. */
const script = (path: string): string | undefined => [join(modules, path)].find(existsSync);

interface Generator {
  /** The program; undefined: it is not installed. */
  found: () => string | undefined;
  words: readonly string[];
  /** The folder for our scripts. */
  scripts: string;
  /** The folder that it makes. */
  made: string;
  /** Pages that hold the tag. */
  pages: readonly string[];
}

export const generators: Record<string, Generator> = {
  mkdocs: {
    found: () => program('mkdocs'),
    words: ['build', '--quiet', '--strict'],
    scripts: 'docs/javascripts',
    made: 'site',
    pages: ['index.html'],
  },
  sphinx: {
    found: () => program('sphinx-build'),
    words: ['-q', '-W', '.', 'made'],
    scripts: '_static',
    made: 'made',
    pages: ['index.html', 'markdown.html'],
  },
  hugo: { found: () => program('hugo'), words: ['--quiet'], scripts: 'static', made: 'public', pages: ['index.html'] },
  vitepress: {
    found: () => script('vitepress/bin/vitepress.js'),
    words: ['build'],
    scripts: 'public',
    made: '.vitepress/dist',
    pages: ['index.html'],
  },
  docusaurus: {
    found: () => script('@docusaurus/core/bin/docusaurus.mjs'),
    words: ['build'],
    scripts: 'static',
    made: 'build',
    pages: [''],
  },
  jupyter: {
    found: () => program('jupyter-nbconvert'),
    words: ['--to', 'html', '--template', 'basic', '--execute', '--output', 'index', 'page.ipynb'],
    scripts: '.',
    made: '.',
    pages: ['index.html'],
  },
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());

/**
 * Makes the project of a generator, or nothing where that is not installed. Whoever calls it removes the folder.
 * @param name of a folder of docs/embedding
 * @param printed what the command line prints for a remark
 */
export function generated(name: string, printed: (words: readonly string[]) => string): { folder: string; made: string } | undefined {
  const generator = generators[name];
  const found = generator?.found();
  if (!generator || !found) return undefined;
  const folder = mkdtempSync(join(tmpdir(), `plimsoll-${name}-`));
  cpSync(join(root, 'docs', 'embedding', name, 'project'), folder, { recursive: true });
  for (const file of filesIn(folder)) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replaceAll(/<!-- plimsoll estimate (.*?) -->/g, (_, words: string) => printed(words.split(' ')).trim()),
    );
  }
  mkdirSync(join(folder, generator.scripts), { recursive: true });
  for (const one of scripts) cpSync(join(root, 'web', 'dist', one), join(folder, generator.scripts, one));
  const ofNpm = found.startsWith(modules);
  if (ofNpm) {
    symlinkSync(modules, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{}');
  }
  const [command, ...words] = ofNpm ? [process.execPath, found, ...generator.words] : [found, ...generator.words];
  // what Docusaurus keeps of another folder does not fit this one
  const env = { ...process.env, DOCUSAURUS_NO_PERSISTENT_CACHE: 'true' };
  const run = spawnSync(command, words, { cwd: folder, encoding: 'utf8', env });
  if (run.status === 0) return { folder, made: join(folder, generator.made) };
  rmSync(folder, { recursive: true });
  throw new Error(`${name}: ${run.stdout}${run.stderr}`);
}
