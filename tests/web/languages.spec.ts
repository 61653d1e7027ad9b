// English and 简体中文: chosen by the browser, switchable, in the link.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, row, settled, test } from './kit.ts';

const texts = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, '../../web/src/languages', `${name}.json`), 'utf8')) as Record<string, string>;

test('no text stands both in the first view and in what comes later', () => {
  const later = texts('en/later');
  expect(Object.keys(texts('en/texts')).filter((key) => key in later)).toEqual([]);
});

test.describe('in a Chinese browser', () => {
  test.use({ locale: 'zh-CN' });
  test('the page speaks Chinese by itself', async ({ page, open }) => {
    await open();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await expect(page.getByRole('tab', { name: '训练' })).toBeVisible();
    await expect(page.locator('.badge')).toHaveText(/放得下|勉强|放不下/);
    await expect(page).not.toHaveURL(/lang=/);
  });
});

test('switched, the choice goes into the link', async ({ page, open }) => {
  await open();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByLabel('Language').selectOption('zh-CN');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(row(page, 'weights')).toContainText('权重');
  await expect(page).toHaveURL(/lang=zh-CN/);
  await page.reload();
  await settled(page);
  await expect(page.getByRole('tab', { name: '推理' })).toBeVisible();
});

test('in Chinese no English key or name of a row is left over', async ({ page, open }) => {
  for (const task of ['inference', 'training']) {
    await open(`lang=zh-CN&task=${task}&model=mixtral-8x7b`);
    const names = await page.locator('tr.level-0 th').allInnerTexts();
    for (const name of names) expect(name).toMatch(/\p{Script=Han}|Logits/u);
    expect(await page.locator('.form').innerText()).not.toMatch(/\b(field|option|form)\./);
    await page.goto('about:blank');
  }
});
