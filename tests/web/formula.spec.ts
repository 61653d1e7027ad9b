// Every number explains itself: a row opens to its formula in MathML, with the user's own numbers in it.

import { expect, row, rowBytes, settled, test } from './kit.ts';

test('the KV cache: symbols, then the numbers of this very request', async ({ page, open }) => {
  await open('model=llama-3-8b&context=5120&sequences=3');
  await row(page, 'kv_cache').getByRole('button').click();
  await settled(page);
  const detail = page.locator('#detail-kv_cache');
  await expect(detail.locator('.formula.names math').first()).toBeVisible();
  const bytes = await rowBytes(page, 'kv_cache');
  await expect(detail).toContainText(`${bytes.toLocaleString('en-US')} bytes`);
  const parts = page.locator('tr[data-row^="kv_cache/"]');
  await parts.first().getByRole('button').click();
  await settled(page);
  const keys = page.locator('#detail-kv_cache-keys');
  for (const number of ['5,120', '3', '32', '8', '128']) await expect(keys.locator('mn').getByText(number, { exact: true }).first()).toBeVisible();
  expect(await detail.locator('math mn').count()).toBeGreaterThan(0);
  expect(
    await detail
      .locator('math')
      .first()
      .evaluate((element) => element.namespaceURI),
  ).toBe('http://www.w3.org/1998/Math/MathML');
});

test('a leaf names its meaning and its source', async ({ page, open }) => {
  await open('model=llama-3-8b');
  await row(page, 'weights').getByRole('button').click();
  await settled(page);
  const children = page.locator('tr[data-row^="weights/"]');
  expect(await children.count()).toBeGreaterThan(2);
  await children.first().getByRole('button').click();
  await settled(page);
  const symbols = page.locator('.symbols').last();
  await expect(symbols.locator('dt').first()).toBeVisible();
  await expect(symbols.locator('.source').first()).not.toBeEmpty();
});

test('children sum to their row', async ({ page, open }) => {
  await open('model=mixtral-8x7b');
  await row(page, 'weights').getByRole('button').click();
  await settled(page);
  const parts = await page
    .locator('tr[data-row^="weights/"]')
    .evaluateAll((rows) => rows.map((one) => Number((one as HTMLElement).dataset['bytes'])));
  expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBe(await rowBytes(page, 'weights'));
});

test('rows sum to the total shown, and every row opens to a formula or a source', async ({ page, open }) => {
  for (const task of ['inference', 'training']) {
    await open(`task=${task}&model=llama-3-8b`);
    const paths = await page.locator('tr.level-0').evaluateAll((rows) => rows.map((one) => (one as HTMLElement).dataset['row']!));
    const bytes = await Promise.all(paths.map((path) => rowBytes(page, path)));
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBe(Number(await page.locator('.summary').getAttribute('data-total')));
    for (const path of paths) {
      await row(page, path).getByRole('button').click();
      await settled(page);
      expect(await page.locator(`#detail-${path}`).locator('math, .sources li').count(), path).toBeGreaterThan(0);
    }
    await page.goto('about:blank');
  }
});
