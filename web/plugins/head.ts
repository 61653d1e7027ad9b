// The head of the built page: what the first paint needs stands within it, allowed by its hash, and everything else is asked for after that
// paint. A style sheet or a script beside it would be one more way to the server before anything is seen.

import { createHash } from 'node:crypto';

/** Addresses of what comes after the first paint: the page's script, the modules that it imports, and what it fetches first. */
export interface Coming {
  script: string;
  modules: readonly string[];
  fetched: readonly string[];
}

/** After so many milliseconds nobody waits for a paint any longer: a page in the background has none. */
const patience = 1000;

/**
 * Who has a state in the link, or reads another language, waits for the live page, which is asked for at once. Everybody else sees the first
 * answer before anything more is asked for.
 */
const starter = (languages: readonly string[], { script, modules, fetched }: Coming): string =>
  [
    `{const speaks=${JSON.stringify(languages)}`,
    `const first=navigator.languages.map((one)=>one.toLowerCase().split('-')[0]).find((one)=>speaks.includes(one))??'en'`,
    `const link=(href,set)=>document.head.append(Object.assign(document.createElement('link'),set,{crossOrigin:'',href}))`,
    `let asked=false`,
    `const ask=()=>{if(asked)return`,
    `asked=true`,
    `for(const one of ${JSON.stringify(modules)})link(one,{rel:'modulepreload'})`,
    `for(const one of ${JSON.stringify(fetched)})link(one,{rel:'preload',as:'fetch'})`,
    `import(${JSON.stringify(script)})}`,
    `if(location.hash.length>1||first!=='en'){document.documentElement.dataset.first='no';ask()}` +
      `else{setTimeout(ask,${patience});new PerformanceObserver(ask).observe({type:'paint',buffered:true})}}`,
  ].join(';');

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const found = (page: string, pattern: RegExp): string[] => [...page.matchAll(pattern)].map(([, address]) => address!);

const modules = /\s*<link rel="modulepreload"[^>]* href="([^"]*)">/g;
const scripts = /\s*<script type="module"[^>]* src="([^"]*)"><\/script>/g;
const sheets = /\s*<link rel="stylesheet"[^>]* href="([^"]*)">/g;

/** What the built page asks for before its first paint. */
export const sheetsOf = (page: string): string[] => found(page, sheets);

/**
 * @param page the page as the bundler wrote it
 * @param style all that the first paint needs
 * @param languages what the page speaks
 * @param fetched addresses of what its script fetches first
 */
export function withHead(page: string, style: string, languages: readonly string[], fetched: readonly string[]): string {
  // the bundler names what the page's script imports before it
  const all = found(page, scripts);
  const script = all.pop();
  if (script === undefined) throw new Error('the page has no script');
  const starts = starter(languages, { script, modules: [...all, ...found(page, modules), script], fetched });
  const head = [`<meta name="plimsoll-script" content="${script}">`, `<style>${style}</style>`, `<script>${starts}</script>`];
  return page
    .replaceAll(scripts, '')
    .replaceAll(modules, '')
    .replaceAll(sheets, '')
    .replace("script-src 'self'", () => `script-src 'self' ${hash(starts)}`)
    .replace("style-src 'self'", () => `style-src 'self' ${hash(style)}`)
    .replace('</head>', () => `  ${head.join('\n    ')}\n  </head>`);
}
