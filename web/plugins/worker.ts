// The worker that searches layouts, as text: the page makes it of a Blob, so that it runs from a server, from one file and from a disk alike.

import { join } from 'node:path';
import { build, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { engineGlue } from './engine.ts';

const name = 'virtual:plimsoll-layouts-worker';

/** @param root of the page, @param glue of the whole engine, @param resolve where the engine's names lead */
export function layoutsWorker(root: string, glue: string, resolve: UserConfig['resolve']): Plugin {
  const source = async (): Promise<string> => {
    const made = await build({
      root,
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      resolve: resolve!,
      plugins: [engineGlue([glue])],
      build: {
        write: false,
        target: 'es2022',
        lib: { entry: join(root, 'src/layouts/worker.ts'), name: 'plimsoll', formats: ['iife'] },
      },
    });
    const [{ output }] = made as [Rolldown.RolldownOutput];
    return output[0].code;
  };
  return {
    name: 'plimsoll-layouts-worker',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: async (id) => (id === `\0${name}` ? `export const source = ${JSON.stringify(await source())};` : undefined),
  };
}
