// The page kept by its service worker: it opens without a network and without its server, whole; versions never mix, and a new one
// comes when its reader asks for it.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from '../../web/node_modules/@playwright/test';
import { config, tensors, wholeFile } from './checkpoint.mjs';
import { bytesOf, commandLine, dropFiles, expect, type Page, request, row, settled, test as base, total } from './kit.ts';
import { dist, serveVersions, type Version } from './server.ts';

type Served = Awaited<ReturnType<typeof serveVersions>>;

const test = base.extend<{
  context: BrowserContext;
  page: Page;
  served: Served;
}>({
  context: async ({ browser }, use) => {
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
    });
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => use(await context.newPage()),
  served: async ({}, use) => {
    const served = await serveVersions();
    await use(served);
    await served.stop();
  },
});

const ready = (page: Page): Promise<void> => expect(page.locator('plimsoll-offline')).toHaveAttribute('ready', '');

/** Opens the page, and waits until it is kept and answered by its worker. */
async function keep(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await ready(page);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await settled(page);
}

/** Neither a network nor a server, from now on. */
async function cut(context: BrowserContext, served: Served): Promise<void> {
  await context.setOffline(true);
  await served.stop();
}

async function answersAsTheCommandLine(page: Page): Promise<void> {
  const shown = await total(page);
  expect(shown).toBe(bytesOf(commandLine(await request(page))));
}

const runtimes = readdirSync(join(__dirname, '../../presets/runtimes')).map((name) => name.replace('.json', ''));

test('once kept, the open page has everything without a network', async ({ page, context, served }) => {
  await keep(page, `${served.url}/#model=llama-3-8b&device=rtx-4090`);
  await expect(page.locator('footer')).toContainText('Ready for use without a network.');
  await cut(context, served);
  for (const runtime of runtimes) {
    await page.locator('#inference-runtime').selectOption(runtime);
    await settled(page);
    if ((await page.locator('[data-field] .error').count()) === 0) await answersAsTheCommandLine(page);
    expect(JSON.parse(await request(page)).inference.runtime).toBe(runtime);
  }
  await page.getByLabel('Language').selectOption({ index: 1 });
  await expect(page.locator('footer')).toContainText('已可离线使用');
});

test('opened anew without a network: trainings, files, and the pages beside it', async ({ page, context, served }) => {
  await keep(page, `${served.url}/`);
  await cut(context, served);
  await page.reload();
  await answersAsTheCommandLine(page);
  await ready(page);
  await page.goto('about:blank');
  await page.goto(`${served.url}/#task=training&model=qwen3-8b&device=h100-sxm-80gb&method=qlora`);
  await answersAsTheCommandLine(page);
  await page.locator('[role="tab"][data-fold="trainers"]').click();
  await expect(page.locator('plimsoll-trainers pre').first()).toBeVisible();
  await dropFiles(page, {
    'config.json': JSON.stringify(config()),
    'model.safetensors': wholeFile(tensors(config())),
  });
  await expect(page.locator('.inspection')).toContainText('LlamaForCausalLM');
  await answersAsTheCommandLine(page);
  await page.getByRole('link', { name: /every measured case/ }).click();
  await expect(page.locator('plimsoll-accuracy table').first()).toBeVisible();
  await page.goto(`${served.url}/guide/en/kv-cache.html`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0);
  await expect(page.locator('main plimsoll-bytes').first()).toHaveAttribute('data-live', ''); // the tags' engine is kept, too
  await page.goto(`${served.url}/reference.html`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('what was never looked at is there as well: each fold, and a log', async ({ page, context, served }) => {
  await keep(page, `${served.url}/#model=llama-3.1-8b&device=rtx-4090&runtime=vllm`);
  await cut(context, served);
  await page.reload();
  await settled(page);
  for (const fold of ['ways', 'fits', 'time', 'layouts', 'evidence', 'reconcile', 'curve', 'launch']) {
    await page.locator(`[role="tab"][data-fold="${fold}"]`).click();
    await expect(page.locator(`[role="tabpanel"][aria-labelledby="tab-${fold}"]`)).not.toContainText(/Loading|could not be loaded/);
  }
  await expect(page.locator('plimsoll-launch pre')).toContainText('vllm serve');
  await row(page, 'kv_cache').getByRole('button').click();
  await expect(page.locator('#detail-kv_cache math').first()).toBeVisible();
});

test('nothing of it is asked of anybody else, and each file once', async ({ page, context, served }) => {
  const foreign: string[] = [];
  context.on('request', (one) => new URL(one.url()).origin === served.url || foreign.push(one.url()));
  await keep(page, served.url);
  expect(foreign.filter((url) => !/^(data|blob):/.test(url))).toEqual([]);
  const kept = Object.keys(filesOf(readFileSync(join(dist, 'offline.js'), 'utf8')));
  expect(kept).toEqual(expect.arrayContaining(['index.html', 'accuracy.html', 'reference.html', 'guide/en/index.html', 'guide/zh-CN/index.html']));
  const once = kept.filter((path) => path.startsWith('guide/'));
  expect(served.asked.filter((path) => once.includes(path)).sort()).toEqual(once.sort());
});

test('the manifest says how the page is installed, and its icons are what it says', async ({ page, served }) => {
  await page.goto(served.url);
  const link = page.locator('link[rel="manifest"]');
  await expect(link).toHaveCount(1);
  const address = await link.evaluate((one) => (one as HTMLLinkElement).href);
  const manifest = await page.evaluate(async (url) => (await fetch(url)).json(), address);
  expect(manifest).toMatchObject({
    short_name: 'Plimsoll',
    start_url: './',
    scope: './',
    display: 'standalone',
  });
  const icons = manifest.icons as {
    src: string;
    sizes: string;
    purpose: string;
  }[];
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(
    expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
  );
  for (const { src, sizes } of icons) {
    const drawn = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, `${served.url}/${src}`);
    if (sizes !== 'any') expect(drawn).toBe(sizes);
  }
});

const filesOf = (worker: string): Record<string, string> =>
  Object.fromEntries([...worker.matchAll(/[{,]["'`]?([\w./-]+)["'`]?:[`"']([0-9a-f]{64})[`"']/g)].map(([, path, hash]) => [path!, hash!]));

/** Another version of the site: other pages, and a piece that it has no longer. */
function second(gone: RegExp): Version {
  const changed = (path: string, bytes: Buffer): Buffer =>
    path === 'index.html' || path === 'guide/guide.css'
      ? Buffer.from(path.endsWith('css') ? `${bytes.toString()}/* second */` : bytes.toString().replace('<title>', '<meta name="second" /><title>'))
      : bytes;
  const hash = (path: string): string =>
    createHash('sha256')
      .update(changed(path, readFileSync(join(dist, path))))
      .digest('hex');
  return (path, bytes) => {
    if (gone.test(path)) return null;
    if (path !== 'offline.js') return changed(path, bytes);
    let text = bytes.toString();
    const files = filesOf(text);
    for (const one of ['index.html', 'guide/guide.css']) text = text.replace(files[one]!, hash(one));
    const [piece] = Object.keys(files).filter((one) => gone.test(one));
    return text.replace(new RegExp(`["'\`]${piece!.replaceAll('.', '\\.')}["'\`]:[\`"'][0-9a-f]{64}[\`"'],`), '');
  };
}

const isSecond = (page: Page): Promise<boolean> => page.evaluate(() => document.querySelector('meta[name="second"]') !== null);
const offer = (page: Page) => page.locator('plimsoll-offline .offer');
const styleOf = (page: Page): Promise<boolean> => page.evaluate(async () => (await (await fetch('guide/guide.css')).text()).includes('second'));

test('a new version is offered, comes when it is asked for, and leaves open pages what they have', async ({ page, context, served }) => {
  await keep(page, `${served.url}/#model=llama-3-8b`);
  served.site.version = second(/^assets\/comparison-/);
  const other = await context.newPage();
  await other.goto(`${served.url}/#model=llama-3-70b`);
  await expect(offer(other)).toContainText('A new version is ready.');
  expect(await isSecond(other)).toBe(false);
  await expect(offer(page)).toBeVisible();
  await settled(other);
  await other.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => isSecond(other).catch(() => false)).toBe(true);
  await settled(other);
  await expect(other).toHaveURL(/model=llama-3-70b/);
  expect(await styleOf(other)).toBe(true);
  // the first page goes on with its own version, which has a piece that the second has not
  expect(await isSecond(page)).toBe(false);
  expect(await styleOf(page)).toBe(false);
  const piece = readdirSync(join(dist, 'assets')).find((name) => name.startsWith('comparison-'));
  const has = (one: Page): Promise<boolean> => one.evaluate(async (url) => (await fetch(url)).ok, `assets/${piece}`);
  expect([await has(page), await has(other)]).toEqual([true, false]);
  expect((await page.evaluate(() => caches.keys())).length).toBe(2);
  // when it is gone, its version goes
  await offer(page).getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => isSecond(page).catch(() => false)).toBe(true);
  await page.reload();
  await expect.poll(() => page.evaluate(() => caches.keys().then((names) => names.length))).toBe(1);
});

test('an offer can be put away, and what was not asked for comes by itself when no page is open', async ({ page, context, served }) => {
  await keep(page, served.url);
  served.site.version = second(/^assets\/comparison-/);
  await page.reload();
  await offer(page).getByRole('button', { name: 'Not now' }).click();
  await expect(offer(page)).toHaveCount(0);
  await page.goto('about:blank');
  await expect
    .poll(async () => {
      const next = await context.newPage();
      await next.goto(served.url);
      const came = await isSecond(next);
      await next.goto('about:blank');
      await next.close();
      return came;
    })
    .toBe(true);
});

test('of two versions at once nothing is kept, and the page works as before', async ({ page, served }) => {
  served.site.version = (path, bytes) => (path === 'reference.html' ? `${bytes.toString()} ` : bytes);
  await page.goto(served.url);
  await settled(page);
  await expect.poll(() => served.asked.filter((path) => path === 'reference.html').length).toBeGreaterThan(1);
  const state = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return {
      active: !!registration?.active,
      controlled: !!navigator.serviceWorker.controller,
    };
  });
  expect(state).toEqual({ active: false, controlled: false });
  await expect(page.locator('plimsoll-offline')).not.toHaveAttribute('ready');
  await answersAsTheCommandLine(page);
});

test('where service workers do not exist the page says nothing of it', async ({ page, served }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  await page.goto(served.url);
  await settled(page);
  await expect(page.locator('plimsoll-app')).toHaveAttribute('ready', '');
  await answersAsTheCommandLine(page);
  expect(served.asked).not.toContain('offline.js');
  await expect(page.locator('footer')).not.toContainText('Ready');
});
