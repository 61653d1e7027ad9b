// dist/plimsoll.js: `import { load } from 'plimsoll'` in a browser, with everything the engine needs inside.

import { inlinedAssets } from './assets-inlined.ts';
import { Engine } from './engine.ts';
import type { Plimsoll } from './node/index.d.ts';

export async function load(): Promise<Plimsoll> {
  const engine = await Engine.load(inlinedAssets);
  const prepare = async (model: object): Promise<void> => {
    if ('preset' in model && typeof model.preset === 'string' && !engine.holds(model.preset)) await engine.fetchModel(model.preset);
  };
  return {
    version: engine.version,
    async estimate(request) {
      await prepare(request.model);
      return engine.estimate(JSON.stringify(request)) as Awaited<ReturnType<Plimsoll['estimate']>>;
    },
    async sweep(question) {
      await prepare(question.request.model);
      return engine.sweep(JSON.stringify(question)) as Awaited<ReturnType<Plimsoll['sweep']>>;
    },
    inspect: (files, options) => engine.inspect(files, options),
  };
}
