// What fills a training's peak, and what would shrink it: every figure is the engine's own.

import { bytesOf, commandLine, expect, type Page, request, rowBytes, settled, test, total, violations } from './kit.ts';

const complete = (page: Page) => expect(page.locator('plimsoll-contributors ol[data-complete="true"]')).toBeVisible();
/** Its own, beside the page's for every change. */
const undo = (page: Page) => page.locator('plimsoll-contributors').getByRole('button', { name: 'Undo' });
const whatIf = (page: Page, id: string) => page.locator(`[data-what-if="${id}"]`);
const figures = (page: Page, part: string) =>
  page
    .locator(`[data-part="${part}"] [data-what-if]`)
    .evaluateAll((all) => all.map((one) => ({ id: (one as HTMLElement).dataset['whatIf']!, saved: Number((one as HTMLElement).dataset['saved']) })));

const full = 'task=training&model=llama-3-8b&device=a100-sxm-80gb&batch=4';

test('the parts stand by their size, and under each what saves most first', async ({ page, open }) => {
  await open(full);
  await complete(page);
  const parts = await page.locator('[data-part]').evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['part']!));
  const sizes = await Promise.all(parts.map((part) => rowBytes(page, part)));
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  for (const part of parts) {
    const savings = (await figures(page, part)).map(({ saved }) => saved);
    expect(savings).toEqual(savings.toSorted((a, b) => b - a));
    for (const saved of savings) expect(saved).toBeGreaterThan(0);
  }
  expect((await figures(page, 'activations')).map(({ id }) => id)).toContain('checkpointing');
  expect((await figures(page, 'logits')).map(({ id }) => id)).toContain('fused_loss');
  await expect(whatIf(page, 'qlora').locator('.badge')).toHaveText(/^(Fits|Tight)$/);
});

for (const [id, changed] of [
  ['checkpointing', { checkpointing: 'full' }],
  ['eight_bits', { optimizer: 'adamw-8bit' }],
  ['half_batch', { micro_batch: 2, accumulation: 2 }],
  ['fused_loss', { loss: 'fused' }],
  ['qlora', { method: 'qlora' }],
] as const)
  test(`applied, ${id} makes of the total what it said, and is undone`, async ({ page, open }) => {
    await open(full);
    await complete(page);
    const before = await total(page);
    const one = whatIf(page, id);
    const [saved, promised] = [Number(await one.getAttribute('data-saved')), Number(await one.getAttribute('data-total'))];
    expect(before - saved).toBe(promised);
    await one.evaluate((row) => row.closest('details')?.setAttribute('open', ''));
    await one.getByRole('button').press('Enter');
    expect(await total(page)).toBe(promised);
    await expect(undo(page)).toBeFocused();
    expect(bytesOf(commandLine(await request(page)))).toBe(promised);
    expect(JSON.parse(await request(page)).training).toMatchObject(changed);
    await undo(page).click();
    expect(await total(page)).toBe(before);
  });

test('what does not save is not named, nor what the method does not have', async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b&device=a100-sxm-80gb&method=qlora&checkpointing=full&loss=fused&norm=fused&rank=16');
  await complete(page);
  for (const id of ['checkpointing', 'qlora', 'lora', 'galore', 'sixteen_bits', 'fused_loss', 'chunked_loss', 'half_batch', 'attention'])
    await expect(whatIf(page, id), id).toHaveCount(0);
});

test('where it does not fit, the fewest and kindest changes with which it does, and applied they do', async ({ page, open }) => {
  await open('task=training&model=llama-3.1-8b&device=rtx-4090&method=lora&batch=2');
  await complete(page);
  await expect(page.locator('.badge').first()).toHaveText('Too large');
  const fitting = page.locator('plimsoll-contributors .fitting');
  const steps = await fitting.locator('[data-step]').evaluateAll((all) => all.map((one) => one.getAttribute('data-step')));
  expect(steps.length).toBeGreaterThan(0);
  for (const another of ['qlora', 'half_sequence']) expect(steps).not.toContain(another);
  const promised = Number(await fitting.getAttribute('data-total'));
  await fitting.getByRole('button').click();
  expect(await total(page)).toBe(promised);
  expect(bytesOf(commandLine(await request(page)))).toBe(promised);
  await expect(page.locator('.summary .badge')).toHaveText('Fits');
  await expect(fitting).toHaveCount(0);
  await undo(page).click();
  await settled(page);
  await expect(page.locator('.summary .badge')).toHaveText('Too large');
});

test('where nothing makes it fit, that is said', async ({ page, open }) => {
  await open('task=training&model=llama-3.1-405b&device=rtx-4090');
  await complete(page);
  await expect(page.locator('plimsoll-contributors .fitting')).toContainText('No changes');
});

test('it follows the form', async ({ page, open }) => {
  await open(full);
  await complete(page);
  const saved = Number(await whatIf(page, 'checkpointing').getAttribute('data-saved'));
  await page.locator('#training-micro_batch').fill('8');
  await settled(page);
  await expect.poll(async () => Number(await whatIf(page, 'checkpointing').getAttribute('data-saved'))).toBeGreaterThan(1.8 * saved);
});

for (const [width, language, theme] of [
  [360, 'zh-CN', 'dark'],
  [768, 'en', 'dark'],
  [1280, 'en', 'light'],
] as const)
  test(`axe finds nothing, and nothing is wider than ${width} pixels: ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(`lang=${language}&theme=${theme}&${full}`);
    await complete(page);
    expect(await violations(page, 'plimsoll-app')).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await page.locator('plimsoll-contributors > ol, plimsoll-contributors ol').first().innerText()).not.toMatch(
      /\b(field|option|form|cost|contributors)\./,
    );
  });
