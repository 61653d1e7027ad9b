// Tables of what fits: what stands in a cell is what the command line answers to the same request, and a click takes it.

import type { Row } from '../../web/src/answers/fits.mjs';
import { calculator, expect, type Page, printed, request, settled, test, violations } from './kit.ts';

const tables = (page: Page) => page.locator('plimsoll-fits');
const place = (page: Page, key: string) => tables(page).locator(`[data-place="${key}"]`);
const complete = (page: Page) => expect(tables(page).locator('[data-complete="true"]')).toHaveCount(1, { timeout: 90_000 });

async function show(page: Page, open: (hash: string) => Promise<void>, hash: string, kind?: string): Promise<void> {
  await open(hash);
  await page.locator('[data-fold="fits"]').click();
  if (kind) await tables(page).getByText(kind, { exact: true }).click();
}

/** What the command line's fit answers to a request, without what is left open. */
function fit(question: string, without: string[]): Row[] {
  const asked = JSON.parse(question) as Record<string, unknown>;
  for (const name of without) delete asked[name];
  return (printed('fit', asked) as { rows: Row[] }).rows;
}

test('encodings against contexts: each cell is what the command line says, and a click takes it', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-14b&device=rtx-4090&runtime=llama.cpp&context=8192');
  await complete(page);
  const rows = fit(await request(page), []);
  expect(rows.length).toBeGreaterThan(20);
  for (const { encoding, context, verdict, bytes } of rows) {
    const cell = place(page, `${encoding} ${context}`);
    await expect(cell).toHaveAttribute('data-verdict', verdict);
    await expect(cell).toHaveAttribute('data-bytes', String(bytes));
  }
  await place(page, 'gguf-q5_k_m 32768').getByRole('button').click();
  await settled(page);
  expect(JSON.parse(await request(page))).toMatchObject({ weights: { encoding: 'gguf-q5_k_m' }, inference: { context: 32768 } });
  await page.keyboard.press('ControlOrMeta+z');
  await settled(page);
  expect(JSON.parse(await request(page))).not.toHaveProperty('weights');
});

test('devices for a model: those that its runtime runs on, as the command line says', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-32b&runtime=vllm&context=4096', 'This model: devices');
  await complete(page);
  const rows = fit(await request(page), ['device']);
  const cells = tables(page).locator('td[data-place]');
  await expect(cells).toHaveCount(rows.length);
  const shown = await cells.evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset['bytes'])));
  expect(shown.toSorted()).toEqual(rows.map(({ bytes }) => bytes).toSorted());
  await tables(page).getByLabel('Only what fits').check();
  await expect(cells).toHaveCount(rows.filter(({ verdict }) => ['fits', 'tight'].includes(verdict)).length);
  await tables(page).locator('select[name="fits-maker"]').selectOption('amd');
  const names = await tables(page).locator('tbody th').allInnerTexts();
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) expect(name).toMatch(/Radeon|Instinct|MI\d|Ryzen|AMD/);
});

test('sorted by what it needs, the least first, then the most', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-8b&context=4096', 'This model: devices');
  await complete(page);
  const memory = tables(page).locator('[data-sort="memory"]');
  const values = () =>
    tables(page)
      .locator('tbody tr td:nth-child(2)')
      .evaluateAll((all) => all.map((one) => parseFloat(one.textContent!.replaceAll(',', ''))));
  await memory.click();
  await expect(tables(page).locator('th[aria-sort="ascending"]')).toHaveText(/Memory/);
  expect(await values()).toEqual((await values()).toSorted((a, b) => a - b));
  await memory.click();
  expect(await values()).toEqual((await values()).toSorted((a, b) => b - a));
});

test('models on a device come while the form is used: typing is never held up', async ({ page, open }) => {
  await show(page, open, 'model=llama-3-8b&device=rtx-4090&runtime=llama.cpp&context=4096', 'This device: models');
  await expect(tables(page).locator('td[data-place]').first()).toBeVisible();
  const frames = await page.evaluate(async () => {
    const gaps: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 60; frame++) {
      await new Promise((done) => requestAnimationFrame(done));
      gaps.push(performance.now() - last);
      last = performance.now();
    }
    return gaps.toSorted((a, b) => a - b);
  });
  const filled = Number(await tables(page).locator('[data-filled]').getAttribute('data-filled'));
  expect(filled).toBeGreaterThan(0);
  // no figure of time is held here; that frames came at all while the table fills is
  expect(frames.length).toBe(60);
  // those in sight came first
  const seen = await tables(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.slice(0, 5).map((row) => row.querySelector('td.verdict, td.empty')!.textContent!.trim() !== '·'));
  expect(seen).toEqual([true, true, true, true, true]);
  const model = await tables(page).locator('td[data-place]').first().getAttribute('data-place');
  await tables(page).locator('td[data-place] button').first().click();
  await settled(page);
  expect(JSON.parse(await request(page)).model).toEqual({ preset: model });
});

test('another runtime is asked within the table alone, until a cell is taken', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-8b&device=rtx-4090&context=4096');
  await tables(page).locator('select[name="fits-runtime"]').selectOption('llama.cpp');
  await complete(page);
  expect(JSON.parse(await request(page)).inference).not.toHaveProperty('runtime');
  await place(page, 'gguf-q4_k_m 4096').getByRole('button').click();
  await settled(page);
  expect(JSON.parse(await request(page)).inference.runtime).toBe('llama.cpp');
});

test('with the keyboard: one stop for Tab, arrows from cell to cell, Enter takes one', async ({ page, open }) => {
  await show(page, open, 'model=qwen3-8b&device=rtx-4090&runtime=llama.cpp&context=4096');
  await complete(page);
  await expect(tables(page).locator('td button[tabindex="0"]')).toHaveCount(1);
  const cells = tables(page).locator('tbody tr').nth(1).locator('td');
  await tables(page).locator('tbody tr').first().locator('td button').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(cells.nth(1).getByRole('button')).toBeFocused();
  const [encoding, context] = (await cells.nth(1).getAttribute('data-place'))!.split(' ');
  await page.keyboard.press('Enter');
  await settled(page);
  expect(JSON.parse(await request(page))).toMatchObject({ weights: { encoding }, inference: { context: Number(context) } });
});

test('a training is asked of devices and models', async ({ page, open }) => {
  await show(page, open, 'task=training&model=llama-3.1-8b&device=rtx-4090&method=qlora');
  await expect(tables(page).getByText('This model: precisions and contexts')).toHaveCount(0);
  await complete(page);
  await expect(place(page, 'h100-sxm-80gb')).toHaveAttribute('data-verdict', 'fits');
});

for (const [width, language, theme] of [
  [360, 'zh-CN', 'dark'],
  [1440, 'en', 'light'],
] as const)
  test(`read without colour, and without sight: ${width} px, ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 900 });
    await show(page, open, `model=qwen3-8b&device=rtx-4090&runtime=vllm&lang=${language}&theme=${theme}`);
    await complete(page);
    const cell = tables(page).locator('td[data-verdict="too large"], td[data-verdict="fits"]').first();
    await expect(cell).toHaveText(/^\s*[✓✗]/);
    await expect(cell.getByRole('button')).toHaveAttribute('aria-label', /(Fits|Too large|放得下|放不下)/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    await expect(calculator(page)).toBeVisible();
  });
