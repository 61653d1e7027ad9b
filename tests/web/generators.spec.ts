// The projects of docs/embedding, made by the generators themselves: the tag that the command line writes comes through each of them,
// answers, and is as dark as the page. `./dev nightly generators` brings the generators; elsewhere those that are here are tried.

import { rmSync } from 'node:fs';
import { html, type Told } from './foreign.ts';
import { bytesOf, commandLine, expect, type Page, test } from './kit.ts';
import { generated, generators } from './generators.ts';
import { dist, serveFolders } from './server.ts';

/** How a reader of the page asks for dark, where the page does not follow the system by itself. */
const darken: Record<string, (page: Page) => Promise<void>> = {
  docusaurus: (page) => page.evaluate(() => localStorage.setItem('theme', 'dark')),
};

interface Made {
  url: string;
  pages: readonly string[];
}

/** Makes the project and serves it beside our scripts. */
async function made(name: string, work: (site: Made) => Promise<void>): Promise<void> {
  const site = generated(name, html);
  test.skip(!site, `${name} is not installed: ./dev nightly generators installs it`);
  const server = await serveFolders([site!.made, dist]);
  try {
    await work({ url: server.url, pages: generators[name]!.pages });
  } finally {
    await server.close();
    rmSync(site!.folder, { recursive: true });
  }
}

/** Debian's Furo asks for a stylesheet of Debian's own web server, and has a script that is a module and is not told so. */
const ofFuro = /404|import statement outside a module/;

/** How light the page itself is, from 0 to 255: Debian's Furo, for one, has no dark colours. */
const lightness = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const colours = [document.body, document.documentElement].map((one) => getComputedStyle(one).backgroundColor);
    return Math.max(
      .../\d[\d, ]+/
        .exec(colours.find((one) => !one.endsWith(', 0)')) ?? 'rgb(255)')![0]
        .split(',')
        .map(Number),
    );
  });

async function answersOn(page: Page): Promise<void> {
  const tag = page.locator('plimsoll-calculator');
  const told = await tag.evaluate((one) => (one as unknown as { answered(): Promise<Told> }).answered());
  expect(bytesOf(told.reply!)).toBe(bytesOf(commandLine(JSON.stringify(told.request))));
  await expect(tag.locator('.summary .value')).toHaveText('17.33');
  await expect(tag.locator('plimsoll-live')).toHaveAttribute('theme', (await lightness(page)) < 128 ? 'dark' : 'light');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

for (const name of ['mkdocs', 'sphinx', 'hugo', 'vitepress', 'docusaurus']) {
  test(`${name}: the tag comes through the generator, reads without JavaScript, answers, and is as dark as the page`, async ({
    page,
    browser,
    complaints,
  }) => {
    test.setTimeout(600_000); // a generator takes its time
    await made(name, async ({ url, pages }) => {
      const without = await browser.newContext({ javaScriptEnabled: false });
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const one of pages) {
        const plain = await without.newPage();
        await plain.goto(`${url}/${one}`);
        await expect(plain.locator('plimsoll-calculator')).toContainText('fits: 23.99 GiB usable, 6.66 GiB left');
        await expect(plain.locator('plimsoll-calculator table')).toBeVisible();
        await page.goto(`${url}/${one}`);
        if (darken[name]) await darken[name](page).then(() => page.reload());
        await answersOn(page);
        if (name !== 'sphinx') expect(await lightness(page)).toBeLessThan(128);
      }
      await without.close();
      complaints.splice(0, complaints.length, ...complaints.filter((one) => name !== 'sphinx' || !ofFuro.test(one)));
    });
  });
}

test('jupyter: a notebook that ran shows the frame', async ({ page }) => {
  await made('jupyter', async ({ url, pages }) => {
    await page.goto(`${url}/${pages[0]}`);
    await expect(page.frameLocator('iframe').locator('.value')).toHaveText('17.33');
  });
});
