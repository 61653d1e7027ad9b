// How to contribute, beside the site: the page offers a measured case to send, and says where that is told.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const fileName = 'CONTRIBUTING.md';

/** @param root the repository's folder */
export const contributing = (root: string): Plugin => ({
  name: 'plimsoll-contributing',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName, source: readFileSync(join(root, fileName), 'utf8') });
  },
});
