// The user's own machine: its graphics card looked up on a click and offered, a whole machine, and other programs' memory.

import { commandLine, expect, type Page, request, settled, test, total, bytesOf, violations } from './kit.ts';

/** A browser that draws with such a card. */
async function drawingWith(page: Page, renderer: string, description = ''): Promise<void> {
  await page.addInitScript(
    ([webGl, webGpu]) => {
      const count = { asked: 0 };
      Object.assign(window, { lookUps: count });
      const info = { vendor: 'nvidia', architecture: '', device: '', description: webGpu };
      Object.defineProperty(navigator, 'gpu', { value: { requestAdapter: async () => (count.asked++, { info }) }, configurable: true });
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...more: unknown[]) {
        if (kind !== 'webgl') return original.call(this, kind as '2d', ...(more as [])) as never;
        count.asked++;
        return { getExtension: () => ({ UNMASKED_RENDERER_WEBGL: 1 }), getParameter: () => webGl } as never;
      } as typeof original;
    },
    [renderer, description] as const,
  );
}

const asked = (page: Page) => page.evaluate(() => (window as unknown as { lookUps: { asked: number } }).lookUps.asked);
const unfold = (page: Page) => page.locator('details[data-fold="own-device"] > summary').click();
const device = async (page: Page) => JSON.parse(await request(page)).device;

test('a graphics card is looked up on a click, offered, and taken by another', async ({ page, open }) => {
  await drawingWith(page, 'ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x00002503) Direct3D11 vs_5_0 ps_5_0, D3D11)');
  await open('model=llama-3-8b');
  await unfold(page);
  await expect(page.getByRole('button', { name: 'Look up my graphics card' })).toBeVisible();
  expect(await asked(page), 'nothing before the click').toBe(0);
  const before = await request(page);
  await page.getByRole('button', { name: 'Look up my graphics card' }).click();
  await expect(page.locator('.own-card [role="status"]')).toContainText('NVIDIA GeForce RTX 3060');
  await expect(page.locator('.own-card .offer')).toHaveText([/RTX 3060 12GB, 12 GiB/, /RTX 3060 8GB, 8 GiB/]);
  expect(await request(page), 'never taken by itself').toBe(before);
  await page.getByRole('button', { name: 'RTX 3060 12GB, 12 GiB' }).click();
  await settled(page);
  expect(await device(page)).toEqual({ preset: 'rtx-3060-12gb' });
});

test('WebGPU alone is enough, and a card that no device is called is said', async ({ page, open }) => {
  await drawingWith(page, '', 'NVIDIA GeForce RTX 4090 Laptop GPU');
  await open('model=llama-3-8b');
  await unfold(page);
  await page.getByRole('button', { name: 'Look up my graphics card' }).click();
  await expect(page.locator('.own-card .offer')).toHaveText([/RTX 4090 Laptop/]);
});

test('a card that is not listed is named, and nothing is offered', async ({ page, open }) => {
  await drawingWith(page, 'Google SwiftShader');
  await open('model=llama-3-8b');
  await unfold(page);
  await page.getByRole('button', { name: 'Look up my graphics card' }).click();
  await expect(page.locator('.own-card [role="status"]')).toContainText('“Google SwiftShader”, and none of the listed devices');
  await expect(page.locator('.own-card .offer')).toHaveCount(0);
});

test('a whole machine sets the device and how many there are', async ({ page, open }) => {
  await open('model=llama-3.1-70b&runtime=vllm');
  await unfold(page);
  await page.getByLabel('A whole machine').selectOption({ label: 'HGX H100, DGX H100' });
  await settled(page);
  const said = JSON.parse(await request(page));
  expect(said.device).toEqual({ preset: 'h100-sxm-80gb' });
  expect(said.devices).toBe(8);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});

test('what other programs hold: usual values to pick, typed ones, and none; it stands in the link', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-4090');
  await unfold(page);
  await page.getByRole('button', { name: 'Desktop and browser' }).click();
  await settled(page);
  expect(await device(page)).toEqual({ preset: 'rtx-4090', used_by_others_bytes: 2 * 2 ** 30 });
  await expect(page).toHaveURL(/others=2147483648/);
  await expect(page.getByRole('button', { name: 'Desktop and browser' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByLabel('Used by other programs').fill('1.5');
  await settled(page);
  expect((await device(page)).used_by_others_bytes).toBe(1.5 * 2 ** 30);
  const reply = commandLine(await request(page));
  if ('error' in reply) throw new Error(reply.error.what);
  await page.getByRole('button', { name: 'None', exact: true }).click();
  await settled(page);
  expect(await device(page)).toEqual({ preset: 'rtx-4090' });
  const without = commandLine(await request(page));
  if ('error' in without) throw new Error(without.error.what);
  expect(without.fit!.free_bytes - reply.fit!.free_bytes).toBe(1.5 * 2 ** 30);
  await page.goto(`${page.url().split('#')[0]}#model=llama-3-8b&device=rtx-4090&others=1073741824`);
  await settled(page);
  await expect(page.getByLabel('Used by other programs')).toHaveValue('1');
});

for (const width of [360, 1280])
  test(`axe finds nothing in it, and nothing is wider than ${width} pixels`, async ({ page, open }) => {
    await drawingWith(page, 'ANGLE (Apple, ANGLE Metal Renderer: Apple M2 Max, Unspecified Version)');
    await page.setViewportSize({ width, height: 800 });
    await open('model=llama-3-8b&others=1073741824');
    await page.getByRole('button', { name: 'Look up my graphics card' }).click();
    await expect(page.locator('.own-card .offer')).toHaveCount(3);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
