// Presets for the page: read from ../presets, given out in pieces (the site) or as one module (single file, element).

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { entryOf } from '../src/engine/entry.ts';
import { families } from '../src/library/families.mjs';
import { packedEach } from './packed.ts';
import type { ModelPreset, RuntimePreset } from '../src/engine/wire.d.ts';

const folder = join(import.meta.dirname, '..', '..', 'presets');

type Preset = Record<string, unknown> & { id: string };

function all(kind: string): Preset[] {
  const at = join(folder, kind);
  if (!existsSync(at)) return [];
  const names = readdirSync(at).filter((name) => name.endsWith('.json'));
  const presets = names.map((name) => JSON.parse(readFileSync(join(at, name), 'utf8')) as Preset);
  // By id, not by file: a plain model comes before its variants.
  return presets.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Who says so stands in the files under presets/; neither the engine nor the form reads it of a model. */
const provenance = ['sources', 'config_from', 'checkpoint_parameters', 'notes'];

const carried = (model: ModelPreset): object => Object.fromEntries(Object.entries(model).filter(([name]) => !provenance.includes(name)));

/** What neither the engine nor the page reads of the tables; the files under presets/ and the command line have it. */
const unread: Record<string, string[]> = {
  devices: ['bandwidth', 'compute', 'interconnect', 'form_factor', 'notes', 'unverified'],
  encodings: [],
  optimizers: ['description'],
  runtimes: ['description', 'versions', 'launch'],
  bands: [],
};

/** Of devices, what times are told with comes beside the tables, when one asks. */
const withoutRates = unread['devices']!.filter((name) => !['bandwidth', 'compute'].includes(name));

/** Of a source its title and address are shown. */
const shownOf = (sources: object): object =>
  Object.fromEntries(Object.entries(sources).map(([key, { title, url }]: [string, { title: string; url?: string }]) => [key, { title, url }]));

/** Of how far answers may be off, why it is so stays in the files. */
const withoutReasons = (name: string, value: unknown): unknown => (['why', 'models'].includes(name) ? undefined : value);

/** Whose answers the first engine gives: it needs no other bands. */
const answeredFirst = ['inference', 'transformers'];
const isFirst = ({ id }: object & { id?: string }): boolean => answeredFirst.includes(id!);

/** What the whole engine reads of a tool that trains: its defaults, with who says so; the texts are the page's. */
function defaultsOf({ id, name, defaults = [], sources }: Preset): object {
  const named = (defaults as { from: string }[]).map(({ from }) => from);
  const used = Object.entries(sources as object).filter(([key]) => named.includes(key));
  return { id, name, defaults, sources: shownOf(Object.fromEntries(used)) };
}

const table = (kind: string, without = unread[kind]!): object[] =>
  all(kind).map(({ sources, ...preset }) => ({
    ...Object.fromEntries(Object.entries(preset).filter(([name]) => !without.includes(name))),
    ...(sources !== undefined && { sources: shownOf(sources as object) }),
  }));

/** Kinds whose sources come when an explanation is asked for: the first answer does without. Of encodings the page itself shows them. */
const sourcedLater = ['devices', 'optimizers', 'runtimes'];

type Tables = Record<string, (object & { id?: string; sources?: object | undefined })[]>;

const lean = (tables: Tables): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([kind, entries]) => [
      kind,
      sourcedLater.includes(kind) ? entries.map((one) => ({ ...one, sources: undefined })) : entries,
    ]),
  );

/** What `lean` left out, by kind and id. */
const sourcesOf = (tables: Tables): object =>
  Object.fromEntries(sourcedLater.map((kind) => [kind, Object.fromEntries(tables[kind]!.map(({ id, sources }) => [id, sources]))]));

const machineOf = ({ id, name, device, count }: Preset): object => ({ id, name, device, count: (count as { value: number }).value });

/** @param whole in one file nothing comes later */
export function presetFiles(whole = false): Record<string, string> {
  const models = families(all('models') as unknown as ModelPreset[]).flatMap(({ models }) => models);
  const runtimes = all('runtimes') as unknown as RuntimePreset[];
  const tables = Object.fromEntries(Object.keys(unread).map((kind) => [kind, table(kind)]));
  const bands = tables['bands']!;
  const first = { ...tables, bands: bands.filter(isFirst) };
  return {
    'tables.json': JSON.stringify(whole ? first : lean(first), withoutReasons),
    ...(!whole && { 'sources.json': JSON.stringify(sourcesOf(tables), withoutReasons) }),
    'rates.json': JSON.stringify({ devices: table('devices', withoutRates), speeds: table('speeds', []) }),
    'bands.json': JSON.stringify({ bands, trainers: all('trainers').map(defaultsOf) }, withoutReasons),
    'models.json': JSON.stringify(models.map(entryOf)),
    'models-all.json': JSON.stringify(Object.fromEntries(models.map((model) => [model.id, carried(model)]))),
    'launches.json': JSON.stringify(Object.fromEntries(runtimes.map(({ id, launch }) => [id, launch ?? []]))),
    'machines.json': JSON.stringify({ machines: all('machines').map(machineOf), others: all('others').map(({ id, bytes }) => ({ id, bytes })) }),
    'trainers.json': JSON.stringify(all('trainers')),
    'examples.json': JSON.stringify(all('examples')),
    ...Object.fromEntries(models.map((model) => [`models/${model.id}.json`, JSON.stringify(carried(model))])),
  };
}

/** Serves the pieces beside the site, under a folder named by their content. */
export function fetchedPresets(): Plugin {
  const name = 'virtual:plimsoll-presets';
  const files = presetFiles();
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 10);
  const base = `presets/${hash}/`;
  const ids = all('models').map(({ id }) => id);
  return {
    name: 'plimsoll-presets',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export const base = ${JSON.stringify(base)};\nexport const ids = ${JSON.stringify(ids)};` : undefined),
    configureServer(server) {
      server.middlewares.use((asked, answer, next) => {
        const text = files[(asked.url ?? '').replace(`/${base}`, '').split('?')[0]!];
        if (text === undefined || !asked.url?.startsWith(`/${base}`)) return next();
        answer.setHeader('content-type', 'application/json');
        answer.end(text);
      });
    },
    generateBundle() {
      for (const [file, source] of Object.entries(files)) this.emitFile({ type: 'asset', fileName: base + file, source });
    },
  };
}

/** The engine's WebAssembly, by the name it is exported under, and all presets as one module: each gzip in base85. */
export function inlinedPresets(engine: Record<string, string>): Plugin {
  const name = 'virtual:plimsoll-inlined';
  return {
    name: 'plimsoll-inlined',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      const files = presetFiles(true);
      const values = await packedEach({
        ...Object.fromEntries(Object.entries(engine).map(([key, file]) => [key, readFileSync(file)])),
        tables: files['tables.json']!,
        rates: files['rates.json']!,
        bands: files['bands.json']!,
        models: files['models-all.json']!,
        examples: files['examples.json']!,
        launches: files['launches.json']!,
        machines: files['machines.json']!,
        trainers: files['trainers.json']!,
      });
      return Object.entries(values)
        .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}
