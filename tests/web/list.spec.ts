// The list of models: grouped by family, recent ones first, searched by whatever is known of a model.

import { expect, type Locator, option, type Page, request, settled, test } from './kit.ts';

const combobox = (page: Page): Locator => page.getByRole('combobox', { name: 'Model' });

async function search(page: Page, text: string): Promise<string[]> {
  await combobox(page).fill(text);
  await expect(option(page).first()).not.toHaveText('Loading the list…');
  return option(page).allInnerTexts();
}

const groupNames = (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole('listbox')
    .getByRole('group')
    .evaluateAll((groups) => groups.map((group) => group.getAttribute('aria-label')));

test('stands in groups by family, the recent families and models first', async ({ page, open }) => {
  await open();
  await combobox(page).click();
  await expect.poll(() => option(page).count()).toBeGreaterThanOrEqual(150); // it may say first that the list is on its way
  const groups = await groupNames(page);
  expect(new Set(groups).size).toBe(groups.length);
  expect(groups.indexOf('Qwen3.5')).toBeLessThan(groups.indexOf('Qwen2.5'));
  expect(groups.indexOf('Llama 4')).toBeLessThan(groups.indexOf('Llama 2'));
  const deepseek = page.getByRole('group', { name: 'DeepSeek-V3', exact: true }).getByRole('option');
  await expect(deepseek.first()).toContainText('DeepSeek-V3.2');
  await expect(deepseek.last()).toContainText('671B · 37.6B active · 128K context');
});

test('is searched by name, family, maker and size', async ({ page, open }) => {
  await open();
  expect((await search(page, 'llama 3.1 8b'))[0]).toContain('Llama 3.1 8B');
  await search(page, 'deepseek-v2');
  expect(await groupNames(page)).toContain('DeepSeek-V2');
  const moonshot = await search(page, 'moonshot');
  expect(moonshot.length).toBeGreaterThan(0);
  for (const text of moonshot) expect(text).toContain('Kimi');
  const thirty = await search(page, '30b a3b');
  expect(thirty.join(' ')).toContain('Qwen3 30B A3B');
  for (const text of thirty) expect(text).toMatch(/3[01](\.\d)?B · 3\.\d+B active/);
  await expect(option(page).first()).toHaveAttribute('id', (await combobox(page).getAttribute('aria-activedescendant'))!);
  expect(await search(page, 'no such model')).toEqual(['Nothing found']);
});

test('takes what was meant: by name, by id and by address', async ({ page, open }) => {
  await open();
  for (const [text, id] of [
    ['qwen3 32b', 'qwen3-32b'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'llama-3.1-8b'],
    ['https://huggingface.co/Qwen/Qwen3-30B-A3B/tree/main', 'qwen3-30b-a3b'],
    ['https://hf.co/google/gemma-2-9b-it/blob/main/config.json', 'gemma-2-9b'],
    ['https://modelscope.cn/models/Qwen/Qwen3-8B', 'qwen3-8b'],
    ['ollama:llama3.1:8b', 'llama-3.1-8b'],
    ['mistrall 7b', 'mistral-7b-v0.3'],
  ] as const) {
    await search(page, text);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(JSON.parse(await request(page)).model.preset, text).toBe(id);
  }
});

test('of several devices of a name the common one is taken', async ({ page, open }) => {
  await open();
  const device = page.getByRole('combobox', { name: 'Device' });
  for (const [text, id] of [
    ['H100', 'h100-sxm-80gb'],
    ['h100 nvl', 'h100-nvl-94gb'],
    ['NVIDIA GeForce RTX 3060', 'rtx-3060-12gb'],
  ] as const) {
    await device.fill(text);
    await expect(option(page).first()).not.toHaveText('Loading the list…');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(JSON.parse(await request(page)).device.preset, text).toBe(id);
  }
});

test('a repository of which there is no preset is offered to be fetched', async ({ page, open }) => {
  await open();
  expect(await search(page, 'https://huggingface.co/someone/model/tree/main')).toEqual(['Fetch someone/model from huggingface.co']);
  expect(await search(page, 'modelscope:someone/model')).toEqual(['Fetch someone/model from modelscope.cn']);
  expect(await search(page, 'ollama:qwen3:8b')).toEqual([expect.stringContaining('Qwen3 8B'), 'Fetch qwen3:8b from registry.ollama.ai']);
  expect(await search(page, 'Qwen/Qwen3-8B')).toEqual([expect.stringContaining('Qwen3 8B')]);
});

test('is fetched when it is first opened, and says that it is on its way', async ({ page, open }) => {
  const asked: string[] = [];
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((done) => (arrive = done));
  await page.route(/\/models(-all)?\.json$/, async (route) => {
    asked.push(new URL(route.request().url()).pathname.split('/').pop()!);
    await arrived;
    await route.continue();
  });
  await open();
  await expect(combobox(page)).toHaveValue('Llama 3 8B');
  expect(asked).not.toContain('models.json');
  await combobox(page).fill('mixtral 8x7b');
  await expect(option(page)).toHaveText('Loading the list…');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listbox')).toBeVisible();
  await expect.poll(() => asked).toContain('models.json');
  arrive();
  await expect(combobox(page)).toHaveValue('Mixtral 8x7B'); // what Enter asked for, once it is here
  await settled(page);
  expect(JSON.parse(await request(page)).model.preset).toBe('mixtral-8x7b');
});

test('the marked entry is in sight, below the name of its family', async ({ page, open }) => {
  await open();
  await combobox(page).click();
  await expect(page.locator('[role="option"].active')).toContainText('Llama 3 8B');
  await search(page, '30b'); // the list stood scrolled to the chosen model, far below
  const group = page.getByRole('listbox').getByRole('group').first();
  const [name, marked] = [await group.locator('.group').boundingBox(), await group.getByRole('option').first().boundingBox()];
  expect(marked!.y).toBeGreaterThanOrEqual(name!.y + name!.height - 1);
});

test('in Chinese too', async ({ page, open }) => {
  await open('lang=zh-CN');
  await page.locator('#model-preset').fill('deepseek-v3.2');
  await expect(option(page).first()).toContainText('激活 384亿 · 上下文 128K');
});
