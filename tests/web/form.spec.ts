// Preset, typing, dragging: every change is answered without a button.

import { bytesOf, commandLine, expect, option, request, row, rowBytes, settled, test, total } from './kit.ts';

test('the first answer stands in the first view, before any input', async ({ page, open }) => {
  await open();
  await expect(page.locator('.badge')).toBeInViewport();
  await expect(page.locator('.number .value')).toBeInViewport();
  await expect(page.locator('.bar')).toBeInViewport();
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});

test('a preset is found by searching and answers at once', async ({ page, open }) => {
  await open();
  const before = await total(page);
  const model = page.getByRole('combobox', { name: 'Model' });
  await model.fill('llama 3 70b');
  await option(page).first().click();
  expect(JSON.parse(await request(page)).model).toEqual({ preset: 'llama-3-70b' });
  expect(await total(page)).toBeGreaterThan(7 * before);
  await expect(page.locator('.badge')).toHaveText('Too large');
});

test('a device is found by its maker and decides the verdict', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-3060-8gb');
  await expect(page.locator('.badge')).toHaveText('Too large');
  await page.getByRole('combobox', { name: 'Device' }).fill('nvidia h100 sxm');
  await option(page).first().click();
  await settled(page);
  await expect(page.locator('.badge')).toHaveText('Fits');
  expect(Number(await page.locator('.left').getAttribute('data-free'))).toBeGreaterThan(60e9);
});

test('typing a context changes the KV cache in proportion', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const context = page.locator('#inference-context');
  await context.fill('1024');
  await settled(page);
  const small = await rowBytes(page, 'kv_cache');
  await context.fill('8k');
  await settled(page);
  expect(JSON.parse(await request(page)).inference.context).toBe(8192);
  expect(await rowBytes(page, 'kv_cache')).toBe(8 * small);
});

test('dragging the context follows the slider and its field', async ({ page, open }) => {
  await open('model=llama-3-8b&context=512');
  const before = await total(page);
  const slider = page.getByRole('slider', { name: /Context/ });
  const box = (await slider.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 3; step <= 9; step++) await page.mouse.move(box.x + box.width * (step / 10), box.y + box.height / 2);
  await page.mouse.up();
  expect(await total(page)).toBeGreaterThan(before);
  expect(Number(await page.locator('#inference-context').inputValue())).toBe(JSON.parse(await request(page)).inference.context);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});

test('a model typed by hand begins as the chosen one; what is left out is named', async ({ page, open }) => {
  await open('model=llama-3-70b');
  await page.getByText('By hand').click();
  await expect(page.locator('#model-hidden_size')).toHaveValue('8192');
  await expect(page.locator('#model-num_key_value_heads')).toHaveValue('8');
  await page.locator('#model-num_hidden_layers').fill('');
  await settled(page);
  await expect(page.locator('.missing')).toContainText('Layers');
  await expect(page.locator('.summary')).toContainText('Not complete');
});

test('the unit switches between GiB and GB, everywhere', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const bytes = await total(page);
  await expect(page.locator('.number')).toHaveText(`${(bytes / 2 ** 30).toFixed(2)} GiB`);
  await page.locator('.summary').getByText('GB', { exact: true }).click();
  await expect(page.locator('.number')).toHaveText(`${(bytes / 1e9).toFixed(2)} GB`);
  await expect(row(page, 'weights')).toContainText(' GB');
  expect(await page.locator('.details').innerText()).not.toContain('GiB');
  await expect(page).toHaveURL(/unit=GB/);
});

test('training shows its phases, and the peak is the largest of them', async ({ page, open }) => {
  await open('model=llama-3-8b');
  await page.getByRole('tab', { name: 'Training' }).click();
  await settled(page);
  const phases = await page.locator('.phases li').evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset['phase']));
  for (const phase of ['forward', 'backward', 'step']) expect(phases).toContain(phase);
  await expect(page.locator('.phases .mark')).toHaveCount(1);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});

test('a part of the parameters trained asks for the percentage', async ({ page, open }) => {
  await open('task=training&model=llama-3-8b');
  const all = await rowBytes(page, 'optimizer');
  await expect(page.getByLabel('Trainable parameters (%)', { exact: true })).toHaveCount(0);
  await page.getByLabel('Training method', { exact: true }).selectOption('freeze');
  await page.locator('#training-trainable_percent').fill('10');
  await settled(page);
  expect(await rowBytes(page, 'optimizer')).toBeLessThan(0.2 * all);
});
