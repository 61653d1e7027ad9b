// plimsoll-frame.js, in a page with frames of embed.html: each frame gets the height that it asks for.

import { heightMessage, tallest } from './height.ts';

addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
  const { type, height } = (data ?? {}) as { type?: unknown; height?: unknown };
  if (type !== heightMessage || typeof height !== 'number' || !(height > 0 && height <= tallest)) return;
  for (const frame of document.querySelectorAll<HTMLIFrameElement>('iframe[data-plimsoll]'))
    if (frame.contentWindow === source) frame.height = String(Math.ceil(height));
});
