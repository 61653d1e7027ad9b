// Builds from one source: the site, the tags for foreign pages (small with their engine beside them, and in one), the library for bundlers,
// the single file, the page of measured cases, the guide, and, when all of that is there, the worker that keeps the site.

import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'vite';
import { compiledAhead } from './plugins/ahead.ts';
import { contributing } from './plugins/contributing.ts';
import { packedData } from './plugins/data.ts';
import { copied } from './plugins/copied.ts';
import { engineGlue } from './plugins/engine.ts';
import { evidence } from './plugins/evidence.ts';
import { guestSource } from './plugins/guest.ts';
import { guide } from './plugins/guide.ts';
import { installable } from './plugins/installable.ts';
import { keys } from './plugins/keys.ts';
import { noticesBeside, noticesWithin } from './plugins/notices.ts';
import { firstAnswer } from './plugins/first.ts';
import { offline } from './plugins/offline.ts';
import { fetchedPresets, inlinedPresets } from './plugins/presets.ts';
import { counters } from './plugins/counters.ts';
import { rows } from './plugins/rows.ts';
import { singleFile } from './plugins/single.ts';
import { pageTokens, slimStyles } from './plugins/styles.ts';
import { layoutsWorker } from './plugins/worker.ts';

const root = import.meta.dirname;
/** Where the built engine lies; PLIMSOLL_ENGINE names another folder. */
const engine = process.env['PLIMSOLL_ENGINE'] ?? join(root, '..', 'build', 'wasm');
const built = (name: string): string => join(engine, name);
/** What the page fetches first, the whole engine, and what reads logs. */
const [glue, wholeGlue, logsGlue] = [built('plimsoll.mjs'), built('plimsoll-whole.mjs'), built('plimsoll-logs.mjs')];
const [wasm, wholeWasm, logsWasm] = [built('plimsoll.wasm'), built('plimsoll-whole.wasm'), built('plimsoll-logs.wasm')];

const common: UserConfig = {
  root,
  base: './',
  resolve: {
    alias: [
      { find: /^plimsoll-engine$/, replacement: glue },
      { find: /^plimsoll-engine-wasm/, replacement: wasm },
      { find: /^plimsoll-logs$/, replacement: logsGlue },
      { find: /^plimsoll-logs-wasm/, replacement: logsWasm },
      { find: /^plimsoll-whole$/, replacement: wholeGlue },
      { find: /^plimsoll-whole-wasm/, replacement: wholeWasm },
    ],
  },
  // The glue is written for Node too; the page never comes there.
  build: {
    outDir: 'dist',
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
};

function oneFile(entry: string, fileName: string, format: 'iife' | 'es', extra: UserConfig['plugins'] = [], engineWithin = true): UserConfig {
  return {
    ...common,
    // What makes styles ready for strangers reads them as they are written, before they are slimmed.
    plugins: [
      extra,
      engineGlue([wholeGlue, logsGlue]),
      slimStyles(root),
      layoutsWorker(root, wholeGlue, common.resolve),
      inlinedPresets({ wasm: wholeWasm, logsWasm }),
      rows(),
      counters(),
      keys(),
      evidence(),
      noticesWithin(engineWithin ? engine : undefined),
    ],
    publicDir: false,
    build: {
      ...common.build,
      emptyOutDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
      lib: { entry: join(root, entry), name: 'plimsoll', formats: [format], fileName: () => fileName },
    },
  };
}

/** The package's own: code, and beside it what it brings with the first call. */
const library: UserConfig = {
  ...common,
  plugins: [engineGlue([wholeGlue, logsGlue]), packedData({ 'plimsoll-whole': wholeWasm, 'plimsoll-logs': logsWasm }), noticesWithin(engine)],
  publicDir: false,
  build: {
    ...common.build,
    emptyOutDir: false,
    rolldownOptions: { output: { minify: true } },
    lib: {
      entry: { plimsoll: join(root, 'src/app/library.ts'), 'plimsoll-data': join(root, 'src/app/library-data.ts') },
      formats: ['es'],
      fileName: (_, name) => `${name}.js`,
    },
  },
};

/** A script that holds neither engine nor presets. */
const alone = (entry: string, fileName: string, plugins: UserConfig['plugins']): UserConfig => ({
  ...common,
  plugins: plugins!,
  publicDir: false,
  build: { ...common.build, emptyOutDir: false, lib: { entry: join(root, entry), name: 'plimsoll', formats: ['iife'], fileName: () => fileName } },
});

interface Modules {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

/** What the first view imports stays in one file, and so does what comes with the first answer, whatever later pieces share with
 * them: one compresses better than many. */
function firstView() {
  const first = new Set<string>();
  const visit = (id: string, modules: Modules): void => {
    if (first.has(id)) return;
    first.add(id);
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) visit(imported, modules);
  };
  return (id: string, modules: Modules): string | undefined => {
    if (first.size === 0) for (const entry of ['app/main.ts', 'views/answer/possible.ts']) visit(join(root, 'src', entry), modules);
    return first.has(id) ? 'first' : undefined;
  };
}

export default defineConfig(({ mode }) => {
  if (mode === 'library') return library;
  if (mode === 'loader') return oneFile('src/embed/loader.ts', 'plimsoll-calculator.js', 'iife', [], false);
  if (mode === 'element') return oneFile('src/embed/heavy.ts', 'plimsoll-engine.js', 'iife', [guestSource(root)]);
  if (mode === 'frame') return oneFile('src/embed/frame/page.ts', 'embed.js', 'iife', [copied(root, 'embed.html')], false);
  if (mode === 'frame-around') return oneFile('src/embed/frame/around.ts', 'plimsoll-frame.js', 'iife', [], false);
  if (mode === 'element-all') return oneFile('src/embed/all.ts', 'plimsoll-calculator.all.js', 'iife', [guestSource(root)]);
  if (mode === 'single')
    return oneFile('src/app/single.ts', 'single.js', 'iife', [singleFile(root, 'index.html', 'plimsoll.html', " 'wasm-unsafe-eval'")]);
  if (mode === 'accuracy') return oneFile('src/app/accuracy.ts', 'accuracy.js', 'iife', [singleFile(root, 'accuracy.html', 'accuracy.html')], false);
  if (mode === 'guide') return oneFile('src/guide/page.ts', 'guide/guide.js', 'iife', [guide()], false);
  if (mode === 'offline') return alone('src/app/offline/worker.ts', 'offline.js', [offline(join(root, 'dist'))]);
  const build = { ...common.build, rolldownOptions: { output: { manualChunks: firstView() } } };
  return {
    ...common,
    build,
    plugins: [
      engineGlue([glue, wholeGlue, logsGlue]),
      compiledAhead('first'),
      slimStyles(root),
      pageTokens(root),
      layoutsWorker(root, wholeGlue, common.resolve),
      fetchedPresets(),
      rows(),
      counters(),
      evidence(true),
      noticesBeside(engine),
      contributing(join(root, '..')),
      firstAnswer({ root, resolve: common.resolve!, plugins: [rows()] }, (files) =>
        files.filter((file) => /\/(plimsoll-(?!whole|logs)[^/]*\.wasm|tables\.json)$/.test(file)),
      ),
      installable(),
    ],
    server: { host: '127.0.0.1', fs: { allow: ['..', engine] } },
  };
});
