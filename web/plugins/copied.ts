// A file that is shipped as it is.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

export function copied(root: string, fileName: string): Plugin {
  return {
    name: 'plimsoll-copied',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: readFileSync(join(root, fileName), 'utf8') });
    },
  };
}
