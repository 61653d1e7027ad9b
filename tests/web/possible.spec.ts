// Under the verdict: what else fits, and the ways out of what does not. The figures are those of the command line's search.

import { commandLineSolve, expect, type Page, request, settled, test, violations } from './kit.ts';

const offered = (page: Page, id: string) => page.locator(`plimsoll-possible li[data-possible="${id}"]`);

async function valueOf(page: Page, id: string): Promise<string | null> {
  await expect(offered(page, id)).toBeVisible();
  return offered(page, id).getAttribute('data-value');
}

for (const [runtime, id] of [
  ['transformers', 'inference.context'],
  ['vllm', 'inference.sequences'],
  ['llama.cpp', 'inference.context'],
] as const) {
  test(`of ${runtime}: ${id} is what the command line finds`, async ({ page, open }) => {
    await open(`model=qwen3-14b&device=h100-sxm-80gb&runtime=${runtime}&context=2048`);
    const found = commandLineSolve(await request(page), id);
    expect(await valueOf(page, id)).toBe(String(found.value));
  });
}

test('a click takes it, and then it is the last that fits', async ({ page, open }) => {
  await open('model=qwen3-14b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q4_k_m&context=2048');
  await expect(offered(page, 'inference.sequences')).toBeVisible();
  const value = await offered(page, 'inference.sequences').getAttribute('data-value');
  await offered(page, 'inference.sequences').getByRole('button').click();
  await settled(page);
  expect(JSON.parse(await request(page)).inference.sequences).toBe(Number(value));
  await expect(page.locator('.verdict .badge')).toHaveText(/Fits|Tight/);
  await expect(offered(page, 'inference.sequences')).toHaveCount(0);
});

test('what is too large gets ways out, each of which fits', async ({ page, open }) => {
  await open('model=qwen3-32b&device=rtx-4090&runtime=llama.cpp');
  await expect(page.locator('plimsoll-possible h2')).toHaveText('What would fit');
  for (const id of ['weights.encoding', 'devices', 'device.preset']) await expect(offered(page, id)).toBeVisible();
  await offered(page, 'weights.encoding').getByRole('button').click();
  await expect(page.locator('.verdict .badge')).toHaveText(/Fits|Tight/);
});

test('the largest batch of a training', async ({ page, open }) => {
  await open('task=training&model=llama-3.1-8b&device=h100-sxm-80gb&method=qlora&recompute=full');
  const found = commandLineSolve(await request(page), 'training.micro_batch');
  expect(await valueOf(page, 'training.micro_batch')).toBe(String(found.value));
});

for (const width of [390, 1280]) {
  test(`at ${width} pixels, nothing moves when they come`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 900 });
    // each frame of the first answers: the card is as high as it will be
    await page.addInitScript(() => {
      const heights: number[] = ((window as unknown as { heights: number[] }).heights = []);
      const watch = (): void => {
        const card = document.querySelector('plimsoll-app')?.shadowRoot?.querySelector('plimsoll-calculator')?.shadowRoot?.querySelector('.summary');
        const parts = [...(card?.querySelectorAll('.brief, .picture') ?? [])];
        if (card?.hasAttribute('data-total')) heights.push(parts.reduce((sum, one) => sum + Math.round(one.getBoundingClientRect().height), 0));
        requestAnimationFrame(watch);
      };
      watch();
    });
    await open('model=qwen3-14b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q4_k_m&context=2048');
    await expect(offered(page, 'weights.encoding')).toBeAttached();
    await settled(page);
    const heights = await page.evaluate(() => (window as unknown as { heights: number[] }).heights);
    expect(heights.length).toBeGreaterThan(1);
    expect(new Set(heights.map(Math.round)).size).toBe(1);
  });
}

test('in Chinese, and for those who do not see it', async ({ page, open }) => {
  await open('model=llama-3.1-8b&device=rtx-4090&lang=zh-CN');
  await expect(offered(page, 'inference.context')).toContainText('上下文最长');
  expect(await violations(page)).toEqual([]);
});

test('where no single change is enough, the way leads to several', async ({ page, open }) => {
  await open('model=llama-3.1-405b&device=rtx-4090&runtime=vllm');
  await expect(page.locator('plimsoll-possible h2')).toHaveText('No single change is enough');
  await page.locator('plimsoll-possible button').click();
  await expect(page.locator('[role="tab"][data-fold="ways"]')).toHaveAttribute('aria-selected', 'true');
});
