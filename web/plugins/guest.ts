// What a page of someone else's asks of styles and policies, done to the page's own source: sizes follow the place where a tag stands
// and no text is under 12 px, colours can be set from outside, and all that needs Trusted Types has one policy.

import { join } from 'node:path';
import type { Plugin } from 'vite';

const pixels = 16;

/** The tokens that are sizes of type. */
const scale = ['--tiny', '--small', '--body', '--title', '--head', '--chapter', '--figure', '--hero'];

/** Sizes count from the tag's own size of type; what a query compares with is the browser's. */
function sized(css: string): string {
  return css
    .replace(/\/\*[^]*?\*\//g, '') // a comment may have a colon, too
    .replace(/@(?:container|media)[^{]*/g, (query) => query.replace(/(\d*\.?\d+)rem\b/g, (_, size: string) => `${Number(size) * pixels}px`))
    .replace(/([\w-]+):([^;{}]*);/g, (whole, name: string, value: string) => {
      const type = ['font', 'font-size', ...scale].includes(name);
      const scaled = value.replace(/(-?\d*\.?\d+)rem\b/g, (_, size: string) => {
        const length = `calc(${size} * var(--plimsoll-em, 1rem))`;
        return type ? `max(12px, ${length})` : length;
      });
      const held = type ? scaled.replace(/^(\s*)(0?\.\d+em)\b/, '$1max(12px, $2)') : scaled;
      return held === value ? whole : `${name}:${held};`;
    });
}

/** Each colour of the tokens is the page's where it names one. */
const coloured = (css: string): string =>
  css
    .replace(/--([\w-]+): (light-dark\([^;]*\));/g, '--$1: var(--plimsoll-$1, $2);')
    .replace(/--radius: ([^;]*);/, '--radius: var(--plimsoll-radius, $1);')
    .replace(/font-family:([^;]*);/, 'font-family: var(--plimsoll-font, $1);');

const policies = /\b\w+\??\.createPolicy\((["'])(?:lit-html|plimsoll-layouts)\1,\s*\{[^}]*\}\)/;

export function guestSource(root: string): Plugin {
  const styles = [join(root, 'src/styles/'), join(root, 'src/views/'), join(root, 'src/charts/'), join(root, 'src/embed/live/')];
  const policy = join(root, 'src/embed/policy.ts');
  return {
    name: 'plimsoll-guest',
    enforce: 'pre',
    transform(code, id) {
      if (policies.test(code) && id !== policy)
        return `import { policy as plimsollPolicy } from ${JSON.stringify(policy)};\n${code.replace(policies, 'plimsollPolicy()')}`;
      if (!id.endsWith('.ts') || !styles.some((folder) => id.startsWith(folder))) return undefined;
      return code.replace(/css`[^`]*`/g, (css) => sized(id.endsWith('/tokens.ts') ? coloured(css) : css));
    },
  };
}
