// "Why is this so large?": an opened row of the site leads into the guide and its glossary; who carries the calculator elsewhere has no such link.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from './kit.ts';
import { dist } from './server.ts';

for (const [language, question, entry, heads] of [
  ['en', 'Why is this so large?', 'In the glossary', 'KV heads'],
  ['zh-CN', '为什么这么大？', '术语表中的解释', 'KV 头数'],
] as const)
  test(`a row leads to its chapter and to the glossary: ${language}`, async ({ page, site }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${site}/#lang=${language}&model=llama-3-8b&device=rtx-4090`);
    const row = page.locator('[data-row=kv_cache]');
    await expect(row).toBeVisible();
    expect(asked.filter((url) => /\/why-/.test(url))).toEqual([]);
    await row.getByRole('button').click();
    const link = page.getByRole('link', { name: question });
    await expect(link).toHaveAttribute('href', `guide/${language}/kv-cache.html#token`);
    await expect(page.getByRole('link', { name: entry })).toHaveAttribute('href', `guide/${language}/glossary.html#kv-cache`);
    expect(asked.filter((url) => /\/why-/.test(url))).toHaveLength(1);
    await page.locator('[data-row="kv_cache/keys"]').getByRole('button').click();
    await expect(link).toHaveCount(2);
    const keys = page.locator('.to-guide').last();
    await expect(keys.getByRole('link', { name: heads })).toHaveAttribute('href', `guide/${language}/glossary.html#head`);
    const [guide] = await Promise.all([page.waitForEvent('popup'), link.first().click()]);
    await expect(guide.locator('#token')).toBeInViewport();
    await guide.close();
  });

test('a state that a preset names leads where the optimizer leads', async ({ page, site }) => {
  await page.goto(`${site}/#task=training&model=llama-3-8b&device=h100-sxm-80gb`);
  await page.locator('[data-row=optimizer]').getByRole('button').click();
  await page.locator('[data-row^="optimizer/"]').first().getByRole('button').click();
  await expect(page.locator('.to-guide a[href$="optimizers.html#states"]')).toHaveCount(2);
});

test('the single file has no such link, since the guide may not lie beside it', async ({ page }) => {
  await page.goto(`${pathToFileURL(join(dist, 'plimsoll.html')).href}#model=llama-3-8b&device=rtx-4090`);
  await page.locator('[data-row=kv_cache]').getByRole('button').click();
  await expect(page.locator('.explanation')).toBeVisible();
  await expect(page.locator('.to-guide')).toHaveCount(0);
});
