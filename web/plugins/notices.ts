// Notices of third parties in everything that is built: a file beside the site, a comment at the end of a single script.

import type { Plugin, Rolldown } from 'vite';
import { engineParts, noticeText, packageParts, type Part } from '../scripts/notices.mjs';

const fileName = 'THIRD-PARTY.txt';

/** The parts of one bundle: the packages of its modules, and those of the engine where its WebAssembly is within. */
function partsOf(bundle: Rolldown.OutputBundle, engine: string | undefined): Part[] {
  const modules = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
  return [...(engine ? engineParts(engine) : []), ...packageParts(modules)];
}

/** @param engine the folder of the WebAssembly's build, where the bundle holds or fetches it */
export function noticesBeside(engine: string): Plugin {
  return {
    name: 'plimsoll-notices',
    generateBundle(_, bundle) {
      this.emitFile({ type: 'asset', fileName, source: noticeText(partsOf(bundle, engine)) });
    },
  };
}

/** The same at the end of each script; what packs scripts into a page comes after. */
export function noticesWithin(engine: string | undefined): Plugin {
  return {
    name: 'plimsoll-notices',
    generateBundle(_, bundle) {
      const text = noticeText(partsOf(bundle, engine)).replaceAll('*/', '* /');
      for (const one of Object.values(bundle)) if (one.type === 'chunk') one.code = `${one.code.trimEnd()}\n/*!\n${text}*/\n`;
    },
  };
}
