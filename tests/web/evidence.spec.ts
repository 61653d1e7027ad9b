// Evidence: from an answer to the measured cases nearest to it, fetched when first asked for.

import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, type Page, settled, test, violations } from './kit.ts';
import { dist } from './server.ts';

const ask = async (page: Page): Promise<void> => {
  await page.getByText('Evidence: measured cases').click();
  await expect(page.locator('plimsoll-evidence tbody tr').first()).toBeVisible();
};

test('the nearest cases are of the same runtime and family, and lead to all of them', async ({ page, open }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await open('model=qwen2.5-7b&runtime=transformers');
  expect(asked.filter((path) => path.includes('/evidence/'))).toEqual([]);
  await ask(page);
  expect(asked.filter((path) => path.includes('/evidence/'))).toHaveLength(1);
  const evidence = page.locator('plimsoll-evidence');
  await expect(evidence).toContainText('this runtime or method and this model family');
  for (const row of await evidence.locator('tbody tr').all()) await expect(row).toContainText(/qwen/i);
  await evidence.getByRole('link', { name: /^All/ }).click();
  await expect(page.locator('table.cases tbody tr').first()).toBeVisible();
  await expect(page.locator('select[name="of"]')).toHaveValue('transformers');
  expect(Number(await page.locator('[data-count]').getAttribute('data-count'))).toBeGreaterThan(7);
});

test('a training is held against its method, and where a family has no case the method alone', async ({ page, open }) => {
  await open('task=training&model=llama-3-8b&method=qlora');
  await ask(page);
  await expect(page.locator('plimsoll-evidence')).toContainText(/measured figures: median error [\d.]+%/);
  await open('task=training&model=mpt-7b&method=full');
  await expect(page.locator('plimsoll-evidence')).toContainText('No measured case of this model family');
});

for (const [width, theme, language, title] of [
  [360, 'dark', 'zh-CN', '依据：实测案例'],
  [1280, 'light', 'en', 'Evidence: measured cases'],
] as const) {
  test(`axe finds nothing and nothing overflows: ${width} px, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(`model=llama-3-8b&runtime=llama.cpp&theme=${theme}&lang=${language}`);
    await page.getByText(title).click();
    await expect(page.locator('plimsoll-evidence tbody tr').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}

test('the single file carries them', async ({ page }) => {
  await page.goto(`${pathToFileURL(join(dist, 'plimsoll.html')).href}#model=llama-3-8b`);
  await settled(page);
  await ask(page);
});
