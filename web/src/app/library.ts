// dist/plimsoll.js: `import { load } from 'plimsoll'` in a browser, with everything the engine needs inside.

import { inlinedAssets } from '../engine/assets-inlined.ts';
import { Engine } from '../engine/engine.ts';
import type { Plimsoll } from '../node/index.d.ts';
import { reconciled } from '../reconcile/asking.ts';
import type { Request } from '../engine/wire.d.ts';

export async function load(): Promise<Plimsoll> {
  const engine = await Engine.load(inlinedAssets, JSON.parse);
  engine.provide(await inlinedAssets.rates());
  const prepare = async ({ model, inference }: Request): Promise<void> => {
    for (const one of [model, inference?.draft?.model])
      if (one && 'preset' in one && typeof one.preset === 'string' && !engine.holds(one.preset)) await engine.fetchModel(one.preset);
  };
  return {
    version: engine.version,
    async estimate(request) {
      await prepare(request);
      return engine.estimate(JSON.stringify(request)) as Awaited<ReturnType<Plimsoll['estimate']>>;
    },
    async sweep(question) {
      await prepare(question.request);
      return engine.sweep(JSON.stringify(question)) as Awaited<ReturnType<Plimsoll['sweep']>>;
    },
    async solve(question) {
      await prepare(question.request);
      for (const id of question.find === 'model.preset' ? (question.values ?? []) : []) if (!engine.holds(id)) await engine.fetchModel(id);
      return engine.solve(JSON.stringify(question)) as Awaited<ReturnType<Plimsoll['solve']>>;
    },
    async plan(question) {
      await prepare(question.request);
      return engine.plan(JSON.stringify(question)) as Promise<Awaited<ReturnType<Plimsoll['plan']>>>;
    },
    inspect: (files, options) => engine.inspect(files, options),
    async reconcile(text, request) {
      const estimate = async (asked: Request): Promise<unknown> => {
        await prepare(asked);
        return engine.estimate(JSON.stringify(asked));
      };
      return reconciled(text, inlinedAssets, estimate, request);
    },
  };
}
