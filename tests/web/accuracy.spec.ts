// The page of measured cases: from disk and from a server, filtered by its link, sorted, in both languages and themes.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page, test, violations } from './kit.ts';
import { dist } from './server.ts';

async function openCases(page: Page, site: string, hash = ''): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${site}/accuracy.html${hash && `#${hash}`}`);
  await expect(page.locator('table.cases tbody tr').first()).toBeVisible();
}

const count = async (page: Page): Promise<number> => Number(await page.locator('[data-count]').getAttribute('data-count'));

/** Errors of the rows that are shown, as they are shown. */
const errors = (page: Page): Promise<number[]> =>
  page
    .locator('table.cases tbody tr td:nth-child(5)')
    .evaluateAll((cells) => cells.map((cell) => Math.abs(Number(/[\d.,]+/.exec(cell.textContent!)![0].replace(',', '')))));

test('has every case of the repository, worst first, each with its source', async ({ page, site }) => {
  await openCases(page, site);
  expect(await count(page)).toBeGreaterThan(10_000);
  const shown = await errors(page);
  expect(shown).toHaveLength(25);
  expect(shown).toEqual([...shown].sort((a, b) => b - a));
  const rows = page.locator('table.cases tbody tr');
  for (let at = 0; at < 25; at++) await expect(rows.nth(at).locator('.source')).not.toBeEmpty();
  // what is outside of its band says why, or that nobody knows
  for (const row of await page.locator('table.cases tbody tr[data-status="outside"]').all())
    await expect(row.locator('.why').first()).not.toBeEmpty();
  await expect(page.locator('plimsoll-scatter canvas')).toBeVisible();
});

test('opens from disk', async ({ page }) => {
  await page.goto(`${pathToFileURL(join(dist, 'accuracy.html')).href}#kind=training`);
  await expect(page.locator('plimsoll-scatter canvas')).toBeVisible();
  expect(await count(page)).toBeGreaterThan(200);
});

test('what is chosen filters medians, plot and cases, and stands in the link', async ({ page, site }) => {
  await openCases(page, site);
  await page.getByLabel('Runtime or method').first().selectOption({ label: 'vLLM' });
  const all = await count(page);
  expect(all).toBeGreaterThan(20);
  await expect(page).toHaveURL(/#of=vllm$/);
  await page.getByLabel('What was measured').selectOption({ label: 'memory left for the cache' });
  expect(await count(page)).toBeLessThan(all);
  await expect(page.getByRole('region', { name: 'Medians' }).locator('tbody tr')).toHaveCount(1);
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByText('No figure matches.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  expect(await count(page)).toBeGreaterThan(10_000);
  await expect(page).not.toHaveURL(/#/);
});

test('a group of the medians is one press away, columns sort, and pages turn', async ({ page, site }) => {
  await openCases(page, site, 'kind=training');
  await page.getByRole('radio', { name: 'Family' }).check({ force: true });
  await page.locator('table.medians tbody button').first().click();
  await expect(page).toHaveURL(/family=/);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  const head = page.getByRole('columnheader', { name: 'Measured', exact: true });
  await head.getByRole('button').click();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await head.getByRole('button').click();
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  const first = await page.locator('table.cases tbody tr').first().textContent();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.locator('#cases')).toBeFocused();
  expect(await page.locator('table.cases tbody tr').first().textContent()).not.toBe(first);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('group', { name: 'Cases' })).toBeFocused();
});

test('pointing at a dot reads it off', async ({ page, site }) => {
  await openCases(page, site, 'of=vllm&metric=capacity');
  const plot = page.locator('plimsoll-scatter .u-over');
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.boundingBox())!;
  for (let at = 0.5; at < 60 && (await page.locator('.read-off .model').count()) === 0; at++)
    await page.mouse.move(x + (width * at) / 60, y + height * (1 - at / 60));
  await expect(page.locator('.read-off .model')).toBeVisible();
});

test('a conformance vector that a case names is there', async ({ page, site }) => {
  await openCases(page, site, 'kind=parameters');
  const link = await page.getByRole('link', { name: 'request and reply' }).first().getAttribute('href');
  const file = join(dist, link!);
  expect(existsSync(file)).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('figures');
});

for (const [width, theme, language] of [
  [360, 'dark', 'zh-CN'],
  [360, 'light', 'en'],
  [768, 'dark', 'en'],
  [1280, 'light', 'zh-CN'],
] as const) {
  test(`axe finds nothing and nothing overflows: ${width} px, ${theme}, ${language}`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 800 });
    await openCases(page, site, `theme=${theme}&lang=${language}`);
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
  });
}
