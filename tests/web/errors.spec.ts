// Errors stand at the field they belong to, and the last good answer stays, dimmed.

import { expect, settled, test, total } from './kit.ts';

test('text that is no number', async ({ page, open }) => {
  await open();
  const before = await total(page);
  await page.getByText('More settings of').click();
  await page.getByLabel('Replicas').fill('abc');
  const field = page.locator('[data-field="inference.replicas"]');
  await expect(field.locator('.error')).toContainText('“abc” is not a number');
  await expect(field.locator('input')).toHaveAttribute('aria-invalid', 'true');
  await expect(field.locator('input')).toHaveAccessibleDescription(/not a number/);
  await expect(page.locator('.summary')).toHaveClass(/stale/);
  expect(await total(page)).toBe(before);
  await page.getByLabel('Replicas').fill('1');
  await expect(field.locator('.error')).toHaveCount(0);
  await expect(page.locator('.summary')).not.toHaveClass(/stale/);
});

test('a number that the engine refuses', async ({ page, open }) => {
  await open();
  for (const bad of ['-3', '0', '1.5']) {
    await page.locator('#inference-sequences').fill(bad);
    await settled(page);
    await expect(page.locator('[data-field="inference.sequences"] .error')).toBeVisible();
  }
  await page.locator('#inference-sequences').fill('2');
  await settled(page);
  await expect(page.locator('.error')).toHaveCount(0);
});

test('a model that the link names and nobody knows', async ({ page, site }) => {
  await page.goto(`${site}/#model=no-such-model`);
  await expect(page.locator('[data-field="model.preset"] .error')).toBeVisible();
});

test('a link cut short still opens', async ({ page, open }) => {
  await open('from=typed&parameters=7&hidden_size=40x&config=%25%25');
  expect(await total(page)).toBeGreaterThan(7e9);
});
