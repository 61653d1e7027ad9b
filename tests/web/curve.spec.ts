// The chart of memory: drawn when it is opened, its numbers those of the engine's own sweep, and never in the way.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { commandLineSweep, expect, type Page, request, settled, test, violations } from './kit.ts';
import { dist } from './server.ts';

const open_ = (page: Page) => page.locator('[data-fold="curve"]').click();

async function drawn(page: Page): Promise<void> {
  await expect(page.locator('plimsoll-stack canvas')).toBeVisible();
}

interface Curve extends HTMLElement {
  swept: { field: string; values: number[]; rows: Record<string, number[]> };
}

const swept = (page: Page) => page.locator('plimsoll-curve').evaluate((one) => (one as Curve).swept);

for (const runtime of ['transformers', 'llama.cpp', 'vllm']) {
  test(`of ${runtime}: the same numbers as the command line's sweep`, async ({ page, open }) => {
    await open(`model=llama-3-8b&runtime=${runtime}`);
    await open_(page);
    await drawn(page);
    const { field, values, rows } = await swept(page);
    expect(field).toBe('inference.context');
    expect(values.length).toBeGreaterThan(80);
    expect(values.at(-1)).toBe(8192);
    const theirs = commandLineSweep(await request(page), field, values);
    for (const [id, bytes] of Object.entries(theirs.rows)) expect(rows[id], id).toEqual(bytes);
  });
}

test('stands in a table too, and over the sequences', async ({ page, open }) => {
  await open('model=llama-3-8b&context=4096');
  await open_(page);
  await drawn(page);
  await page.locator('plimsoll-curve').getByText('Sequences', { exact: true }).click();
  await expect.poll(async () => (await swept(page)).field).toBe('inference.sequences');
  await page.locator('plimsoll-curve summary').click();
  const { values, rows } = await swept(page);
  const line = page.locator('plimsoll-curve tbody tr').filter({ has: page.getByRole('rowheader', { name: '4', exact: true }) });
  const kv = rows['kv_cache']![values.indexOf(4)]!;
  await expect(line).toContainText(`${(kv / 2 ** 30).toFixed(2)} GiB`);
});

test('is read with the arrow keys', async ({ page, open }) => {
  await open('model=llama-3-8b&context=2048');
  await open_(page);
  await drawn(page);
  const slider = page.locator('plimsoll-stack').getByRole('slider');
  await expect(slider).toHaveAttribute('aria-valuetext', /^2,048: /);
  await slider.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', /^8,192: /);
  await slider.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /^256: /);
});

test('follows the form, and is asked for in portions, so that the page serves its user between them', async ({ page, open }) => {
  await open('model=llama-3-8b&runtime=llama.cpp');
  await open_(page);
  await drawn(page);
  const portions = await page.locator('plimsoll-calculator').evaluateHandle((element) => {
    const { engine } = (element as unknown as { asking: { engine: { sweep(question: string): unknown } } }).asking;
    const asked: number[] = [];
    const sweep = engine.sweep.bind(engine);
    engine.sweep = (question) => {
      asked.push((JSON.parse(question) as { over: [{ values: number[] }] }).over[0].values.length);
      return sweep(question);
    };
    return asked;
  });
  await page.locator('#inference-sequences').fill('3');
  await settled(page);
  await expect.poll(async () => (await swept(page)).rows['kv_cache']!.at(-1)).toBe(3 * 2 ** 30);
  const asked = await portions.jsonValue();
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.reduce((sum, one) => sum + one, 0)).toBe((await swept(page)).values.length);
});

test('without a network it is not there, and says so; opened again, it is', async ({ page, open, complaints }) => {
  await open('model=llama-3-8b');
  await page.route(/pieces-/, (route) => route.abort());
  await open_(page);
  const fold = page.locator('[data-panel="curve"]');
  await expect(fold).toContainText('could not be loaded');
  await page.unroute(/pieces-/);
  await open_(page);
  await open_(page);
  await drawn(page);
  complaints.splice(0); // the browser's own words on the file that did not come
});

test('is not fetched before it is asked for', async ({ page, open }) => {
  await open();
  expect(
    await page.evaluate(() => customElements.get('plimsoll-stack') === undefined || document.querySelector('plimsoll-app')!.hasAttribute('ready')),
  ).toBe(true);
});

const everything = 'model=llama-3.1-8b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q4_k_m&gpu-layers=20&devices=2';

async function unfoldAll(page: Page): Promise<void> {
  for (const name of ['rare', 'curve', 'launch', 'host']) {
    const fold = page.locator(`details:not([open])[data-fold="${name}"] > summary, [role="tab"][data-fold="${name}"]`);
    if (await fold.count()) await fold.click();
  }
  await drawn(page);
  await page.locator('plimsoll-curve summary').click();
}

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing in settings, chart, command and host: ${theme}`, async ({ page, open }) => {
    await open(`theme=${theme}&${everything}`);
    await unfoldAll(page);
    expect(await violations(page)).toEqual([]);
  });
}

for (const [width, language] of [
  [320, 'en'],
  [360, 'zh-CN'],
  [768, 'en'],
  [1280, 'en'],
] as const) {
  test(`nothing is wider than ${width} pixels, ${language}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(`lang=${language}&${everything}`);
    await unfoldAll(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

test('follows the theme', async ({ page, open }) => {
  await open('theme=light&model=llama-3-8b');
  await open_(page);
  await drawn(page);
  const painted = () => page.locator('plimsoll-stack canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
  const light = await painted();
  await page.getByLabel('Theme').selectOption('dark');
  await expect.poll(painted).not.toBe(light);
});

test('in one file from file://, under its strict policy, with nothing fetched', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (one) => asked.push(one.url()));
  const file = pathToFileURL(join(dist, 'plimsoll.html')).href;
  await page.goto(`${file}#${everything}`);
  await settled(page);
  await unfoldAll(page);
  await expect(page.locator('plimsoll-launch pre')).toContainText('llama-server');
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([file]);
});

test('over the length and the batch of a training, too', async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b');
  await open_(page);
  await drawn(page);
  expect((await swept(page)).field).toBe('training.sequence');
  await page.locator('plimsoll-curve').getByText('Micro-batch', { exact: true }).click();
  await expect.poll(async () => (await swept(page)).field).toBe('training.micro_batch');
});
