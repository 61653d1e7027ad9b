// Styles on their way into what is built: the tokens for a page, and templates without the white space that nobody sees.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { values } from '../src/styles/tokens.ts';

/** Styles of an element, for a page instead. */
export const rooted = (css: string): string =>
  css
    .replaceAll(/:host\((\[[^)]*\])\)/g, ':root$1')
    .replaceAll(':host', ':root')
    .replaceAll('[theme=', '[data-theme=');

/** Without comments, and with the white space that a parser needs. */
export const slim = (css: string): string =>
  css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?/g, '$1')
    .replaceAll(/([,:]) (?=[^{}]*;)/g, '$1')
    .replaceAll(';}', '}')
    .trim();

/** What stands around the elements: tokens, then the page's own. */
export const pageStyle = (root: string): string => slim(rooted(values.cssText) + readFileSync(join(root, 'src/app/page.css'), 'utf8'));

/** Puts the tokens before the page's own styles. */
export function pageTokens(root: string): Plugin {
  return {
    name: 'plimsoll-page-tokens',
    enforce: 'pre',
    transform: (_, id) => (id.endsWith('/src/app/page.css') ? pageStyle(root) : undefined),
  };
}

/** Styles are written to be read; the browser needs no comment and no indentation of them. */
export function slimStyles(root: string): Plugin {
  return {
    name: 'plimsoll-slim-styles',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src'))) return undefined;
      if (id.includes('/src/styles/')) return code.replaceAll(/\bcss`([^`]*)`/g, (_, css: string) => `css\`${slim(css)}\``);
      if (/\/src\/(?:views|charts|app)\/.*\.ts$/.test(id)) return code.replaceAll(/\n[ \t]+/g, '\n');
      return undefined;
    },
  };
}
