// Figures from articles: opened from the page, loaded into the form.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, commandLine, expect, request, test, total } from './kit.ts';

const folder = join(__dirname, '../../presets/examples');
const examples = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { title: string; order: number; request: object | null },
);

test('all are listed, with figures and reasons', async ({ page, open }) => {
  await open();
  await page.getByRole('button', { name: 'Figures from articles' }).click();
  await expect(page.locator('dialog article')).toHaveCount(examples.length);
  const titles = await page.locator('dialog h3').allInnerTexts();
  expect(titles).toEqual(examples.toSorted((a, b) => a.order - b.order).map(({ title }) => title));
});

test('each that asks something opens in the form and is answered', async ({ page, open }) => {
  await open();
  for (const { title } of examples.filter(({ request }) => request)) {
    await page.getByRole('button', { name: 'Figures from articles' }).click();
    await page
      .locator('dialog article')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
      .getByRole('button')
      .click();
    await expect(page.locator('dialog')).toBeHidden();
    expect(await total(page), title).toBe(bytesOf(commandLine(await request(page))));
  }
});

test('a row is said to agree only where its figures are the same as printed', async ({ page, open }) => {
  await open();
  await page.getByRole('button', { name: 'Figures from articles' }).click();
  await expect(page.locator('dialog article')).toHaveCount(examples.length);
  const rows = await page.locator('dialog tbody tr').evaluateAll((all) =>
    all.map((one) => {
      const [article, ours] = [...one.querySelectorAll('td')].map(({ textContent }) => textContent.replaceAll(',', ''));
      return { what: one.querySelector('th')!.textContent, article: article!, ours: ours!, agrees: one.querySelector('.agrees') !== null };
    }),
  );
  const agreeing = rows.filter(({ agrees }) => agrees);
  expect(agreeing.length).toBeGreaterThan(20);
  for (const { what, article, ours } of agreeing) {
    const decimals = article.split('.')[1]?.length ?? 0;
    expect(Math.abs(Number(article) - Number(ours)), what).toBeLessThanOrEqual(0.5 * 10 ** -decimals);
  }
  const row = page.locator('dialog tbody tr').filter({ hasText: '4,722,432' });
  await expect(row).toContainText('differs by 0.081%');
  await expect(row.locator('.agrees')).toHaveCount(0);
});

test('in Chinese', async ({ page, open }) => {
  await open('lang=zh-CN');
  await page.getByRole('button', { name: '文章中的数字' }).click();
  await expect(page.locator('dialog h3').first()).toHaveText(/\p{Script=Han}/u);
});
