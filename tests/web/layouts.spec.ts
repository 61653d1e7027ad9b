// Every way to spread a model over a cluster, searched in workers: what stands in the table is what the command line says, and a click
// takes it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan, PlanAnswer } from '../../web/src/engine/wire';
import { bytesOf, calculator, commandLine, expect, type Page, printed, request, settled, test, violations } from './kit.ts';

const layouts = (page: Page) => page.locator('plimsoll-layouts');
const rows = (page: Page) => layouts(page).locator('tr[data-layout]');
const complete = (page: Page) => expect(layouts(page).locator('[data-complete="true"]')).toHaveCount(1, { timeout: 90_000 });
const button = (page: Page, name: string) => layouts(page).locator(`button[data-layouts="${name}"]`);

const training = 'task=training&model=llama-3.1-8b&device=h100-sxm-80gb&method=full&precision=bf16-mixed&framework=megatron&sequence=8192';
const serving = 'model=qwen3-30b-a3b&device=h100-sxm-80gb&runtime=vllm&context=8192';

async function show(page: Page, open: (hash: string) => Promise<void>, hash: string): Promise<void> {
  await open(hash);
  await page.locator('[data-fold="layouts"]').click();
  await expect(button(page, 'search')).toBeVisible();
}

async function found(page: Page, open: (hash: string) => Promise<void>, hash: string): Promise<void> {
  await show(page, open, hash);
  await button(page, 'search').click();
  await complete(page);
}

/** The question that the page asked, as a file for the command line. */
const question = (page: Page): Promise<object> =>
  layouts(page).evaluate((element) => JSON.parse((element as HTMLElement & { asked: string }).asked) as object);

const figures = (page: Page): Promise<number[]> => rows(page).evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset['bytes'])));

for (const [task, hash] of [
  ['a training', training],
  ['a server', serving],
] as const)
  test(`${task}: counts and layouts are the command line's, and a row goes into the form`, async ({ page, open }) => {
    await found(page, open, hash);
    const said = printed('plan', await question(page)) as PlanAnswer;
    const counted = layouts(page).locator('.counted');
    for (const name of ['all', 'refused', 'bounded', 'estimated'] as const)
      await expect(counted).toHaveAttribute(`data-${name}`, String(said.counted[name]));
    const shown = await figures(page);
    for (const { process } of [...said.layouts, ...said.front]) expect(shown).toContain(process);
    expect(shown[0]).toBe(said.layouts[0]!.process);
    const row = rows(page).nth(1);
    const bytes = Number(await row.getAttribute('data-bytes'));
    await row.locator('td[data-column="bytes"]').click();
    await settled(page);
    expect(bytesOf(commandLine(await request(page)))).toBe(bytes);
    expect(JSON.parse(await request(page))).toHaveProperty('parallel');
    await page.keyboard.press('ControlOrMeta+z');
    await settled(page);
    expect(JSON.parse(await request(page)).parallel?.tensor).toBeUndefined();
  });

test('the shortest step has its seconds beside each layout, and asks how fast links are', async ({ page, open }) => {
  await show(page, open, training);
  await layouts(page).locator('[name="layouts-want"]').selectOption('shortest_step');
  await layouts(page).locator('[name="layouts-between"]').fill('25');
  await button(page, 'search').click();
  await complete(page);
  expect(await question(page)).toMatchObject({ want: 'shortest_step', cluster: { bandwidth_within: 450e9, bandwidth_between: 25e9 } });
  const said = printed('plan', await question(page)) as PlanAnswer;
  const seconds = said.layouts[0]!.step!.seconds!;
  expect((await figures(page))[0]).toBe(said.layouts[0]!.process);
  const shown = (await rows(page).first().locator('td[data-column="step"]').innerText()).split(/\s/)[0]!;
  expect(Number(shown) * (seconds < 1 ? 1e-3 : 1)).toBeCloseTo(seconds, seconds < 1 ? 2 : 1);
});

test('the link carries what was asked, and who opens it finds that asked', async ({ page, open }) => {
  await show(page, open, training);
  await layouts(page).locator('[name="layouts-nodes"]').fill('2');
  await layouts(page).locator('[name="layouts-batch"]').fill('');
  await layouts(page).locator('[name="layouts-want"]').selectOption('least_traffic');
  expect(page.url()).not.toContain('layouts=');
  await button(page, 'search').click();
  await complete(page);
  await expect.poll(() => page.url()).toContain('layouts=8x2.least_traffic..framework.450.50');
  const asked = await question(page);
  const hash = new URL(page.url()).hash.slice(1);
  await page.goto('about:blank');
  await open(hash);
  await expect(layouts(page).locator('[name="layouts-nodes"]')).toHaveValue('2');
  await expect(layouts(page).locator('[name="layouts-want"]')).toHaveValue('least_traffic');
  await button(page, 'search').click();
  await complete(page);
  expect(await question(page)).toEqual(asked);
});

test('over other kinds of devices as well: each layout says which, the link carries them, and a row takes its device into the form', async ({
  page,
  open,
}) => {
  await show(page, open, training);
  await layouts(page).locator('button.add').click();
  await layouts(page).locator('button.add').click();
  await layouts(page).locator('.others .remove').last().press('Enter');
  await expect(layouts(page).locator('button.add')).toBeFocused();
  const other = layouts(page).locator('.others li');
  await expect(other).toHaveCount(1);
  await other.locator('input[role="combobox"]').fill('h200 sxm');
  await other.locator('input[role="combobox"]').press('Enter');
  await other.locator('[name="layouts-perNode-0"]').fill('4');
  await layouts(page).locator('[name="layouts-want"]').selectOption('fits');
  await button(page, 'search').click();
  await complete(page);
  const asked = (await question(page)) as Plan;
  expect(asked.cluster).toMatchObject([{ devices_per_node: 8 }, { device: { preset: 'h200-sxm-141gb' }, devices_per_node: 4, nodes: 1 }]);
  const said = printed('plan', asked) as PlanAnswer;
  await expect(layouts(page).locator('.counted')).toHaveAttribute('data-all', String(said.counted.all));
  expect((await figures(page))[0]).toBe(said.layouts[0]!.process);
  await expect(rows(page).first().locator('td[data-column="on"]')).toHaveText('H200 SXM 141GB');
  expect(await violations(page)).toEqual([]);
  await expect.poll(() => page.url()).toContain('.4x1_h200-sxm-141gb');
  await rows(page).first().locator('td[data-column="bytes"]').click();
  await settled(page);
  expect(JSON.parse(await request(page))).toMatchObject({ device: { preset: 'h200-sxm-141gb' } });
  const hash = new URL(page.url()).hash.slice(1);
  await page.goto('about:blank');
  await open(hash);
  await expect(layouts(page).locator('.others [name="layouts-perNode-0"]')).toHaveValue('4');
});

test('a search is cancelled at once, its workers go, and the form is never held up', async ({ page, open }) => {
  await show(page, open, training.replace('&framework=megatron', ''));
  await layouts(page).locator('input[name="layouts-nodes"]').fill('32');
  await button(page, 'search').click();
  await expect(layouts(page).locator('progress')).toBeVisible();
  await expect.poll(() => page.workers().length).toBeGreaterThan(0);
  await page.locator('#training-sequence').fill('4096');
  await settled(page);
  expect(JSON.parse(await request(page))).toMatchObject({ training: { sequence: 4096 } });
  await button(page, 'cancel').click();
  await expect(layouts(page).locator('progress')).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(0);
});

test('by keyboard alone: search, sort, narrow with a slider, draw, take', async ({ page, open }) => {
  await show(page, open, training);
  await layouts(page).locator('input[name="layouts-batch"]').press('Enter');
  await complete(page);
  const sort = layouts(page).locator('[data-sort="bytes"]');
  await sort.press('Enter');
  await expect(layouts(page).locator('th[aria-sort="ascending"]')).toHaveText(/Needs/);
  const shown = await figures(page);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  const slider = layouts(page).locator('input[name="layouts-bytes"]');
  await slider.press('Home');
  for (let step = 0; step < 4; step++) await slider.press('PageUp');
  expect((await figures(page)).length).toBeLessThan(shown.length);
  await layouts(page).locator('[data-act="all"]').press('Enter');
  await expect(rows(page)).toHaveCount(shown.length);
  await rows(page).last().locator('[data-act="draw"]').press('Enter');
  await expect(rows(page).last().locator('[data-act="draw"]')).toHaveAttribute('aria-pressed', 'true');
  await layouts(page).locator('.kinds button').first().focus();
  await expect(layouts(page).locator('.kinds button').first()).toHaveAttribute('aria-pressed', 'true');
  expect(await layouts(page).locator('.device:not(.plain)').count()).toBeGreaterThan(0);
  const bytes = Number(await rows(page).first().getAttribute('data-bytes'));
  await rows(page).first().locator('.take').press('Enter');
  await settled(page);
  expect(bytesOf(commandLine(await request(page)))).toBe(bytes);
});

test('a pointer brushes the points, and the table follows', async ({ page, open }) => {
  await found(page, open, training);
  const before = await rows(page).count();
  const plot = layouts(page).locator('svg.points');
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.boundingBox())!;
  await page.mouse.move(x + 2, y + height - 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.4, y + height * 0.5, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => rows(page).count()).toBeLessThan(before);
});

test('two layouts are compared row by row', async ({ page, open }) => {
  await found(page, open, training);
  for (const at of [0, 2]) await rows(page).nth(at).locator('[data-act="pin"]').click();
  const comparison = page.locator('plimsoll-comparison');
  await expect(comparison.locator('[data-complete="true"]')).toHaveCount(1);
  for (const at of [0, 1])
    await expect(comparison.locator(`[data-compared="${at}"]`)).toHaveAttribute('data-total', String((await figures(page))[at * 2]));
});

for (const [task, hash] of [
  ['a training', training],
  ['a server', 'model=llama-3.3-70b-instruct&device=h100-sxm-80gb&runtime=vllm&context=8192'],
] as const)
  test(`${task}: why the neighbours of a layout are no better; one that fits goes into the form`, async ({ page, open }) => {
    await found(page, open, hash);
    const asked = (await question(page)) as Plan;
    const [best] = (printed('plan', asked) as PlanAnswer).layouts;
    await button(page, 'neighbours').click();
    const beside = layouts(page).locator('.neighbours');
    const told = beside.locator('tr[data-neighbour]');
    // as the command line loads it: a spec's own import is another kind of module
    const { neighboursOf } = await import('../../web/src/answers/neighbours.mjs');
    await expect(told).toHaveCount(neighboursOf(asked, best!).length);
    expect(await told.evaluateAll((all) => all.every((row) => (row.textContent ?? '').trim().length > 10))).toBe(true);
    const behind = beside.locator('tr[data-neighbour="behind"]').first();
    await expect(behind.locator('td').first()).toContainText('→');
    await behind.getByRole('button').click();
    await settled(page);
    const { parallel = {}, training: chosen } = JSON.parse(await request(page)) as Plan['request'];
    expect({ parallel, chosen }).not.toEqual({ parallel: best!.request.parallel, chosen: best!.request.training });
    // the one that was taken is drawn, and its own neighbours may be asked for
    await expect(button(page, 'neighbours')).toBeVisible();
  });

test('1,024 devices are drawn as few boxes', async ({ page, open }) => {
  await show(page, open, training);
  await layouts(page).locator('input[name="layouts-nodes"]').fill('128');
  await layouts(page).locator('input[name="layouts-batch"]').fill('1024');
  await layouts(page).locator('select[name="layouts-want"]').selectOption('least_traffic');
  await button(page, 'search').click();
  await expect(layouts(page).locator('.picture')).toBeVisible({ timeout: 90_000 });
  const nodes = await layouts(page)
    .locator('.picture')
    .evaluate((picture) => picture.querySelectorAll('*').length);
  expect(nodes).toBeLessThanOrEqual(200);
  await expect(layouts(page).locator('.picture')).toContainText(/× \d+ identical nodes/);
});

test('where no worker may be made, the page searches itself, in small parts', async ({ page, open }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'));
  await found(page, open, serving);
  const said = printed('plan', await question(page)) as PlanAnswer;
  await expect(layouts(page).locator('.counted')).toHaveAttribute('data-all', String(said.counted.all));
  expect((await figures(page))[0]).toBe(said.layouts[0]!.process);
});

test('the fullest stage is marked', async ({ page, open }) => {
  await show(page, open, `${training}&train-pipeline=4`);
  await layouts(page).locator('input[name="layouts-keep-degrees"]').check();
  await button(page, 'search').click();
  await complete(page);
  await expect(layouts(page).locator('.picture .fullest')).toContainText(/stage/i);
  expect(await layouts(page).locator('.device.full').count()).toBeGreaterThan(0);
});

test('what cannot be searched is said', async ({ page, open }) => {
  await show(page, open, 'task=training&model=llama-3.1-8b&memory=80000000000&method=full');
  await layouts(page).locator('input[name="layouts-nodes"]').fill('x');
  await expect(layouts(page).locator('input[name="layouts-nodes"]')).toHaveAttribute('aria-invalid', 'true');
  await layouts(page).locator('input[name="layouts-nodes"]').fill('5000');
  await expect(button(page, 'search')).toBeDisabled();
});

for (const [width, language, theme] of [
  [390, 'zh-CN', 'dark'],
  [1280, 'en', 'light'],
] as const)
  test(`nothing overflows, and axe finds nothing: ${width} px, ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 900 });
    await found(page, open, `${training}&lang=${language}&theme=${theme}`);
    await expect(rows(page).first().locator('[data-column="verdict"]')).toHaveText(/^\s*[✓≈]/);
    await button(page, 'neighbours').click();
    await expect(layouts(page).locator('tr[data-neighbour="unfit"]').first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    await expect(calculator(page)).toBeVisible();
    const texts = JSON.parse(readFileSync(join(__dirname, '../../web/src/languages', language, 'layouts.json'), 'utf8')) as Record<string, string>;
    await expect(button(page, 'search')).toHaveText(texts['layouts.search']!);
  });
