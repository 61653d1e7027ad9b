// Devices of several kinds, keys and values kept apart, and a draft model in the command.

import { bytesOf, commandLine, expect, option, type Page, request, rowBytes, settled, test, total, violations } from './kit.ts';

const pickers = (page: Page) => page.locator('.device-list plimsoll-combobox');

async function command(page: Page): Promise<string> {
  await page.locator('[data-fold="launch"]').click();
  await expect(page.locator('plimsoll-launch pre').first()).toBeVisible();
  return page.locator('plimsoll-launch pre').first().innerText();
}

test('a list of unequal devices: one picker each, added and removed, the fullest named', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-4090&runtime=llama.cpp');
  await page.getByText('Different devices', { exact: true }).click();
  await expect(pickers(page)).toHaveCount(2);
  await pickers(page).nth(1).getByRole('combobox').fill('rtx 3060 12');
  await option(page).first().click();
  await settled(page);
  expect(JSON.parse(await request(page)).device).toEqual([{ preset: 'rtx-4090' }, { preset: 'rtx-3060-12gb' }]);
  const reply = commandLine(await request(page));
  expect(await total(page)).toBe(bytesOf(reply));
  if ('error' in reply) throw new Error(reply.error.what);
  await expect(page.locator('.devices tbody tr')).toHaveCount(2);
  await expect(page.locator('.capacity')).toContainText(reply.devices!.find(({ device }) => device === reply.total.device)!.name!);
  await page.getByRole('button', { name: 'Add a device' }).click();
  await expect(pickers(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Remove: Device 0' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Add a device' })).toBeFocused();
  await settled(page);
  expect(JSON.parse(await request(page)).device).toEqual([{ preset: 'rtx-3060-12gb' }, { preset: 'rtx-3060-12gb' }]);
});

test('the list stands in the link, and goes with the runtime that has none', async ({ page, open }) => {
  await open('model=llama-3-8b&runtime=llama.cpp&device-list=rtx-4090%2Crtx-3060-12gb');
  await expect(pickers(page)).toHaveCount(2);
  await expect(page).toHaveURL(/device-list=rtx-4090%2Crtx-3060-12gb/);
  await page.getByRole('tab', { name: 'Training' }).click();
  await settled(page);
  expect(JSON.parse(await request(page)).device).toEqual({ preset: 'rtx-4090' });
  await page.getByRole('tab', { name: 'Inference' }).click();
  await page.locator('#inference-runtime').selectOption('vllm');
  await settled(page);
  await expect(pickers(page)).toHaveCount(0);
  expect(JSON.parse(await request(page)).device).toEqual({ preset: 'rtx-4090' });
});

for (const width of [360, 1280])
  test(`axe finds nothing in the list, and nothing is wider than ${width} pixels`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open('model=llama-3-8b&runtime=llama.cpp&device-list=rtx-4090%2Crtx-3060-12gb%2Ch100-sxm-80gb');
    await expect(pickers(page)).toHaveCount(3);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

test('keys and values of the cache have types of their own where the runtime has them', async ({ page, open }) => {
  await open('model=llama-3-8b&runtime=llama.cpp&context=8192&kv=gguf-q8_0');
  const alike = await rowBytes(page, 'kv_cache');
  await page.getByLabel('Values of the cache').selectOption('gguf-q4_0');
  await settled(page);
  expect(JSON.parse(await request(page)).inference.kv_encoding).toEqual({ k: 'gguf-q8_0', v: 'gguf-q4_0' });
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  // 34 bytes of a block of 32 become 18 for half of the cache.
  expect(await rowBytes(page, 'kv_cache')).toBe((alike * (34 + 18)) / (2 * 34));
  const text = await command(page);
  expect(text).toContain('--cache-type-k q8_0');
  expect(text).toContain('--cache-type-v q4_0');
  await page.locator('#inference-runtime').selectOption('ollama');
  await settled(page);
  await expect(page.getByLabel('Values of the cache')).toHaveCount(0);
  expect(JSON.parse(await request(page)).inference.kv_encoding).toBe('gguf-q8_0');
});

test('values alone: the keys keep the type of the runtime', async ({ page, open }) => {
  await open('model=llama-3-8b&runtime=llama.cpp&context=8192&kv-values=gguf-q8_0');
  expect(JSON.parse(await request(page)).inference.kv_encoding).toEqual({ v: 'gguf-q8_0' });
  expect(await rowBytes(page, 'kv_cache')).toBe(2 ** 30 / 2 + (2 ** 30 / 2) * (34 / 64));
  expect(await command(page)).not.toContain('--cache-type-k');
});

for (const [runtime, said] of [
  [
    'vllm',
    [
      '--speculative-config.method draft_model',
      '--speculative-config.model meta-llama/Llama-3.2-1B',
      '--speculative-config.num_speculative_tokens 5',
    ],
  ],
  [
    'sglang',
    [
      '--speculative-algorithm STANDALONE',
      '--speculative-draft-model-path meta-llama/Llama-3.2-1B',
      '--speculative-num-steps 5 --speculative-eagle-topk 1',
    ],
  ],
  ['llama.cpp', ['--spec-draft-model Llama-3.2-1B-BF16.gguf', '--spec-draft-n-max 5']],
] as const)
  test(`the command of ${runtime} names the draft model`, async ({ page, open }) => {
    await open(`model=llama-3.1-70b&device=h100-sxm-80gb&runtime=${runtime}&draft=model&draft-model=llama-3.2-1b&draft-tokens=5`);
    const lines = (await command(page)).replaceAll(/\s*\\\n\s*/g, ' ');
    await expect(page.locator('plimsoll-launch')).toContainText('Llama-3.2-1B');
    expect(lines).not.toContain('path/to');
    for (const line of said) expect(lines).toContain(line);
    expect(lines).not.toContain('--speculative-num-draft-tokens'); // SGLang takes it from the steps
  });

test('a draft model alone is enough: the command says how it drafts, and how many tokens were assumed', async ({ page, open }) => {
  await open('model=llama-3.1-70b&device=h100-sxm-80gb&runtime=vllm&draft-model=llama-3.2-1b');
  const text = await command(page);
  expect(text).toContain('--speculative-config.method draft_model');
  expect(text).toContain('--speculative-config.num_speculative_tokens 3');
  await page.locator('#inference-runtime').selectOption('llama.cpp');
  await expect(page.locator('plimsoll-launch pre').first()).toContainText('--spec-draft-n-max 3');
});

test('a draft model is quantised apart, and its file is named so', async ({ page, open }) => {
  await open('model=llama-3.1-70b&device=h100-sxm-80gb&runtime=llama.cpp&draft-model=llama-3.2-1b');
  const published = await rowBytes(page, 'draft');
  await page.getByLabel("Draft model's weights").selectOption('gguf-q4_k_m');
  await settled(page);
  expect(await rowBytes(page, 'draft')).toBeLessThan(0.6 * published);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  expect(await command(page)).toContain('--spec-draft-model Llama-3.2-1B-Q4_K_M.gguf');
});
