// The first answer, drawn while the page is built: it is the engine's, it stands where the live one will, and only those see it whose
// page it is.

import { type Browser } from '../../web/node_modules/@playwright/test';
import { bytesOf, commandLine, expect, type Page, request, settled, test } from './kit.ts';

const places = ['.brief', '.number', '.bar', '.legend', 'section.rows'];

/** Words and places of what both views have. */
const seen = async (page: Page, within: string): Promise<{ text: string; x: number; y: number; width: number; height: number }[]> => {
  const found = [];
  for (const place of places) {
    const one = page.locator(`${within} ${place}`).first();
    const { x, y, width, height } = (await one.boundingBox())!;
    const text = ((await one.textContent()) ?? '').replaceAll(/\s+/g, ' ').trim();
    found.push({
      text,
      x: Math.round(x),
      y: Math.round(y),
      width: Math.round(width),
      height: Math.round(height),
    });
  }
  return found;
};

async function withoutScript<T>(browser: Browser, site: string, width: number, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(site);
  const found = await look(page);
  await context.close();
  return found;
}

for (const width of [390, 1280])
  test(`at ${width} pixels it is the live page's answer, in the same place`, async ({ browser, page, site, open }) => {
    const first = await withoutScript(browser, site, width, (still) => seen(still, '#first'));
    await page.setViewportSize({ width, height: 900 });
    await open();
    await expect(page.locator('#first')).toHaveCount(0);
    const live = await seen(page, 'plimsoll-calculator');
    expect(first.map(({ text }) => text)).toEqual(live.map(({ text }) => text));
    // below the form of a narrow screen it need not stand where it will
    const compared = width < 800 ? places.length - 1 : places.length;
    expect(first.slice(0, compared)).toEqual(live.slice(0, compared));
  });

for (const colorScheme of ['light', 'dark'] as const)
  test(`who prefers ${colorScheme} colours sees the first answer in them, and who has no script is told`, async ({ browser, page, site, open }) => {
    const ground = (element: Element) => getComputedStyle(element).backgroundColor;
    const context = await browser.newContext({
      javaScriptEnabled: false,
      colorScheme,
    });
    const still = await context.newPage();
    await still.goto(site);
    const first = [await still.locator('#first .summary').evaluate(ground), await still.locator('html').evaluate(ground)];
    await expect(still.locator('noscript')).toBeInViewport();
    await context.close();
    await page.emulateMedia({ colorScheme });
    await open();
    expect(first).toEqual([await page.locator('plimsoll-calculator .summary').evaluate(ground), await page.locator('html').evaluate(ground)]);
  });

test('it is what the command line answers', async ({ browser, page, site, open }) => {
  await open();
  const reply = commandLine(await request(page));
  const still = await withoutScript(browser, site, 1280, async (one) => ({
    total: await one.locator('#first .summary').getAttribute('data-total'),
    rows: await one
      .locator('#first tr[data-row]')
      .evaluateAll((rows) => rows.map((row) => [row.getAttribute('data-row'), row.getAttribute('data-bytes')])),
  }));
  expect(Number(still.total)).toBe(bytesOf(reply));
  if ('error' in reply) throw new Error('refused');
  expect(still.rows).toEqual(reply.rows!.map(({ id, bytes }) => [id, String(bytes)]));
});

test('who has a state in the link does not see it', async ({ page, open }) => {
  await page.addInitScript(() => {
    const shown: boolean[] = ((window as unknown as { shown: boolean[] }).shown = []);
    const watch = (): void => {
      const first = document.getElementById('first');
      if (first) shown.push(first.getClientRects().length > 0);
      requestAnimationFrame(watch);
    };
    watch();
  });
  await open('model=llama-3-70b');
  await settled(page);
  expect(await page.evaluate(() => (window as unknown as { shown: boolean[] }).shown.includes(true))).toBe(false);
});

test.describe('who reads another language', () => {
  test.use({ locale: 'zh-CN' });
  test('does not see it either', async ({ page, open }) => {
    await open();
    await expect(page.locator('html')).toHaveAttribute('data-first', 'no');
    await expect(page.locator('.legend')).toContainText('权重');
  });
});
