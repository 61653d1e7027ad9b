// What a browser asks for to install the page: its manifest, and icons.

import type { Plugin } from 'vite';
import { pngIcon, svgIcon } from './icons.ts';

const fileName = 'manifest.webmanifest';

const png = (size: number, purpose: string) => ({ src: `icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose });

const manifest = {
  id: './',
  name: 'Plimsoll: GPU memory of language models',
  short_name: 'Plimsoll',
  description: 'How much GPU memory a language model needs, item by item, each number with its formula. Computed in the page, not on a server.',
  lang: 'en',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f5f3ee',
  theme_color: '#f5f3ee',
  icons: [
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    png(192, 'any'),
    png(512, 'any'),
    png(192, 'maskable'),
    png(512, 'maskable'),
  ],
};

export const installable = (): Plugin => ({
  name: 'plimsoll-installable',
  transformIndexHtml: () => [{ tag: 'link', attrs: { rel: 'manifest', href: fileName }, injectTo: 'head' }],
  generateBundle() {
    this.emitFile({ type: 'asset', fileName, source: JSON.stringify(manifest) });
    this.emitFile({ type: 'asset', fileName: 'icon.svg', source: svgIcon });
    for (const size of [192, 512]) this.emitFile({ type: 'asset', fileName: `icon-${size}.png`, source: pngIcon(size) });
  },
});
