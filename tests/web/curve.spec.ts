// The chart of memory: drawn when it is opened, its numbers those of the engine's own sweep, and never in the way.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, type Page, request, settled, test } from './kit';

const open_ = (page: Page) => page.locator('details[data-fold="curve"] > summary').click();

async function drawn(page: Page): Promise<void> {
  await expect(page.locator('plimsoll-stack canvas')).toBeVisible();
}

interface Curve extends HTMLElement {
  swept: { field: string; values: number[]; rows: Record<string, number[]> };
}

const swept = (page: Page) => page.locator('plimsoll-curve').evaluate((one) => (one as Curve).swept);

function commandLineSweep(question: string, field: string, values: number[]) {
  const program = join(__dirname, '..', '..', 'web', 'bin', 'plimsoll.mjs');
  const input = JSON.stringify({ request: JSON.parse(question), over: [{ field, values }] });
  return JSON.parse(execFileSync(process.execPath, [program, 'sweep', '--json', '-'], { input, encoding: 'utf8' })) as {
    rows: Record<string, number[]>;
  };
}

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

test('is not fetched before it is asked for', async ({ page, open }) => {
  await open();
  expect(
    await page.evaluate(() => customElements.get('plimsoll-stack') === undefined || document.querySelector('plimsoll-app')!.hasAttribute('ready')),
  ).toBe(true);
});
