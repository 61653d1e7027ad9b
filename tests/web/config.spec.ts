// A Hugging Face config.json: dropped, pasted or picked; malformed or wrong.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drop, expect, type Page, request, settled, test, total } from './kit.ts';

const preset = JSON.parse(readFileSync(join(__dirname, '../../presets/models/mistral-7b-v0.1.json'), 'utf8')) as { config: Record<string, unknown> };
const config = JSON.stringify(preset.config, null, 2);

test('dropped anywhere on the page', async ({ page, open }) => {
  await open('model=mistral-7b-v0.1');
  const known = await total(page);
  await open();
  await drop(page, 'config.json', config);
  await expect(page.locator('#model-config')).toHaveValue(config);
  expect(JSON.parse(await request(page)).model.config).toEqual(preset.config);
  expect(await total(page)).toBe(known);
});

test('picked as a file', async ({ page, open }) => {
  await open();
  await page.getByText('From files', { exact: true }).click();
  await page.locator('input[type=file]').setInputFiles({ name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(config) });
  await expect(page.locator('#model-config')).toHaveValue(config);
  await settled(page);
  await expect(page.locator('.error')).toHaveCount(0);
});

test('pasted, also outside any field', async ({ page, open }) => {
  await open();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, config);
  await expect(page.locator('#model-config')).toHaveValue(config);
});

/** Writes into the field, as a hand that mends a config would. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByText('From files', { exact: true }).click();
  await page.locator('#model-config').fill(text);
}

test('malformed: the error stands at the field, the last answer stays', async ({ page, open }) => {
  await open();
  const before = await total(page);
  await write(page, '{"model_type": "llama", "hidden_size": }');
  const error = page.locator('[data-field="model.config"] .error');
  await expect(error).toContainText('not valid JSON');
  await expect(page.locator('#model-config')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('.summary')).toHaveClass(/stale/);
  expect(await total(page)).toBe(before);
});

test('wrong inside: the error names the field of the file', async ({ page, open }) => {
  await open();
  for (const [name, value] of [
    ['num_attention_heads', '-32'],
    ['hidden_size', '1e400'],
    ['num_hidden_layers', '"many"'],
  ]) {
    await write(page, config.replace(new RegExp(`"${name}": [^,]+,`), `"${name}": ${value},`));
    await settled(page);
    await expect(page.locator('[data-field="model.config"] .error')).toContainText(name!);
  }
});

test('a file that is refused is named, and changes nothing', async ({ page, open }) => {
  await open('model=mistral-7b-v0.1&context=4096');
  const before = await request(page);
  for (const [name, text, said] of [
    ['broken.json', '{"model_type": "llama", "hidden_size": }', /JSON/],
    ['wrong.json', config.replace(/"hidden_size": \d+/, '"hidden_size": -1'), /hidden_size/],
    ['empty.json', '', /empty/],
  ] as const) {
    await drop(page, name, text);
    const box = page.getByRole('alert').filter({ hasText: name });
    await expect(box).toContainText(said);
    await expect(box).toContainText('The previous model stays selected.');
    expect(await request(page)).toBe(before);
  }
  await page.locator('.refused-files').getByRole('button').click();
  await expect(page.locator('.refused-files')).toHaveCount(0);
});
