// The hosted calculator beside ours: its own figures, each difference in one line.

import { commandLine, expect, request, settled, test } from './kit.ts';

for (const [hash, bytes, text] of [
  ['model=llama-3-70b-instruct&context=2048', 153019119616, '142.51 GB'],
  ['task=training&model=llama-3-70b-instruct', 993019119616, '924.82 GB'],
] as const) {
  test(`${text} for ${hash}`, async ({ page, open }) => {
    await open(hash);
    await expect(page.locator('.comparison')).toHaveCount(0);
    await page.locator('[data-fold="classic"]').click();
    await settled(page);
    await expect(page.locator('[data-classic]')).toHaveAttribute('data-classic', String(bytes));
    await expect(page.locator('.hosted')).toContainText(text);
    expect(await page.locator('.differences li').count()).toBeGreaterThan(3);
    await expect(page.locator('.thumb')).toContainText('Rule of thumb');
  });
}

test('it is asked for the lengths that our answer has', async ({ page, open }) => {
  await open('model=llama-3-70b-instruct');
  await page.locator('[data-fold="classic"]').click();
  await settled(page);
  const ours = commandLine(await request(page));
  if ('error' in ours) throw new Error('refused');
  const context = ours.assumptions?.find(({ field }) => field === 'inference.context')?.value;
  const asked = { task: 'classic', model: { preset: 'llama-3-70b-instruct' }, inference: { context, sequences: 1 } };
  const theirs = commandLine(JSON.stringify(asked));
  if ('error' in theirs) throw new Error('refused');
  await expect(page.locator('[data-classic]')).toHaveAttribute('data-classic', String(theirs.total.bytes));
});

test('it is never the answer itself', async ({ page, open }) => {
  await open('model=llama-3-70b-instruct');
  expect(await page.locator('.summary').getAttribute('data-total')).not.toBe('153019119616');
});

test('what it cannot answer is said', async ({ page, open }) => {
  await open('task=training&model=llama-3-8b&optimizer=sgd-momentum');
  await page.locator('[data-fold="classic"]').click();
  await settled(page);
  await expect(page.locator('.refused')).toBeVisible();
});
