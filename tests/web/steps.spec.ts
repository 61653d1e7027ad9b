// A training step over its phases: bars and table say what the engine answers, with the device's capacity drawn in.

import type { Answer } from '../../web/src/engine/wire';
import { commandLine, expect, type Page, request, settled, test, violations } from './kit.ts';

const bars = (page: Page) => page.locator('plimsoll-steps li[data-phase]');

function answer(question: string): Answer {
  const reply = commandLine(question);
  if ('error' in reply) throw new Error(reply.error.what);
  return reply;
}

test('each phase is as high as its rows together, the peak as the answer', async ({ page, open }) => {
  await open('task=training&model=llama-3-8b&device=h100-sxm-80gb&accumulation=4');
  const { rows = [], timeline = [], total } = answer(await request(page));
  const shown = await bars(page).evaluateAll((all) =>
    all.map((one) => [(one as HTMLElement).dataset['phase']!, Number((one as HTMLElement).dataset['bytes'])] as const),
  );
  expect(shown.map(([phase]) => phase)).toEqual(timeline.map(({ phase }) => phase));
  expect(shown.map(([phase]) => phase)).toContain('backward_2');
  for (const [phase, bytes] of shown)
    expect(bytes, phase).toBe(rows.reduce((sum, { by_phase: by }) => sum + ((by as Record<string, number>)[phase] ?? 0), 0));
  expect(Object.fromEntries(shown)[total.phase!]).toBe(total.process!.bytes);
  await expect(page.locator('plimsoll-steps .mark')).toHaveCount(1);
});

test('the numbers stand in a table, row by row', async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b&device=rtx-4090&method=lora');
  const { rows = [] } = answer(await request(page));
  await page.locator('plimsoll-steps summary').first().click();
  const line = page.locator('plimsoll-steps tbody tr').filter({ has: page.getByRole('rowheader', { name: /^loss/ }) });
  const activations = rows.find(({ id }) => id === 'activations')!.by_phase!['loss' as never] as number;
  await expect(line).toContainText(`${(activations / 2 ** 30).toFixed(2)} GiB`);
});

test('the capacity is drawn where it is near, and said where it is far', async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b&device=rtx-4090&method=lora');
  await expect(page.locator('plimsoll-steps .capacity-key')).toContainText('23.99 GiB');
  await expect(page.locator('plimsoll-steps line.load')).toHaveCount(await bars(page).count());
  await page.goto('about:blank');
  await open('task=training&model=smollm2-135m&device=b200&method=lora&sequence=256');
  await expect(page.locator('plimsoll-steps .capacity-far')).toBeVisible();
  await expect(page.locator('plimsoll-steps line.load')).toHaveCount(0);
});

test('the step moment by moment: its fullest is the answer of the phase, and a band opens its row', async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b&device=rtx-4090&method=lora');
  await page.getByText('Moment by moment').click();
  const moments = page.locator('plimsoll-moments');
  const asked = JSON.parse(await request(page)) as object;
  const { step } = answer(JSON.stringify({ ...asked, timeline: true }));
  const fullest = step!.moments.reduce((most, one) => (one.bytes > most.bytes ? one : most));
  await expect(moments.locator('.read-off')).toContainText(`${(fullest.bytes / 2 ** 30).toFixed(2)} GiB`);
  expect(await moments.locator('polygon').count()).toBeGreaterThan(5);
  await moments.getByRole('slider').fill('0');
  await expect(moments.locator('.read-off')).toContainText('inputs come');
  await moments.getByRole('button', { name: 'Activations' }).click();
  await expect(moments.getByRole('button', { name: 'Activations' })).toHaveAttribute('aria-pressed', 'true');
});

for (const [width, language, theme] of [
  [360, 'en', 'light'],
  [768, 'zh-CN', 'light'],
  [1280, 'zh-CN', 'dark'],
] as const)
  test(`axe finds nothing, and nothing is wider than ${width} pixels: ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(`lang=${language}&theme=${theme}&task=training&model=llama-3-8b&device=rtx-4090&accumulation=2`);
    await page.locator('plimsoll-steps summary').first().click();
    await page.locator('plimsoll-steps summary').nth(1).click();
    await expect(page.locator('plimsoll-moments polygon').first()).toBeAttached();
    await settled(page);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

test("what PyTorch's counters show over the first step and the later ones stands beside", async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b&device=rtx-4090&method=lora');
  const { allocator } = answer(await request(page));
  const counters = page.locator('plimsoll-steps details').filter({ hasText: "What PyTorch's counters show" });
  await counters.locator('summary').click();
  const lines = counters.locator('tbody tr');
  await expect(lines).toHaveCount(allocator!.first_step.length + allocator!.later_steps.length);
  const { reserved } = allocator!.later_steps.find(({ phase }) => phase === 'backward')!;
  const line = lines.filter({ has: page.getByRole('rowheader', { name: 'Later steps: backward' }) });
  await expect(line).toContainText(`${(reserved / 2 ** 30).toFixed(2)} GiB`);
});
