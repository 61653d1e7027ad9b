// The list of encodings: those that the runtime loads, with their bytes for the chosen model, by size or by kind.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EncodingPreset } from '../../web/src/engine/wire';
import { commandLine, expect, type Locator, option, type Page, request, rowBytes, settled, test, violations } from './kit.ts';

const folder = join(__dirname, '..', '..', 'presets', 'encodings');
const presets = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as EncodingPreset);
const forWeights = presets.filter(({ uses }) => uses.includes('weights'));

const weights = (page: Page): Locator => page.getByRole('combobox', { name: 'Weights precision' });

interface Entry {
  name: string;
  detail: string;
  /** The size as it is shown, in bytes. */
  bytes: number;
}

async function entries(page: Page): Promise<Entry[]> {
  await expect(option(page).nth(1)).toContainText('bits/weight');
  const texts = await option(page).evaluateAll((options) => options.map((one) => [...one.children].map(({ textContent }) => textContent!)));
  return texts.map(([name, detail]) => {
    const [, number, unit] = /^([\d.,]+)\s([MG]iB)/.exec(detail!)!;
    return { name: name!, detail: detail!, bytes: Number(number!.replaceAll(',', '')) * (unit === 'GiB' ? 2 ** 30 : 2 ** 20) };
  });
}

/** Opens the list in a page that holds nothing of the one before. */
async function opened(page: Page, open: (hash: string) => Promise<void>, hash: string): Promise<Entry[]> {
  await page.goto('about:blank');
  await open(hash);
  await weights(page).click();
  return entries(page);
}

/** Bytes and weights as the command line counts them. */
function counted(model: string, encoding: string): { bytes: number; parameters: number } {
  const reply = commandLine(JSON.stringify({ schema: 1, task: 'inference', model: { preset: model }, weights: { encoding } }));
  if ('error' in reply) throw new Error(JSON.stringify(reply.error));
  return { bytes: reply.rows!.find(({ id }) => id === 'weights')!.bytes, parameters: reply.model!.parameters!.total! };
}

test('stands by size, each size the one that the engine counts', async ({ page, open }) => {
  for (const model of ['llama-3-8b', 'mixtral-8x7b', 'bloom-7b1']) {
    const [own, ...all] = await opened(page, open, `model=${model}`);
    expect(own!.name).toContain('As published');
    expect(all.length).toBeGreaterThan(90);
    for (const [at, { bytes }] of all.slice(1).entries()) expect(bytes).toBeGreaterThanOrEqual(all[at]!.bytes);
    for (const id of ['gguf-q4_k_m', 'nf4', 'gptq-4bit-128g', 'mxfp4', 'bf16']) {
      const { name } = presets.find((one) => one.id === id)!;
      const { bytes, parameters } = counted(model, id);
      const bits = new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format((8 * bytes) / parameters);
      const size = (bytes / 2 ** 30).toFixed(2);
      expect(all.find((one) => one.name === name)!.detail, `${model} in ${id}`).toBe(`${size}\u00a0GiB · ${bits} bits/weight`);
    }
  }
});

test('by kind, every entry stands under its heading, once', async ({ page, open }) => {
  const bySize = await opened(page, open, 'model=mixtral-8x7b');
  await page.getByRole('radiogroup', { name: 'Order of the list' }).getByText('By kind').click();
  await expect(page.getByRole('listbox').getByRole('group').first()).toHaveAccessibleName('Plain floats');
  const groups = page.getByRole('listbox').getByRole('group');
  const kinds = new Set(forWeights.map(({ family }) => family));
  await expect(groups).toHaveCount(kinds.size);
  const gguf = await page.getByRole('group', { name: 'GGUF (llama.cpp)' }).getByRole('option').allInnerTexts();
  expect(gguf.length).toBe(forWeights.filter(({ family }) => family === 'gguf').length);
  const byKind = await entries(page);
  expect(byKind.map(({ name }) => name).sort()).toEqual(bySize.map(({ name }) => name).sort());
});

test('is searched by name, kind and alias, and what is chosen is counted', async ({ page, open }) => {
  await open('model=llama-3-8b');
  await weights(page).fill('bitsandbytes');
  await expect(option(page)).toHaveCount(forWeights.filter(({ family }) => family === 'bitsandbytes').length);
  await weights(page).fill('bfloat16');
  await expect(option(page).first()).toContainText('BF16');
  await weights(page).fill('q4_k_m');
  await expect(option(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await settled(page);
  expect(JSON.parse(await request(page)).weights).toEqual({ encoding: 'gguf-q4_k_m' });
  expect(await rowBytes(page, 'weights')).toBe(counted('llama-3-8b', 'gguf-q4_k_m').bytes);
  await weights(page).fill('as published');
  await page.keyboard.press('Enter');
  await settled(page);
  expect(JSON.parse(await request(page)).weights).toBeUndefined();
});

test('holds what the chosen runtime loads, and without one everything', async ({ page, open }) => {
  const all = await opened(page, open, 'model=mixtral-8x7b');
  const loaded = await opened(page, open, 'model=mixtral-8x7b&runtime=transformers');
  const runtime = JSON.parse(readFileSync(join(folder, '..', 'runtimes', 'transformers.json'), 'utf8')) as { weights: string[] };
  const names = forWeights.filter(({ family }) => runtime.weights.includes(family)).map(({ name }) => name);
  expect(
    loaded
      .slice(1)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(names.sort());
  expect(all.length).toBe(forWeights.length + 1);
  const chosen = await opened(page, open, 'model=mixtral-8x7b&runtime=transformers&weights=gguf-q4_0');
  expect(chosen.map(({ name }) => name)).toContain('GGUF Q4_0');
});

test('offers what is meant for experts to models that have them', async ({ page, open }) => {
  const name = 'GGUF MXFP4_MOE';
  expect((await opened(page, open, 'model=mixtral-8x7b')).map((one) => one.name)).toContain(name);
  expect((await opened(page, open, 'model=llama-3-8b')).map((one) => one.name)).not.toContain(name);
});

test('a model that is chosen after has sizes of its own', async ({ page, open }) => {
  const small = await opened(page, open, 'model=llama-3-8b');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Model' }).fill('llama 3 70b');
  await option(page).first().click();
  await settled(page);
  await weights(page).click();
  await expect.poll(async () => (await entries(page))[0]!.bytes).toBeGreaterThan(8 * small[0]!.bytes);
});

test('the orders are reached with Tab, and Escape leads back', async ({ page, open }) => {
  await opened(page, open, 'model=llama-3-8b');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'By kind' })).toBeChecked();
  await expect(page.getByRole('listbox').getByRole('group').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await expect(weights(page)).toBeFocused();
  await weights(page).press('ArrowDown');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('listbox')).toBeHidden();
});

for (const theme of ['light', 'dark'] as const)
  test(`axe finds nothing in either order: ${theme}`, async ({ page, open }) => {
    await opened(page, open, `theme=${theme}&model=mixtral-8x7b`);
    expect(await violations(page)).toEqual([]);
    await page.getByText('By kind').click();
    await expect(page.getByRole('listbox').getByRole('group').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

test('in Chinese too, and the English names are found', async ({ page, open }) => {
  await open('model=llama-3-8b&lang=zh-CN');
  await page.locator('#weights-encoding').fill('double quantisation');
  await expect(option(page).first()).toContainText('双重量化');
});

test('fits a narrow screen', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open('model=deepseek-v3&lang=zh-CN');
  await page.locator('#weights-encoding').click();
  await expect(option(page).nth(1)).toContainText('位/权重');
  const wide = await page.locator('.popup').evaluateAll((all) => all.flatMap((one) => [one, ...one.querySelectorAll('[role="option"]')]));
  expect(wide.length).toBeGreaterThan(90);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
