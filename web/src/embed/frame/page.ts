// embed.html#size=compact&model=llama-3-8b&locked=model: one tag, as tall as it is, told to the page around.

import { heightMessage, tallest } from './height.ts';

const tags = ['plimsoll-calculator', 'plimsoll-chart', 'plimsoll-compare'];

const style = new CSSStyleSheet();
style.replaceSync(`
  :root { color-scheme: light dark }
  :root[data-theme='light'] { color-scheme: light }
  :root[data-theme='dark'] { color-scheme: dark }
  body, body > * { margin: 0 }
  body { font: 16px/1.45 system-ui, sans-serif }
`);
document.adoptedStyleSheets = [style];

/** Where the script comes from is this page's own to say. */
const kept = ['tag', 'engine-src', 'class', 'id', 'style', 'slot', 'part'];

let shown: HTMLElement | undefined;

function show(): void {
  const asked = new URLSearchParams(location.hash.slice(1));
  const tag = tags.find((name) => name === `plimsoll-${asked.get('tag') ?? 'calculator'}`) ?? tags[0]!;
  const element = document.createElement(tag);
  for (const [name, text] of asked)
    if (/^[a-z][a-z_-]*$/.test(name) && !name.startsWith('on') && !kept.includes(name)) element.setAttribute(name, text);
  document.documentElement.dataset['theme'] = asked.get('theme') ?? 'auto';
  document.documentElement.lang = asked.get('lang') ?? 'en';
  if (shown) shown.replaceWith(element);
  else document.body.append(element);
  shown = element;
}

let told = 0;

/** The height is no secret: whoever frames the page may know it. */
function tell(): void {
  const height = Math.min(tallest, Math.ceil(document.body.getBoundingClientRect().height));
  if (height === told || parent === window) return;
  told = height;
  parent.postMessage({ type: heightMessage, height }, '*');
}

show();
addEventListener('hashchange', show);
new ResizeObserver(tell).observe(document.body);
