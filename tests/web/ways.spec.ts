// What would make it fit, and what the room that is left buys: each way fits, as the command line says, and a click takes it.

import { bytesOf, commandLine, expect, type Page, request, settled, test, violations } from './kit.ts';

const ways = (page: Page) => page.locator('plimsoll-ways');
const way = (page: Page, ids: string) => ways(page).locator(`li[data-way="${ids}"]`);

async function show(page: Page, open: (hash: string) => Promise<void>, hash: string): Promise<void> {
  await open(hash);
  await page.locator('[data-fold="ways"]').click();
  await expect(ways(page).locator('[data-complete="true"]')).toHaveCount(1, { timeout: 90_000 });
}

async function take(page: Page, ids: string): Promise<number> {
  const bytes = Number(await way(page, ids).first().getAttribute('data-bytes'));
  await way(page, ids).first().getByRole('button').click();
  await settled(page);
  return bytes;
}

for (const [hash, ids] of [
  ['model=qwen3-32b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q4_k_m&context=16384&sequences=2', 'inference.context'],
  ['model=qwen3-32b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q4_k_m&context=16384&sequences=2', 'inference.kv_encoding'],
  ['model=qwen3-30b-a3b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q6_k&context=32768', 'inference.offload.experts_on_cpu'],
  ['model=qwen3-32b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q6_k&context=8192', 'inference.offload.gpu_layers'],
  ['model=qwen3-32b&device=h100-sxm-80gb&runtime=vllm&context=40960&sequences=16', 'devices'],
  ['model=qwen3-32b&device=rtx-4090&runtime=transformers&context=8192', 'device.preset'],
] as const)
  test(`a way out of ${hash}: ${ids}`, async ({ page, open }) => {
    await show(page, open, hash);
    const bytes = await take(page, ids);
    const reply = commandLine(await request(page));
    expect(bytesOf(reply)).toBe(bytes);
    if ('error' in reply) throw new Error(reply.error.what);
    expect(['fits', 'tight']).toContain(reply.fit!.verdict);
    await page.keyboard.press('ControlOrMeta+z');
    await settled(page);
    await expect(page.locator('.verdict .badge')).toHaveText(/Too large|Waits|Does not start/);
  });

test('the least painful first, sets of two and three among them, each of which fits', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-32b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q8_0&context=32768');
  const all = await ways(page)
    .locator('li[data-way]')
    .evaluateAll((items) => items.map((one) => [(one as HTMLElement).dataset['way']!, Number((one as HTMLElement).dataset['pain'])] as const));
  const [first, ...others] = all.map(([, pain]) => pain);
  for (const pain of others) expect(pain).toBeGreaterThanOrEqual(first!);
  const sets = all.filter(([ids]) => ids.includes(' ')).map(([ids]) => ids);
  expect(sets.length).toBeGreaterThan(0);
  const bytes = await take(page, sets[0]!);
  expect(bytesOf(commandLine(await request(page)))).toBe(bytes);
});

test('what its reader would rather keep reorders them', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-32b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q8_0&context=8192');
  const best = () => ways(page).locator('li[data-way]').first().getAttribute('data-way');
  const before = await best();
  await ways(page).getByText('Priorities').click();
  const rather = ['Quality of the answers', 'Quality of the answers', 'Requested amount', 'Speed'];
  for (const name of rather)
    await ways(page)
      .getByRole('button', { name: `Move ${name} up` })
      .click();
  await expect(ways(page).locator('ol li')).toContainText(['Quality', 'Requested amount', 'Speed', 'Money']);
  await expect(ways(page).locator('[data-complete="true"]')).toHaveCount(1, { timeout: 90_000 });
  expect(await best()).not.toBe(before);
  await expect(ways(page).locator('.sources a').first()).toHaveAttribute('href', /^https:/);
});

test('another runtime is a way out, with encodings of its own', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-32b&device=rtx-4090&runtime=transformers&context=8192');
  await take(page, 'inference.runtime weights.encoding');
  await expect(page.locator('.verdict .badge')).toHaveText(/Fits|Tight/);
});

test('where it fits: what the room that is left buys', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-14b&device=h100-sxm-80gb&runtime=llama.cpp&weights=gguf-q4_k_m&context=8192&devices=2');
  for (const id of ['inference.sequences', 'weights.encoding', 'devices']) await expect(way(page, id)).toBeVisible();
  const bytes = await take(page, 'inference.sequences');
  expect(bytesOf(commandLine(await request(page)))).toBe(bytes);
});

test('a training: larger batches where it fits, more devices where it does not', async ({ page, open }) => {
  await show(page, open, 'task=training&model=llama-3.1-8b&device=h100-sxm-80gb&method=qlora&recompute=full');
  await take(page, 'training.micro_batch');
  await expect(page.locator('.verdict .badge')).toHaveText(/Fits|Tight/);
});

for (const [width, language, theme] of [
  [360, 'en', 'dark'],
  [768, 'zh-CN', 'light'],
] as const)
  test(`nothing overflows, and axe finds nothing: ${width} px, ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 900 });
    await show(page, open, `model=qwen3-32b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q6_k&lang=${language}&theme=${theme}`);
    await ways(page).locator('details').last().locator('summary').click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
  });
