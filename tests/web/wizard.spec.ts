// For those who come without a configuration: three doors, two questions each, then the form, filled with what fits.

import { expect, type Page, request, settled, test, violations } from './kit.ts';

const wizard = (page: Page) => page.locator('plimsoll-wizard dialog');
const asked = async (page: Page) => JSON.parse(await request(page)) as Record<string, Record<string, unknown>>;

async function choose(page: Page, name: string, text: string, option: string): Promise<void> {
  const box = wizard(page).getByRole('combobox', { name });
  await box.click();
  await box.fill(text);
  await wizard(page)
    .getByRole('option')
    .filter({ has: page.getByText(option, { exact: true }) })
    .click();
}

async function filled(page: Page): Promise<void> {
  await expect(wizard(page)).toBeHidden({ timeout: 90_000 });
  await settled(page);
  await expect(page.locator('.verdict .badge')).toHaveText(/Fits|Tight|放得下/);
}

test('the doors stand open for who comes without a configuration, and for no one else', async ({ page, open }) => {
  await open();
  await expect(page.locator('.doors button[data-door]')).toHaveCount(3);
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(page.locator('.doors')).toHaveCount(0);
  await page.goto('about:blank');
  await open('model=llama-3-8b');
  await expect(page.locator('.doors')).toHaveCount(0);
});

test('I have this card: the largest recent model that it holds', async ({ page, open }) => {
  await open();
  await page.locator('.doors [data-door="card"]').click();
  await choose(page, 'Which card?', 'rtx 3060', 'RTX 3060 12GB');
  await wizard(page).getByRole('button', { name: 'Next' }).click();
  await wizard(page)
    .getByRole('button', { name: /My own conversations/ })
    .click();
  await filled(page);
  const { device, inference, model } = await asked(page);
  expect(device!['preset']).toMatch(/^rtx-3060/);
  expect(inference).toMatchObject({ runtime: 'llama.cpp', context: 8192 });
  expect(model!['preset']).toBeTruthy();
});

test('I want this model: the smallest card that holds it; and where none does, as few large ones as do', async ({ page, open }) => {
  await open('model=llama-3-8b');
  await page.getByRole('button', { name: 'Guide me' }).click();
  await wizard(page)
    .getByRole('button', { name: /I want this model/ })
    .click();
  await choose(page, 'Which model?', 'qwen3 32b', 'Qwen3 32B');
  await wizard(page).getByRole('button', { name: 'Next' }).click();
  await wizard(page)
    .getByRole('button', { name: /On my own computer/ })
    .click();
  await filled(page);
  expect(await asked(page)).toMatchObject({ model: { preset: 'qwen3-32b' }, weights: { encoding: 'gguf-q4_k_m' } });
  await page.getByRole('button', { name: 'Guide me' }).click();
  await wizard(page)
    .getByRole('button', { name: /I want this model/ })
    .click();
  await choose(page, 'Which model?', 'deepseek v3', 'DeepSeek-V3');
  await wizard(page).getByRole('button', { name: 'Next' }).click();
  await wizard(page)
    .getByRole('button', { name: /On a server/ })
    .click();
  await filled(page);
  expect(Number((await asked(page))['devices'])).toBeGreaterThan(4);
});

test('I want to fine-tune: the method that the card has room for, in Chinese and with the keyboard', async ({ page, open }) => {
  await open('model=llama-3-8b&lang=zh-CN');
  await page.getByRole('button', { name: '向导' }).press('Enter');
  await wizard(page)
    .getByRole('button', { name: /我想微调/ })
    .press('Enter');
  await choose(page, '哪个模型？', 'llama 3.1 8b', 'Llama 3.1 8B');
  expect(await violations(page)).toEqual([]);
  await wizard(page).getByRole('button', { name: '下一步' }).press('Enter');
  await choose(page, '哪张显卡？', 'rtx 4090', 'RTX 4090');
  await wizard(page).getByRole('button', { name: '填入表单' }).press('Enter');
  await filled(page);
  const { task, training } = await asked(page);
  expect(task).toBe('training');
  expect(['lora', 'qlora']).toContain(training!['method']);
});

test('on a narrow screen it fits, and axe finds nothing', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open();
  expect(await violations(page)).toEqual([]);
  await page.locator('.doors [data-door="model"]').click();
  await expect(wizard(page)).toBeVisible();
  const wide = await wizard(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
  await wizard(page).getByRole('button', { name: 'Back' }).click();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(wizard(page)).toBeHidden();
});
