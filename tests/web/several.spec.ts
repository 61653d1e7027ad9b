// How many devices, beside the device, under every runtime that has several; and how they are joined, where there are.

import { bytesOf, calculator, commandLine, expect, type Page, request, settled, test, total } from './kit.ts';

const field = (page: Page, id: string) => page.locator(`[data-field="${id}"]`);

test('every runtime that has several devices is asked how many, without a fold', async ({ page, open }) => {
  await open('model=llama-3.1-8b&device=h100-sxm-80gb');
  const runtimes = await calculator(page).evaluate(
    (element) => (element as unknown as { tables: { runtimes: { id: string; options: Record<string, string[]> }[] } }).tables.runtimes,
  );
  const asked = [];
  for (const { id, options } of runtimes) {
    await page.locator('#inference-runtime').selectOption(id);
    await settled(page);
    const several = [...options['usual']!, ...options['rare']!].includes('devices');
    await expect(page.locator('.device-count [data-field="devices"]')).toHaveCount(several ? 1 : 0);
    if (!several) continue;
    asked.push(id);
    const one = await total(page);
    await page.locator('#devices').fill('2');
    await settled(page);
    const question = await request(page);
    expect(JSON.parse(question).devices).toBe(2);
    expect(await total(page), id).toBe(bytesOf(commandLine(question)));
    expect(await total(page), id).not.toBe(one);
    await page.locator('#devices').fill('');
    await settled(page);
  }
  for (const id of ['llama.cpp', 'ollama', 'lm-studio', 'vllm', 'sglang', 'tensorrt-llm']) expect(asked).toContain(id);
});

test('how they are joined stands beside their number, once there are several', async ({ page, open }) => {
  await open('model=llama-3.1-8b&device=h100-sxm-80gb&runtime=vllm');
  await expect(field(page, 'parallel.tensor')).toHaveCount(0);
  await page.locator('#devices').fill('4');
  await expect(field(page, 'parallel.tensor')).toBeVisible();
  await page.locator('#parallel-tensor').fill('2');
  await page.locator('#parallel-pipeline').fill('2');
  await settled(page);
  expect(JSON.parse(await request(page)).parallel).toEqual({ tensor: 2, pipeline: 2 });
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});

test('their number stands before the device, also in a training and where the device is told by its size', async ({ page, open }) => {
  for (const hash of ['model=llama-3.1-8b&device=h100-sxm-80gb&runtime=vllm', 'task=training&model=llama-3.1-8b&device=h100-sxm-80gb']) {
    await page.goto('about:blank');
    await open(hash);
    const [number, device] = await Promise.all([
      page.locator('.device-count input[inputmode="decimal"]').boundingBox(),
      page.locator('#device-preset').boundingBox(),
    ]);
    expect(number!.x + number!.width).toBeLessThanOrEqual(device!.x);
    expect(Math.abs(number!.y - device!.y)).toBeLessThanOrEqual(4);
    await page.locator('.device-count input[inputmode="decimal"]').fill('2');
    await settled(page);
    expect(JSON.parse(await request(page)).devices).toBe(2);
  }
  await page.getByText('By memory size', { exact: true }).click();
  await expect(page.locator('.device-count #device-memory_bytes')).toBeVisible();
});
