// The first answer in the page's markup: the views draw it while the page is built, from what the engine answers then. It is shown for
// a link without state, until the live page takes its place; a small script in the head (head.ts) hides it from everybody else.

import { createServer, type Plugin, type Rolldown, type UserConfig } from 'vite';
import type { Tables } from '../src/engine/assets.ts';
import type { Answer } from '../src/engine/wire.d.ts';
import { load } from '../src/node/engine.mjs';
import { app } from '../src/styles/app.ts';
import { layout } from '../src/styles/layout.ts';
import { summary } from '../src/styles/answer/summary.ts';
import { base } from '../src/styles/base.ts';
import { charts } from '../src/styles/charts.ts';
import { form } from '../src/styles/form.ts';
import { rows } from '../src/styles/rows.ts';
import { twist } from '../src/styles/twist.ts';
import { sheetsOf, withHead } from './head.ts';
import { htmlOf } from './html.ts';
import { presetFiles } from './presets.ts';
import { slim } from './styles.ts';

interface Views {
  firstRequest: () => string;
  firstView: (answer: Answer, tables: Tables) => unknown;
  speaks: string[];
}

/** Rules of an element, for a place of the page; a condition on the element is one on the place. */
const at = (css: string, place: string): string => css.replaceAll(/:host(?:\(([^)]*)\))?/g, (_, condition = '') => `${place}${condition}`);

/** The rules that something in the markup may have: of a rule that names classes, all of them are there in one of its selectors. */
function needed(css: string, classes: ReadonlySet<string>): string {
  const applies = (selector: string): boolean => [...selector.matchAll(/\.([\w-]+)/g)].every(([, name]) => classes.has(name!));
  return slim(css).replaceAll(/(?<=^|[{}])([^@{}]+)\{([^{}]*)\}/g, (rule, selectors: string) => (selectors.split(',').some(applies) ? rule : ''));
}

function styleOf(markup: string): string {
  const classes = new Set([...markup.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) => names!.split(/\s+/)));
  const inner = [layout, form, summary, charts, twist, rows].map(({ cssText }) => cssText).join('');
  const own =
    // the live page is laid out behind it, a part at a time
    'html[data-first=no] #first{display:none}html:not([data-first=no]) #first~plimsoll-app{position:absolute;inset:0 0 auto;height:0;overflow:clip}.waits{display:contents}#first form{min-height:46rem}';
  return needed(at(base.cssText, '.app') + at(app.cssText, '.app') + at(inner, '.calculator'), classes) + own;
}

/** The views, as a browser would load them. */
async function drawn(config: UserConfig): Promise<{ markup: string; speaks: string[] }> {
  const server = await createServer({
    ...config,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    const { firstRequest, firstView, speaks } = (await server.ssrLoadModule('/src/app/first.ts')) as Views;
    const answer = JSON.parse((await load()).ask('estimate', firstRequest())) as Answer;
    return { markup: htmlOf(firstView(answer, JSON.parse(presetFiles()['tables.json']!) as Tables)).replaceAll(/\s*\n\s*/g, '\n'), speaks };
  } finally {
    await server.close();
  }
}

/** @param config what the views need to be loaded; @param fetched names of what the live page fetches first, as the bundle calls them */
export function firstAnswer(config: UserConfig, fetched: (files: string[]) => string[]): Plugin {
  return {
    name: 'plimsoll-first-answer',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        const { markup, speaks } = await drawn(config);
        const source = String(page.source);
        const sheets = sheetsOf(source).map((address) => address.replace(/^\.\//, ''));
        const styles = sheets.map((name) => String((bundle[name] as Rolldown.OutputAsset).source));
        for (const name of sheets) delete bundle[name];
        const files = fetched(Object.keys(bundle)).map((file) => `./${file}`);
        page.source = withHead(source, styles.join('').trim() + styleOf(markup), speaks, files).replace(
          '<plimsoll-app>',
          () => `${markup}\n    <plimsoll-app>`,
        );
      },
    },
  };
}
