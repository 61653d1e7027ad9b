// The list of encodings: the published one, those that the runtime runs, and the others with the reason, with their bytes
// for the chosen model, by size or by kind.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EncodingPreset } from '../../web/src/engine/wire';
import { commandLine, expect, type Locator, option, type Page, request, rowBytes, settled, test, violations } from './kit.ts';

const folder = join(__dirname, '..', '..', 'presets', 'encodings');
const presets = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as EncodingPreset);
const forWeights = presets.filter(({ uses }) => uses.includes('weights'));

const weights = (page: Page): Locator => page.getByRole('combobox', { name: 'Weights precision' });

const runtimes = join(folder, '..', 'runtimes');

/** What a runtime's preset says that it loads. */
function loadedBy(id: string): EncodingPreset[] {
  const { weights: loads } = JSON.parse(readFileSync(join(runtimes, `${id}.json`), 'utf8')) as { weights: string[] };
  return forWeights.filter(({ family }) => loads.includes(family));
}

const groupNames = (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole('listbox')
    .getByRole('group')
    .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label')));

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
    const groups = await groupNames(page);
    expect(groups).toEqual(['Hugging Face transformers runs these', 'Hugging Face transformers does not run these']);
    for (const group of groups) {
      const names = await page.getByRole('group', { name: group!, exact: true }).locator('[role="option"] > span').allInnerTexts();
      const sizes = names.map((name) => all.find((one) => one.name === name)!.bytes);
      expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
    }
    for (const id of ['gguf-q4_k_m', 'nf4', 'gptq-4bit-128g', 'mxfp4', 'bf16']) {
      const { name } = presets.find((one) => one.id === id)!;
      const { bytes, parameters } = counted(model, id);
      const bits = new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format((8 * bytes) / parameters);
      const size = (bytes / 2 ** 30).toFixed(2);
      const { detail } = all.find((one) => one.name === name)!;
      expect(detail.split(' · ').slice(0, 2), `${model} in ${id}`).toEqual([`${size}\u00a0GiB`, `${bits} bits/weight`]);
    }
  }
});

test('by kind, every entry stands under its heading, once', async ({ page, open }) => {
  const bySize = await opened(page, open, 'model=mixtral-8x7b');
  await page.getByRole('radiogroup', { name: 'Order of the list' }).getByText('By kind').click();
  await expect(page.getByRole('listbox').getByRole('group').first()).toHaveAccessibleName('Plain floats');
  const groups = page.getByRole('listbox').getByRole('group');
  const kinds = new Set(loadedBy('transformers').map(({ family }) => family));
  await expect(groups).toHaveCount(kinds.size + 1);
  const awq = await page.getByRole('group', { name: 'AWQ', exact: true }).getByRole('option').allInnerTexts();
  expect(awq.length).toBe(forWeights.filter(({ family }) => family === 'awq').length);
  await expect(groups.last()).toHaveAccessibleName('Hugging Face transformers does not run these');
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
  await expect(option(page).first()).toContainText('GGUF Q4_K_M');
  await page.keyboard.press('Enter');
  await settled(page);
  expect(JSON.parse(await request(page)).weights).toEqual({ encoding: 'gguf-q4_k_m' });
  expect(await rowBytes(page, 'weights')).toBe(counted('llama-3-8b', 'gguf-q4_k_m').bytes);
  await weights(page).fill('as published');
  await page.keyboard.press('Enter');
  await settled(page);
  expect(JSON.parse(await request(page)).weights).toBeUndefined();
});

test('what the runtime runs stands above, the others below with who runs them', async ({ page, open }) => {
  for (const [id, title] of [
    ['vllm', 'vLLM'],
    ['llama.cpp', 'llama.cpp'],
  ] as const) {
    await opened(page, open, `model=mixtral-8x7b&runtime=${id}`);
    const names = await page
      .getByRole('group', { name: `${title} runs these` })
      .locator('[role="option"] > span')
      .allInnerTexts();
    expect(names.sort()).toEqual(
      loadedBy(id)
        .map(({ name }) => name)
        .sort(),
    );
    const others = page.getByRole('group', { name: `${title} does not run these` }).getByRole('option');
    await expect(others).toHaveCount(forWeights.length - names.length);
    for (const text of await others.allInnerTexts()) expect(text).toMatch(/runs in \w|none of the runtimes here runs it/);
  }
  await expect(option(page).filter({ hasText: 'EXL2 4.0 bpw' })).toContainText('none of the runtimes here runs it');
  await expect(option(page).filter({ hasText: 'MLX 4-bit, groups of 64' })).toContainText('runs in MLX');
});

test('what is meant for experts stands below for a model that has none', async ({ page, open }) => {
  const entry = option(page).filter({ hasText: 'GGUF MXFP4_MOE' });
  await opened(page, open, 'model=mixtral-8x7b&runtime=llama.cpp');
  await expect(entry).not.toContainText('for models with experts');
  await opened(page, open, 'model=llama-3-8b&runtime=llama.cpp');
  await expect(entry).toContainText('for models with experts');
});

test('those that the runtime runs say whether they fit, as the command line does', async ({ page, open }) => {
  await opened(page, open, 'model=qwen3-32b&device=rtx-4090&runtime=llama.cpp&context=4096');
  const marked = page.locator('[role="option"][data-verdict]');
  await expect(marked).not.toHaveCount(0);
  const verdicts = new Set<string>();
  for (const id of ['gguf-q8_0', 'gguf-q4_k_m', 'gguf-q2_k']) {
    const asked = { schema: 1, task: 'inference', model: { preset: 'qwen3-32b' }, weights: { encoding: id }, device: { preset: 'rtx-4090' } };
    const reply = commandLine(JSON.stringify({ ...asked, inference: { runtime: 'llama.cpp', context: 4096 } }));
    if ('error' in reply) throw new Error(JSON.stringify(reply.error));
    const { name } = presets.find((one) => one.id === id)!;
    const entry = option(page).filter({ has: page.getByText(name, { exact: true }) });
    await expect(entry, id).toHaveAttribute('data-verdict', reply.fit!.verdict);
    verdicts.add(reply.fit!.verdict);
  }
  expect(verdicts.size).toBeGreaterThan(1);
  await expect(option(page).filter({ hasText: 'GGUF Q8_0' })).toContainText('Too large');
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
