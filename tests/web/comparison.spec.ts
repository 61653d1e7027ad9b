// Configurations side by side: what the page lines up is what the command line's compare does.

import { expect, type Page, printed, request, settled, test, violations } from './kit.ts';

const pin = (page: Page) => page.locator('[data-tool="pin"]').click();
const view = (page: Page) => page.locator('plimsoll-comparison');
const complete = (page: Page) => expect(view(page).locator('[data-complete="true"]')).toHaveCount(1);
const compared = (page: Page, id: string) => view(page).locator(`tr[data-compared-row="${id}"]`);

interface Lined {
  rows: { id: string; bytes: number[]; differs: { symbol: string; values: number[] }[] }[];
  process: number[];
}

/** Two requests lined up by the command line. */
const lined = (requests: readonly string[]): Lined => printed('compare', ...requests.map((text) => JSON.parse(text) as object)) as Lined;

test('pinned, then changed: rows by id, differences, and the symbols that make them', async ({ page, open }) => {
  await open('model=llama-3.1-8b&device=rtx-4090&context=8192');
  const first = await request(page);
  await pin(page);
  await page.getByRole('combobox', { name: 'Model' }).click();
  await page.getByRole('combobox', { name: 'Model' }).fill('qwen3 14b');
  await page.keyboard.press('Enter');
  await settled(page);
  await complete(page);
  const { rows, process } = lined([first, await request(page)]);
  const cache = rows.find(({ id }) => id === 'kv_cache.keys')!;
  await expect(compared(page, 'kv_cache.keys').locator('td[data-bytes]')).toHaveCount(2);
  for (const [at, bytes] of cache.bytes.entries())
    await expect(compared(page, 'kv_cache.keys').locator('td').nth(at)).toHaveAttribute('data-bytes', String(bytes));
  const [reason] = cache.differs;
  await expect(compared(page, 'kv_cache.keys').locator(`[data-symbol="${reason!.symbol}"]`)).toContainText(reason!.values.join(' → '));
  for (const [at, bytes] of process.entries()) await expect(view(page).locator('tfoot td').nth(at)).toHaveAttribute('data-bytes', String(bytes));
  const shown = await view(page)
    .locator('tr[data-compared-row]')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['comparedRow']));
  expect(shown).toEqual(rows.filter(({ bytes }) => bytes[0] !== bytes[1]).map(({ id }) => id));
  await expect(view(page).locator('[data-setting="model.preset"]')).toContainText('Llama 3.1 8B → Qwen3 14B');
});

test('bars stand at one scale', async ({ page, open }) => {
  await open('model=llama-3.1-8b&device=rtx-4090');
  await pin(page);
  await page.locator('#inference-context').fill('65536');
  await settled(page);
  await complete(page);
  const widths = await view(page)
    .locator('svg.bar')
    .evaluateAll((bars) =>
      bars.map((bar) => [...bar.querySelectorAll('.part')].reduce((sum, part) => sum + parseFloat(part.getAttribute('width')!), 0)),
    );
  const totals = await view(page)
    .locator('[data-compared]')
    .evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset['total'])));
  expect(widths[1]! / widths[0]!).toBeCloseTo(totals[1]! / totals[0]!, 1);
});

test('the link carries all of them, with their names', async ({ page, open, site }) => {
  await open('model=llama-3.1-8b&device=rtx-4090');
  await pin(page);
  await page.getByRole('textbox', { name: /Name of/ }).fill('as it was');
  await page.keyboard.press('Tab');
  await page.locator('#inference-runtime').selectOption('vllm');
  await settled(page);
  await expect(page).toHaveURL(/pin=/);
  await expect(page).toHaveURL(/runtime=vllm/);
  const url = page.url();
  await page.goto('about:blank');
  await page.goto(url.replace(/^[^#]*/, `${site}/`));
  await settled(page);
  await complete(page);
  await expect(view(page).locator('[data-compared]')).toHaveCount(2);
  await expect(page.getByRole('textbox', { name: 'Name of as it was' })).toHaveValue('as it was');
  await expect(view(page).locator('[data-setting="inference.runtime"]')).toContainText('vLLM');
});

test('four at most; one is opened, one removed', async ({ page, open }) => {
  await open('model=llama-3.1-8b&device=rtx-4090&context=1024');
  for (const context of ['2048', '4096', '8192']) {
    await pin(page);
    await page.locator('#inference-context').fill(context);
    await settled(page);
  }
  await expect(page.locator('[data-tool="pin"]')).toBeDisabled();
  await complete(page);
  await expect(view(page).locator('[data-compared]')).toHaveCount(4);
  await page.getByRole('button', { name: 'Puts Pinned 1 into the form' }).click();
  await settled(page);
  expect(JSON.parse(await request(page)).inference.context).toBe(1024);
  await page.getByRole('button', { name: 'Removes Pinned 2 from the comparison' }).click();
  await complete(page);
  await expect(view(page).locator('[data-compared]')).toHaveCount(3);
  await expect(page.locator('[data-tool="pin"]')).toBeEnabled();
  for (const number of [1, 1]) await page.getByRole('button', { name: `Removes Pinned ${number} from the comparison` }).click();
  await expect(view(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/pin=/);
});

test('what one assumed and another did not is told; what is refused says why', async ({ page, open }) => {
  await open('model=llama-3.1-8b&device=h100-sxm-80gb&runtime=transformers');
  await pin(page);
  await page.locator('#inference-runtime').selectOption('vllm');
  await settled(page);
  await complete(page);
  await expect(view(page).locator('[data-assumed="inference.memory_fraction"]')).toContainText('– → 0.92');
  await page.locator('#devices').fill('3');
  await expect(page.locator('#parallel-tensor')).toHaveAttribute('aria-invalid', 'true');
  await complete(page);
  await expect(view(page).locator('.error')).not.toBeEmpty();
});

for (const [width, language, theme] of [
  [360, 'en', 'light'],
  [768, 'zh-CN', 'dark'],
  [1440, 'en', 'dark'],
] as const)
  test(`nothing overflows, and axe finds nothing: ${width} px, ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(`model=llama-3.1-8b&device=rtx-4090&lang=${language}&theme=${theme}`);
    await pin(page);
    await page.locator('#inference-context').fill('32768');
    await settled(page);
    await complete(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
  });
