// The whole way with the keyboard alone.

import { expect, request, settled, test, total } from './kit.ts';

test('model, tab, number, row: without a mouse', async ({ page, open }) => {
  await open();
  const focused = () =>
    page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at?.id || at?.getAttribute('role') || at?.textContent?.trim() || '';
    });
  const tabTo = async (wanted: string) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab');
      if ((await focused()) === wanted) return;
    }
    throw new Error(`${wanted} cannot be reached with Tab`);
  };
  await tabTo('model-preset');
  await page.keyboard.type('mixtral 8x7b');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await settled(page);
  expect(JSON.parse(await request(page)).model.preset).toBe('mixtral-8x7b');
  await tabTo('tab-inference');
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toBe('tab-training'); // the focus moves when the tab is drawn
  await tabTo('training-sequence');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('512');
  const before = await total(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => total(page)).toBeGreaterThan(before);
  await tabTo('Weights');
  await page.keyboard.press('Enter');
  await expect(page.locator('#detail-weights')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('#detail-weights')).toHaveCount(0);
});

test('Escape closes the list and leaves the choice', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const model = page.getByRole('combobox', { name: 'Model' });
  await model.click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await model.fill('gemma');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(model).toHaveValue('Llama 3 8B');
});

test('a new answer is announced, once, politely', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const live = page.locator('[aria-live="polite"]');
  await expect(live).toContainText('GiB');
  const first = await live.textContent();
  await page.locator('#inference-context').fill('4096');
  await expect(live).not.toHaveText(first!);
  await expect(live).toContainText('Total');
});
