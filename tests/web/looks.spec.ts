// Both themes, narrow and wide: no violation that axe can find, nothing wider than the window.

import { expect, settled, test, violations } from './kit.ts';
import type { Page } from './kit.ts';

async function openRows(page: Page, depth: number): Promise<void> {
  await page.locator('[data-fold="classic"]').click();
  await settled(page);
  for (let round = 0; round < depth; round++) {
    const closed = page.locator('tr.row button[aria-expanded="false"]');
    for (let left = await closed.count(); left > 0; left--) await closed.first().click();
    await settled(page);
  }
}

for (const theme of ['light', 'dark'] as const) {
  for (const task of ['inference', 'training']) {
    test(`axe finds nothing: ${theme}, ${task}`, async ({ page, open }) => {
      await open(`theme=${theme}&task=${task}&model=llama-3-8b`);
      await openRows(page, 1);
      await page.locator('tr.level-1 button').first().click();
      await settled(page);
      expect(await violations(page)).toEqual([]);
    });
  }

  test(`axe finds nothing in lists, errors and articles: ${theme}`, async ({ page, open }) => {
    await open(`theme=${theme}`);
    await page.getByRole('combobox', { name: 'Model' }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('#inference-sequences').fill('-1');
    await settled(page);
    expect(await violations(page)).toEqual([]);
    await page.locator('#inference-sequences').fill('1');
    await page.getByRole('button', { name: 'What articles say' }).click();
    await expect(page.locator('dialog article').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test(`the ${theme} theme holds against the system's`, async ({ page, open }) => {
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' });
    await open(`theme=${theme}`);
    const [red] = await page.locator('.brief').evaluate((element) => getComputedStyle(element).backgroundColor.match(/\d+/g)!.map(Number));
    if (theme === 'dark') expect(red).toBeLessThan(80);
    else expect(red).toBeGreaterThan(200);
  });
}

for (const [width, language] of [
  [320, 'en'],
  [360, 'en'],
  [360, 'zh-CN'],
  [768, 'en'],
  [1280, 'en'],
  [2560, 'zh-CN'],
] as const) {
  test(`nothing overflows at ${width} px in ${language}`, async ({ page, open, openUnanswered }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const hash of ['model=mixtral-8x7b', 'task=training&method=freeze&model=llama-3-70b', 'from=typed&parameters=7', 'from=config']) {
      await page.goto('about:blank');
      if (hash.includes('config')) await openUnanswered(`${hash}&lang=${language}`);
      else await open(`${hash}&lang=${language}`);
      if (!hash.includes('from=')) await openRows(page, 2);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide, hash).toBeLessThanOrEqual(0);
      const cut = await page
        .locator('plimsoll-calculator')
        .evaluate((element) =>
          [...element.shadowRoot!.querySelectorAll<HTMLElement>('.brief, .picture, .legend, .form, .details, .aside, td, th, .explanation, .formula')]
            .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
            .map((one) => one.className || one.tagName),
        );
      expect(cut, hash).toEqual([]);
    }
  });
}

test('on a narrow screen the answer comes first and stays in sight', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open('model=llama-3-8b');
  await expect(page.locator('.number .value')).toBeInViewport();
  const [summary, form] = await Promise.all(['.brief', '.form'].map((one) => page.locator(one).boundingBox()));
  expect(summary!.y).toBeLessThan(form!.y);
  await page.getByLabel('Flash attention').scrollIntoViewIfNeeded();
  await expect(page.locator('.number .value')).toBeInViewport();
});

test('on a narrow screen the articles fit too', async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open();
  await page.getByRole('button', { name: 'What articles say' }).click();
  await expect(page.locator('dialog article').first()).toBeVisible();
  const wide = await page
    .locator('dialog')
    .evaluate((dialog) => [dialog, ...dialog.querySelectorAll('article, .scroll')].filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(wide).toBe(0);
  expect(await violations(page)).toEqual([]);
});
