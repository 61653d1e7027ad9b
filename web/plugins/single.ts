// One self-contained page: the script inline, allowed by its own hash and nothing else.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { pageStyle } from './styles.ts';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** @param page the page as it lies in the root, @param fileName what the whole of it is called, @param also what else its scripts may do */
export function singleFile(root: string, page: string, fileName: string, also = ''): Plugin {
  return {
    name: 'plimsoll-single-file',
    // After all that writes into the script, such as the notices of its parts: its hash is taken here.
    enforce: 'post',
    generateBundle(_, bundle) {
      const [file, chunk] = Object.entries(bundle).find(([, one]) => one.type === 'chunk')!;
      if (chunk.type !== 'chunk') return;
      // Inside a script element these two would end it, or begin a comment.
      const script = chunk.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const style = pageStyle(root);
      const policy = [
        "default-src 'none'",
        `script-src ${hash(script)}${also}`,
        `style-src ${hash(style)}`,
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        'worker-src blob:',
        'trusted-types lit-html plimsoll-workers',
      ].join('; ');
      const source = readFileSync(join(root, page), 'utf8')
        .replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/s, () => `<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
        .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n    <style>${style}</style>`)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace('</body>', () => `  <script>${script}</script>\n  </body>`);
      delete bundle[file];
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
