// How the weights are stored: the picture of a block, its arithmetic, what stays wide, and the sources.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EncodingPreset } from '../../web/src/engine/wire';
import { calculator, commandLine, expect, type Locator, type Page, request, settled, test, violations } from './kit.ts';

const folder = join(__dirname, '..', '..', 'presets', 'encodings');
const presets = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as EncodingPreset);

const panel = (page: Page): Locator => page.locator('.storage');

async function show(page: Page, open: (hash: string) => Promise<void>, hash: string): Promise<void> {
  await page.goto('about:blank');
  await open(hash);
  await page.getByRole('button', { name: /How they are stored|存储方式/ }).click();
  await expect(panel(page).getByRole('heading', { level: 3 })).toBeVisible();
}

const cells = (page: Page): Promise<number[]> =>
  panel(page)
    .locator('.strip-of-cells')
    .evaluateAll((strips) => strips.map((strip) => strip.querySelectorAll('rect').length));

test('is closed until it is asked for, then in sight', async ({ page, open }) => {
  await open('model=llama-3-8b&weights=gguf-q4_k_m');
  await expect(panel(page).locator('figure')).toHaveCount(0);
  await page.getByRole('button', { name: 'How they are stored' }).click();
  const tab = page.getByRole('tab', { name: 'How the weights are stored: GGUF Q4_K_M' });
  await expect(tab).toBeInViewport();
  await expect(tab).toBeFocused();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
});

test('a superblock of Q4_K: eight scales and minimums, and scales of these', async ({ page, open }) => {
  await show(page, open, 'model=llama-3-8b&weights=gguf-q4_k_m');
  await expect(panel(page)).toContainText('Most tensors are GGUF Q4_K. One block: 256 values in 144 bytes.');
  expect(await cells(page)).toEqual([64, 8, 8, 1, 1]);
  await expect(panel(page)).toContainText('each mark is 4');
  await expect(panel(page)).toContainText('one for 32 values');
  await expect(panel(page).locator('.sum')).toHaveText('(256 × 4 + 8 × 6 + 8 × 6 + 16 + 16) ÷ 256 = 4.5 bits per value');
});

test('groups, zero points, scales of scales and what a matrix has besides', async ({ page, open }) => {
  await show(page, open, 'model=llama-3-8b&weights=gptq-4bit-128g');
  await expect(panel(page).locator('.sum')).toHaveText('(128 × 4 + 16 + 4) ÷ 128 = 4.15625 bits per value');
  await expect(panel(page).locator('.parts li')).toContainText([
    'Values',
    'Scale of the whole block',
    'Zero point of the whole block',
    'And for each input of a matrix',
  ]);
  await show(page, open, 'model=llama-3-8b&weights=nf4-dq');
  await expect(panel(page).locator('.sum')).toContainText('(16,384 × 4 + 256 × 8 + 32) ÷ 16,384 =');
  await show(page, open, 'model=llama-3-8b&weights=exl2-4.65bpw');
  await expect(panel(page).locator('.average')).toContainText('4.65 bits per value on average');
});

test('a plain float shows its bits one by one', async ({ page, open }) => {
  await show(page, open, 'model=llama-3-8b');
  await expect(panel(page)).toHaveAttribute('data-encoding', 'bf16');
  await expect(panel(page).locator('.proportions rect')).toHaveCount(16);
  await expect(panel(page).locator('.sum')).toHaveText('1 + 8 + 7 = 16 bits per value');
  await expect(panel(page)).toContainText('every weight is stored this way');
});

test("a block's bits are those of its preset, for every encoding of weights", async ({ page, open }) => {
  await show(page, open, 'model=mixtral-8x7b&weights=bf16');
  for (const { id, base, bits: own, group, scale_group: outer, sources } of presets.filter(({ uses }) => uses.includes('weights'))) {
    await calculator(page).evaluate((element, id) => {
      const holder = element as unknown as { state: { values: Record<string, unknown> } };
      holder.state = { ...holder.state, values: { ...holder.state.values, 'weights.encoding': id } };
    }, id);
    await expect(panel(page)).toHaveAttribute('data-encoding', id);
    await settled(page);
    const shared = group ? (group.scale_bits + (group.zero_bits ?? 0) + (outer ? outer.scale_bits / outer.elements : 0)) / group.elements : 0;
    const bits = presets.find((one) => one.id === base)?.bits ?? own; // the type of most tensors
    const sum = panel(page).locator('.sum');
    if ((await panel(page).locator('.average').count()) === 0)
      expect(Number(await sum.getAttribute('data-bits')), id).toBeCloseTo(bits + shared / (group?.columns ?? 1), 9);
    for (const { title } of Object.values(sources)) await expect(panel(page).locator('.sources'), id).toContainText(title);
  }
});

test('the table is the reply: types, tensors and bytes, in all the weights', async ({ page, open }) => {
  for (const weights of ['gguf-q4_k_m', 'nf4', 'awq-4bit-128g']) {
    await show(page, open, `model=llama-3-8b&weights=${weights}`);
    const reply = commandLine(await request(page));
    if ('error' in reply) throw new Error('refused');
    const types = Object.entries(reply.model!.tensor_types!).sort(([, a], [, b]) => b.bytes - a.bytes);
    const size = (bytes: number) => (bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(2)}\u00a0GiB` : new RegExp('[\\d.]+\u00a0[MK]iB'));
    const rows = panel(page).locator('tbody tr');
    for (const [at, [id, { tensors, bytes }]] of types.entries()) {
      const { name } = presets.find((one) => one.id === id)!;
      await expect(rows.nth(at).locator('th')).toHaveText(name);
      await expect(rows.nth(at).locator('td').first()).toHaveText(String(tensors));
      await expect(rows.nth(at).locator('td').nth(1)).toHaveText(size(bytes));
    }
    const all = reply.rows!.find(({ id }) => id === 'weights')!;
    const scales = all.rows?.find(({ id }) => id === 'scales');
    await expect(rows).toHaveCount(types.length + (scales ? 1 : 0) + 1);
    expect(types.reduce((sum, [, { bytes }]) => sum + bytes, scales?.bytes ?? 0)).toBe(all.bytes);
    await expect(rows.last().locator('td').nth(1)).toHaveText(size(all.bytes));
  }
});

test('of llama.cpp, device and host have a table each, and each adds up to the whole', async ({ page, open }) => {
  await show(page, open, 'model=llama-3-8b&weights=gguf-q4_k_m&runtime=llama.cpp');
  const tables = panel(page).locator('table');
  await expect(tables).toHaveCount(2);
  for (const table of await tables.all()) {
    const shares = await table.locator('tbody tr td:last-child').allTextContents();
    const each = shares.map((text) => Number.parseFloat(text));
    expect(each.at(-1)).toBe(100);
    expect(Math.abs(each.slice(0, -1).reduce((sum, one) => sum + one, 0) - 100)).toBeLessThan(0.5);
  }
});

test('towers that llama.cpp keeps apart are said, in both languages', async ({ page, open }) => {
  await open('model=llava-1.5-7b&weights=gguf-q4_0');
  await expect(page.locator('.notes')).toContainText('mmproj');
  await page.getByLabel('Language').selectOption('zh-CN');
  await expect(page.locator('.notes')).toContainText('未计入');
});

for (const [theme, width, language] of [
  ['light', 320, 'en'],
  ['dark', 390, 'zh-CN'],
  ['dark', 1280, 'en'],
] as const)
  test(`axe finds nothing and nothing is cut: ${theme}, ${width} px, ${language}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const weights of ['gguf-q5_k_m', 'nf4-dq', 'fp8-block-128']) {
      await show(page, open, `theme=${theme}&lang=${language}&model=mixtral-8x7b&weights=${weights}`);
      const cut = await panel(page).evaluate((one) =>
        [...one.querySelectorAll('*')].filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5).map(({ tagName }) => tagName),
      );
      expect(cut).toEqual([]);
    }
    expect(await violations(page)).toEqual([]);
  });
