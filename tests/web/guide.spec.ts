// The guide in a browser: its figures are answered as they are read, from a server and from disk, under its strict policy; it
// can be searched, printed and read on a phone, in both languages and themes, with JavaScript and without.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Answer, Request } from '../../web/src/engine/wire.d.ts';
import { fromRequest, request as asked } from '../../web/src/state/request.ts';
import { fromLink, toLink } from '../../web/src/state/state.ts';
import { bytesOf, commandLine, drawn, expect, type Page, test, violations } from './kit.ts';
import { dist } from './server.ts';

const guide = join(dist, 'guide');
const pages = readdirSync(join(guide, 'en')).filter((name) => name.endsWith('.html'));
const figures = (page: Page) => page.locator('main plimsoll-bytes');

/** The page's figures, each brought into view until the engine has answered it. */
async function answered(page: Page): Promise<string[]> {
  const before = await figures(page).allTextContents();
  expect(before.length).toBeGreaterThan(10);
  await figures(page).evaluateAll(async (all) => {
    for (const one of all) await (one as HTMLElement & { answer(): Promise<void> }).answer();
  });
  await expect(page.locator('main plimsoll-bytes:not([data-live])')).toHaveCount(0);
  expect(await figures(page).allTextContents()).toEqual(before);
  return before;
}

test('the engine says of each figure what the build wrote, and shows its formula', async ({ page, site }) => {
  await page.goto(`${site}/guide/en/kv-cache.html`);
  await answered(page);
  const figure = figures(page).filter({ hasText: '128 KiB' }).first();
  await figure.getByRole('button').click();
  await expect(figure.getByRole('note')).toContainText('num_hidden_layers');
  await expect(figure.getByRole('note')).toContainText('llama-3.1-8b');
});

test('a figure that is scrolled to is answered by itself, and a wrong one is put right', async ({ page, site }) => {
  await page.goto(`${site}/guide/zh-CN/adapters.html`);
  const last = figures(page).last();
  const said = await last.textContent();
  await last.evaluate((one) => (one.textContent = '1 GiB'));
  await last.scrollIntoViewIfNeeded();
  await expect(last).toHaveAttribute('data-live', '');
  await expect(last).toHaveText(said!);
});

test('a picture that stands is laid anew by the engine, and a wrong bar is put right', async ({ page, site }) => {
  await page.goto(`${site}/guide/en/optimizers.html`);
  const picture = page.locator('[data-picture]');
  const widths = () => picture.locator('[data-lane] rect.part').evaluateAll((all) => all.map((one) => one.getAttribute('width')));
  await expect(picture).toHaveAttribute('data-live', '');
  const built = await widths();
  await page.reload({ waitUntil: 'commit' });
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => document.querySelector('[data-picture] [data-lane] rect.part')!.setAttribute('width', '1')),
  );
  await page.reload();
  await expect(picture).toHaveAttribute('data-live', '');
  expect(await widths()).toEqual(built);
});

for (const [language, legend, numbers] of [
  ['en', 'KV cache', 'The numbers'],
  ['zh-CN', 'KV 缓存', '数值'],
] as const)
  test(`charts are drawn by the engine's own tag, with the chapter's request: ${language}`, async ({ page, site }) => {
    await page.goto(`${site}/guide/${language}/kv-cache.html`);
    const charts = page.locator('plimsoll-chart');
    await expect(charts).toHaveCount(2);
    for (const chart of await charts.all()) await chart.scrollIntoViewIfNeeded();
    await expect(charts.first().getByText(numbers)).toBeVisible();
    await expect(charts.first().locator('canvas')).toBeVisible();
    await expect(charts.last().locator('svg.bar')).toBeVisible();
    await expect(charts.last()).toContainText(legend);
    for (const chart of await charts.all()) {
      const [asked, wanted] = await chart.evaluate(async (one) => {
        const tag = one as HTMLElement & { answered(): Promise<{ request: object; reply: object }> };
        return [JSON.stringify((await tag.answered()).request), tag.getAttribute('request')!];
      });
      expect(bytesOf(commandLine(asked!))).toBe(bytesOf(commandLine(wanted!)));
    }
  });

test('a case of the quiz is guessed, answered by the engine with its reason, and counted', async ({ page, site }) => {
  await page.goto(`${site}/guide/en/quiz.html`);
  const one = page.locator('.case').first();
  await expect(one.getByRole('group').getByRole('button')).toHaveText(['Fits', 'Tight', 'Too large']);
  await one.locator('[data-verdict]').evaluate((verdict) => (verdict.textContent = 'built long ago'));
  const asked = await one.evaluate((it) => JSON.stringify((JSON.parse((it as HTMLElement).dataset['case']!) as { request: object }).request));
  const { verdict } = (commandLine(asked) as Answer).fit!;
  const names = { fits: 'Fits', tight: 'Tight', 'too large': 'Too large' } as Record<string, string>;
  await one.getByRole('button', { name: names[verdict]! }).click();
  await expect(one.locator('[data-outcome]')).toHaveText('Right.');
  await expect(one.locator('[data-verdict]')).toHaveText(names[verdict]!);
  await expect(one.locator('details a').first()).toBeVisible();
  const other = page.locator('.case').nth(2);
  await other.getByRole('button', { name: 'Fits' }).press('Enter');
  await expect(other.locator('[data-outcome]')).toHaveText('Not so.');
  await expect(page.locator('[data-score]')).toHaveText('1 of 2 answered right.');
});

test('it opens from disk, where its links lead to the calculator in one file', async ({ page }) => {
  await page.goto(pathToFileURL(join(guide, 'en', 'quantization.html')).href);
  await answered(page);
  await expect(page.locator('.ending a')).toHaveAttribute('href', /plimsoll\.html#.*model=/);
  await page.locator('plimsoll-chart').scrollIntoViewIfNeeded();
  await expect(page.locator('plimsoll-chart svg.bar')).toBeVisible();
});

test('without JavaScript it reads as well', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site}/guide/en/quiz.html`);
  await page.locator('summary').first().click();
  await expect(page.locator('details[open]')).toContainText(/GiB/);
  await context.close();
});

test('the example at the end of a chapter opens in the calculator as what the chapter asked', async () => {
  const folder = join(__dirname, '..', '..', 'docs', 'guide', 'figures');
  for (const name of readdirSync(folder)) {
    const { requests, example } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { requests: Record<string, unknown>; example?: string };
    if (!example) continue;
    const found = requests[example];
    const preset = (id: string): { request: object } =>
      JSON.parse(readFileSync(join(folder, '..', '..', '..', 'presets', 'examples', `${id}.json`), 'utf8')) as { request: object };
    const whole = typeof found === 'string' ? preset(found).request : { schema: 1, ...(found as object) };
    const link = toLink(fromRequest(whole as Request));
    const again = asked(fromLink(link).state, 'none');
    expect(bytesOf(commandLine(again)), name).toBe(bytesOf(commandLine(JSON.stringify(whole))));
  }
});

test('every link of the built guide leads to a file, and asks nobody else', () => {
  for (const language of readdirSync(guide, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    for (const name of pages) {
      const html = readFileSync(join(guide, language.name, name), 'utf8');
      const ids = (of: string) => new Set([...of.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      for (const [, href] of html.matchAll(/<a href="([^"]+)"/g)) {
        if (/^https:/.test(href!)) continue;
        const [path, place] = href!.split('#');
        const file = join(guide, language.name, path === '' ? name : path!);
        const there = readFileSync(file, 'utf8');
        if (place && !file.endsWith(join('dist', 'index.html'))) expect(ids(there), `${language.name}/${name}: ${href}`).toContain(place);
      }
      expect(html).not.toMatch(/ (?:src|style)="(?:https?:|[a-z-]+:)/);
    }
});

test('the search finds sections in both languages, and says when there is none', async ({ page, site }) => {
  for (const [language, words, found] of [
    ['en', 'sliding window', 'windows'],
    ['zh-CN', '滑动窗口', 'windows'],
  ] as const) {
    await page.goto(`${site}/guide/${language}/index.html`);
    await page.getByRole('searchbox').fill(words);
    await expect(page.locator('[data-found] li:not([hidden]) a').first()).toHaveAttribute('href', new RegExp(`#${found}`));
    await page.getByRole('searchbox').fill('xylophone');
    await expect(page.locator('[data-none]')).toBeVisible();
  }
});

test('a theme is kept from page to page', async ({ page, site }) => {
  await page.goto(`${site}/guide/en/index.html`);
  await page.locator('select[name=theme]').selectOption('dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.locator('.contents a').first().click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('h1')).toContainText('Parameters');
});

test('one page has all chapters for print', async ({ page, site }) => {
  await page.goto(`${site}/guide/zh-CN/print.html`);
  await expect(page.locator('article')).toHaveCount(15);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('header nav')).toBeHidden();
  await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
  expect(
    await page
      .locator('.part')
      .first()
      .evaluate((one) => getComputedStyle(one).animationName),
  ).toBe('none');
  await page.emulateMedia({ media: null, reducedMotion: null });
});

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

for (const language of ['en', 'zh-CN'])
  test(`axe finds nothing on any page, and nothing overflows, wide and light, narrow and dark: ${language}`, async ({ page, site }) => {
    for (const name of pages) {
      await page.goto(`${site}/guide/${language}/${name}`);
      for (const { width, colorScheme } of looks) {
        await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await drawn(page);
        if (name !== 'print.html') expect(await violations(page), name).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
      }
    }
    await page.emulateMedia({ reducedMotion: null, colorScheme: null });
  });

test('axe finds nothing in a chapter whose charts are drawn, in both themes', async ({ page, site }) => {
  for (const { width, colorScheme } of looks) {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${site}/guide/zh-CN/kv-cache.html?theme=${colorScheme}`);
    for (const chart of await page.locator('plimsoll-chart').all()) await chart.scrollIntoViewIfNeeded();
    await expect(page.locator('plimsoll-chart canvas')).toBeVisible();
    await expect(page.locator('plimsoll-chart svg.bar')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ reducedMotion: null });
});

const scene = (page: Page) => page.locator('.scene').first();
const shape = (page: Page) =>
  scene(page)
    .locator('.stage rect.part')
    .evaluateAll((all) => all.map((one) => `${one.getAttribute('x')} ${one.getAttribute('width')} ${one.getAttribute('height')}`));

for (const [language, play, pause, next] of [
  ['en', 'Play', 'Pause', 'Next'],
  ['zh-CN', '播放', '暂停', '下一步'],
] as const)
  test(`a scene is played, paused and stepped through by keyboard, and each step is told: ${language}`, async ({ page, site }) => {
    await page.goto(`${site}/guide/${language}/autograd.html`);
    await scene(page).scrollIntoViewIfNeeded();
    await expect(scene(page)).toHaveAttribute('data-live', '');
    await expect(scene(page).getByRole('group').getByRole('button')).toHaveCount(3);
    const at = async () => Number(/\d+/.exec((await scene(page).locator('[data-at]').textContent())!)![0]);
    const said = scene(page).locator('.stage [data-say]');
    await scene(page).getByRole('button', { name: play }).focus();
    await page.keyboard.press('Enter');
    await expect(said).toHaveAttribute('aria-live', 'off');
    await expect.poll(at).toBeGreaterThan(3);
    await scene(page).getByRole('button', { name: pause }).press('Space');
    const before = { at: await at(), said: await said.textContent(), shape: await shape(page) };
    await scene(page).getByRole('button', { name: next }).press('Enter');
    await expect(said).toHaveAttribute('aria-live', 'polite');
    expect(await at()).toBe(before.at + 1);
    expect(await said.textContent()).not.toBe(before.said);
    expect(await shape(page)).not.toEqual(before.shape);
  });

test('what the build drew of a scene is what the engine answers, from disk too, and it stands at its fullest', async ({ page }) => {
  await page.goto(pathToFileURL(join(guide, 'en', 'kv-cache.html')).href);
  const stills = page.locator('.stills, .stage');
  const built = await stills.allInnerTexts();
  const drawn = await page.locator('.scene rect.part').evaluateAll((all) => all.map((one) => one.getAttribute('width')));
  for (const one of await page.locator('.scene').all()) {
    await one.scrollIntoViewIfNeeded();
    await expect(one).toHaveAttribute('data-live', '');
  }
  expect(await stills.allInnerTexts()).toEqual(built);
  expect(await page.locator('.scene rect.part').evaluateAll((all) => all.map((one) => one.getAttribute('width')))).toEqual(drawn);
});

test('where motion is not wanted, on paper, and without a script, a scene is its stills', async ({ page, site, browser }) => {
  const still = async (one: Page) => {
    await expect(scene(one).locator('.stage')).toBeHidden();
    await expect(scene(one).locator('.stills li').last()).toBeVisible();
  };
  await page.goto(`${site}/guide/en/checkpointing.html?theme=dark`);
  await expect(scene(page).locator('.stage')).toBeVisible();
  await expect(scene(page).locator('.stills')).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await still(page);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'paper is white').toBe('light');
  await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
  await still(page);
  await page.emulateMedia({ media: null, reducedMotion: null });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const silent = await context.newPage();
  await silent.goto(`${site}/guide/en/checkpointing.html`);
  await still(silent);
  await context.close();
});

test('a scene whose engine does not come leaves its stills, and a chart its list', async ({ page, site, complaints }) => {
  await page.route('**/plimsoll-engine.js', (route) => route.abort());
  await page.goto(`${site}/guide/en/allocator.html`);
  await scene(page).scrollIntoViewIfNeeded();
  await expect(scene(page).locator('.stills')).toBeVisible();
  await expect(scene(page).locator('.stage')).toBeHidden();
  const chart = page.locator('plimsoll-chart');
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.locator('.written li').first()).toHaveText(/GiB/);
  await expect(chart.locator('.written')).toBeVisible();
  complaints.splice(0); // the browser's own words on the file that did not come
});
