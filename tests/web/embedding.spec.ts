// Each page of docs/embedding, as its reader opens it: the tag that the command line writes stands in it, answers, and is as dark as the page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, bytesOf, expect, type Page, test } from './kit.ts';
import { html, type Told } from './foreign.ts';
import { dist, serveBeside } from './server.ts';

const folder = join(__dirname, '../../docs/embedding');
const remark = /<!-- plimsoll estimate (.*?) -->/g;

/** The page with what the command line prints in place of its remark. */
const pageOf = (name: string): string =>
  readFileSync(join(folder, name, 'page.html'), 'utf8').replaceAll(remark, (_, words: string) => html(words.split(' ')));

/** Opens it beside the site's own scripts. */
async function opened(page: Page, name: string, work: () => Promise<void>): Promise<void> {
  const server = await serveBeside(dist, pageOf(name));
  await page.goto(server.url);
  await work();
  await server.close();
}

for (const name of ['mkdocs', 'docusaurus', 'sphinx', 'vitepress', 'hugo']) {
  test(`${name}: the tag answers in the page's theme, and nothing overflows`, async ({ page }) => {
    await opened(page, name, async () => {
      const tag = page.locator('plimsoll-calculator');
      const told = await tag.evaluate((one) => (one as unknown as { answered(): Promise<Told> }).answered());
      expect(bytesOf(told.reply!)).toBe(bytesOf(commandLine(JSON.stringify(told.request))));
      await expect(tag.locator('.summary .value')).toHaveText('17.33');
      await expect(tag.locator('plimsoll-live')).toHaveAttribute('theme', 'dark');
      const least = await tag
        .locator('.summary .facts span')
        .evaluateAll((all) => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize))));
      expect(least).toBeGreaterThanOrEqual(12);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });
}

test('jupyter: a frame answers', async ({ page }) => {
  await opened(page, 'jupyter', async () => {
    await expect(page.frameLocator('iframe').locator('.value')).toHaveText('17.33');
  });
});

test('iframe: a frame is as tall as it asks, sandboxed or not, and its link locks', async ({ page }) => {
  await opened(page, 'iframe', async () => {
    for (const title of ['Sandboxed', 'Chart']) {
      const frame = page.locator(`iframe[title=${title}]`);
      await expect(frame.contentFrame().locator('.bar')).toBeVisible();
      const height = () =>
        frame
          .contentFrame()
          .locator('body')
          .evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
      await expect.poll(async () => Number(await frame.getAttribute('height')) - (await height())).toBe(0);
    }
    const frame = page.frameLocator('iframe[title=Sandboxed]');
    await expect(frame.locator('#inference-context')).toBeDisabled();
    await expect(page.frameLocator('iframe[title=Chart]').locator('plimsoll-live')).toHaveAttribute('theme', 'dark');
  });
});
