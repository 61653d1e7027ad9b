// The guide beside the site: its pages from docs/guide, with every figure as the engine answers it while they are built.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { guidePages } from '../scripts/guide/pages.mjs';
import { load } from '../scripts/guide/asking.mjs';
import type { Request } from '../src/engine/wire.d.ts';
import { fromRequest } from '../src/state/request.ts';
import { toLink } from '../src/state/state.ts';
import { charts } from '../src/styles/charts.ts';
import { tokens } from '../src/styles/tokens.ts';
import { rooted } from './styles.ts';

const linkOf = (request: object): string => toLink(fromRequest(request as Request));

export function guide(): Plugin {
  return {
    name: 'plimsoll-guide',
    async generateBundle() {
      const pages = guidePages({ estimate: await load(), linkOf });
      const own = readFileSync(join(import.meta.dirname, '..', 'src', 'guide', 'guide.css'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'guide/guide.css', source: rooted(`${tokens.cssText}\n${charts.cssText}`) + own });
      for (const [path, source] of Object.entries(pages)) this.emitFile({ type: 'asset', fileName: `guide/${path}`, source });
    },
  };
}
