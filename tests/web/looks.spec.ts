// Both themes, narrow and wide: no violation that axe can find, nothing wider than the window.

import { drawn, expect, settled, test, violations } from './kit.ts';
import type { Page } from './kit.ts';

async function openRows(page: Page, depth: number): Promise<void> {
  await page.locator('[data-fold="classic"]').click();
  await settled(page);
  for (let round = 0; round < depth; round++) {
    await page.locator('tr.row button[aria-expanded="false"]').evaluateAll((all) => all.forEach((one) => (one as HTMLElement).click()));
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
    await page.getByRole('button', { name: 'Figures from articles' }).click();
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

const widths = { en: [1280, 768, 360, 320], 'zh-CN': [2560, 360] } as const;
const states = ['model=mixtral-8x7b', 'task=training&method=freeze&model=llama-3-70b', 'from=typed&parameters=7', 'from=config'];

for (const [language, all] of Object.entries(widths))
  for (const hash of states)
    test(`nothing overflows at ${all.join(', ')} px in ${language}: ${hash}`, async ({ page, open, openUnanswered }) => {
      if (hash.includes('config')) await openUnanswered(`${hash}&lang=${language}`);
      else await open(`${hash}&lang=${language}`);
      if (!hash.includes('from=')) {
        await openRows(page, 2);
        expect(await page.locator('tr.level-1').count()).toBeGreaterThan(3);
      }
      for (const width of all) {
        await page.setViewportSize({ width, height: 800 });
        await drawn(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide, `${width}`).toBeLessThanOrEqual(0);
        const cut = await page
          .locator('plimsoll-calculator')
          .evaluate((element) =>
            [
              ...element.shadowRoot!.querySelectorAll<HTMLElement>(
                '.brief, .picture, .legend, .form, .details, .aside, td, th, .explanation, .formula',
              ),
            ]
              .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
              .map((one) => one.className || one.tagName),
          );
        expect(cut, `${width}`).toEqual([]);
      }
    });

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
  await page.getByRole('button', { name: 'Figures from articles' }).click();
  await expect(page.locator('dialog article').first()).toBeVisible();
  const wide = await page
    .locator('dialog')
    .evaluate((dialog) => [dialog, ...dialog.querySelectorAll('article, .scroll')].filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(wide).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test('tabs are chosen with the keyboard: arrows go, Enter chooses, one stands in the order of focus', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const tabs = page.getByRole('tablist', { name: 'What it rests on' }).getByRole('tab');
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
  await tabs.first().focus();
  await page.keyboard.press('End');
  await expect(tabs.last()).toBeFocused();
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('Enter');
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel', { name: (await tabs.last().innerText()).trim() })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(tabs.first()).toBeFocused();
  expect(await tabs.evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length)).toBe(1);
});

test('on a small telephone the headline takes two lines, and what is touched is large enough', async ({ browser, site }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${site}/#model=llama-3-8b&runtime=vllm`);
  await settled(page);
  expect((await page.locator('.brief').boundingBox())!.height).toBeLessThanOrEqual(100);
  const small = await page.locator('plimsoll-app').evaluate((app) => {
    const found: string[] = [];
    const visit = (root: ShadowRoot | Element): void => {
      for (const one of root.querySelectorAll<HTMLElement>('*')) {
        if (one.shadowRoot) visit(one.shadowRoot);
        if (!one.matches('button, select, summary, input, [role="tab"]')) continue;
        const label = one.matches('[type="radio"], [type="checkbox"], [type="file"]') ? (one.closest('label') ?? one) : one;
        const { width, height } = label.getBoundingClientRect();
        const least = one.matches('select, input:not([type="range"]), [role="tab"]') ? 44 : 24;
        if (height > 0 && (height < least - 0.5 || Math.min(width, height) < 24))
          found.push(`${one.tagName} ${one.id || one.textContent} ${width} × ${height}`);
      }
    };
    visit(app.shadowRoot!);
    return found;
  });
  expect(small).toEqual([]);
  await context.close();
});

test('on paper stands the answer with its settings, on one sheet, and nothing to click', async ({ page, open }) => {
  await open('task=training&model=llama-3.1-8b&device=b200&sequence=4096&theme=dark');
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  expect(sheets).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.number .value')).toBeVisible();
  await expect(page.locator('.printed')).toContainText('4,096');
  await expect(page.locator('.printed')).toContainText('B200');
  await expect(page.locator('.form')).toBeHidden();
  await expect(page.getByRole('tab')).toHaveCount(0);
  expect(await page.locator('.brief').evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(255, 255, 255)');
  await page.emulateMedia({ media: null });
});
