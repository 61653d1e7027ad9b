// The tags' sizes, themes and type in pages that have their own: nothing leaks in, and a page can style what is offered.

import { expect, type Page, test, violations } from './kit.ts';
import { foreign, type Told } from './foreign.ts';

const asked = 'model="llama-3-8b" device="rtx-4090" context="8192"';
const calculator = (attributes: string, within = '') => `<plimsoll-calculator ${asked} ${attributes}>${within}</plimsoll-calculator>`;

/** Waits until every tag has answered. */
const live = (page: Page) =>
  page.evaluate(async () => {
    for (const one of document.querySelectorAll('plimsoll-calculator, plimsoll-chart, plimsoll-compare')) {
      one.scrollIntoView();
      await (one as unknown as { answered(): Promise<Told> }).answered();
    }
    await new Promise((done) => requestAnimationFrame(done));
  });

/** Two sizes at once, at a width. */
for (const width of [390, 1280]) {
  test(`compact is at most 320 px tall with answer, labelled bar and three controls, and row is one line, at ${width} px`, async ({
    page,
    site,
    complaints,
  }) => {
    const host = await foreign(site, calculator('size="compact"') + calculator('size="row"'), complaints);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(host.url);
    await live(page);
    const [compact, row] = [page.locator('plimsoll-calculator').first(), page.locator('plimsoll-calculator').last()];
    expect((await compact.boundingBox())!.height).toBeLessThanOrEqual(320);
    await expect(compact.locator('.value')).toHaveText('17.33');
    await expect(compact.locator('.legend li')).toHaveCount(4);
    await expect(compact.locator('.controls .field')).toHaveCount(3);
    expect(await compact.locator('.box').evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    expect((await row.boundingBox())!.height).toBeLessThanOrEqual(48);
    await expect(row.locator('.line')).toContainText('17.33 GiB');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violations(page, 'plimsoll-calculator')).toEqual([]);
    await host.close();
  });
}

test('it speaks the language of the text around it, or its own', async ({ page, site, complaints }) => {
  const host = await foreign(site, `<div lang="zh-Hans">${calculator('size="row"')}</div>${calculator('size="row" lang="en"')}`, complaints);
  await page.goto(host.url);
  await live(page);
  await expect(page.locator('.badge')).toHaveText(['放得下', 'Fits']);
  await host.close();
});

test('a small box answers what is typed into it', async ({ page, site, complaints }) => {
  const host = await foreign(site, calculator('size="compact" controls="sequences device"'), complaints);
  await page.goto(host.url);
  await live(page);
  await expect(page.locator('.controls .field')).toHaveCount(2);
  await page.locator('#inference-sequences').fill('4');
  await expect(page.locator('.value')).not.toHaveText('17.33');
  await host.close();
});

test('a number in a sentence opens to its formula by keyboard, and closes again', async ({ page, site, complaints }) => {
  const bytes = `<plimsoll-bytes ${asked} show="kv_cache">1 GB</plimsoll-bytes>`;
  const host = await foreign(site, `<p>Its cache takes ${bytes}.</p><p>In all <plimsoll-bytes ${asked}></plimsoll-bytes></p>`, complaints);
  await page.goto(host.url);
  const [one, whole] = [page.locator('plimsoll-bytes').first(), page.locator('plimsoll-bytes').last()];
  await expect(one).toHaveText('1 GiB');
  await expect(whole).toHaveText('17.3 GiB');
  const button = one.getByRole('button');
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(one.getByRole('note')).toContainText('kv_cache/keys');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(one.getByRole('note')).not.toBeVisible();
  await one.evaluate((element) => element.setAttribute('context', '4096'));
  await expect.poll(() => one.evaluate((element) => element.textContent)).toBe('0.5 GiB');
  await host.close();
});

test('a chart is a bar or a curve, and up to four requests stand side by side', async ({ page, site, complaints }) => {
  const request = (name: string, preset: string) => ({ name, schema: 1, task: 'inference', model: { preset }, device: { preset: 'rtx-4090' } });
  const requests = JSON.stringify([request('Small', 'qwen3-0.6b'), request('Large', 'llama-3-8b')]);
  const compare = `<plimsoll-compare requests='${requests}'></plimsoll-compare><plimsoll-compare requests="[]"></plimsoll-compare>`;
  const host = await foreign(
    site,
    `<plimsoll-chart ${asked}></plimsoll-chart><plimsoll-chart kind="curve" ${asked}></plimsoll-chart>${compare}`,
    complaints,
  );
  await page.goto(host.url);
  await live(page);
  await expect(page.locator('plimsoll-chart').first().getByRole('img')).toBeVisible();
  await expect(page.locator('plimsoll-chart').last().locator('canvas')).toBeVisible();
  const side = page.locator('plimsoll-compare').first();
  await expect(side.locator('.heads h3')).toHaveText(['Small', 'Large']);
  await expect(side.locator('[data-compared-row=weights]')).toContainText('GiB');
  await expect(page.locator('plimsoll-compare').last().getByRole('alert')).toContainText('two to 4 requests');
  await host.close();
});

/** Where a page says that it is dark, and that it is light. */
const pages: Record<string, [string, string]> = {
  'a class of its root': ['<style>body{background:#111}</style><script>document.documentElement.className = "dark"</script>', 'dark'],
  'its color-scheme': ['<style>:root{color-scheme:dark}</style>', 'dark'],
  'MkDocs Material': ['<script>document.documentElement.dataset.mdColorScheme = "slate"</script>', 'dark'],
  'its ground alone': ['<style>html{background:#101418;color:#eee}</style>', 'dark'],
  'nothing at all': ['', 'light'],
};

for (const [what, [head, theme]] of Object.entries(pages)) {
  test(`it is as dark as the page says by ${what}`, async ({ page, site, complaints }) => {
    const host = await foreign(site, head + calculator('size="row"'), complaints, { open: true });
    await page.goto(host.url);
    await live(page);
    const light = () =>
      page
        .locator('.small > .box')
        .last()
        .evaluate((one) => {
          const [red] = getComputedStyle(one).backgroundColor.match(/\d+/g)!.map(Number);
          return red! > 128 ? 'light' : 'dark';
        });
    expect(await light()).toBe(theme);
    await page.locator('plimsoll-calculator').evaluate((one, other) => one.setAttribute('theme', other), theme === 'dark' ? 'light' : 'dark');
    await expect.poll(light).not.toBe(theme);
    await host.close();
  });
}

test('a page that becomes dark takes it along', async ({ page, site, complaints }) => {
  const host = await foreign(site, calculator('size="row"'), complaints, { open: true });
  await page.goto(host.url);
  await live(page);
  await expect(page.locator('plimsoll-live')).toHaveAttribute('theme', 'light');
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  await expect(page.locator('plimsoll-live')).toHaveAttribute('theme', 'dark');
  await host.close();
});

test('its type counts from where it stands, is never under 12 px, and nothing else leaks in', async ({ page, site, complaints }) => {
  const style = `<style>html{font-size:62.5%;direction:rtl}body{font:14px/3 serif;letter-spacing:.3em;word-spacing:1em;text-transform:uppercase;font-style:italic}
    .large{font-size:24px}</style>`;
  const host = await foreign(site, `${style}${calculator('')}<div class="large">${calculator('size="compact"')}</div>`, complaints, { open: true });
  await page.goto(host.url);
  await live(page);
  const found = await page.evaluate(() => {
    const seen: { size: number; spacing: string; line: number; style: string; direction: string }[] = [];
    const walk = (node: Element | ShadowRoot): void => {
      for (const one of node.children) {
        if (one.shadowRoot) walk(one.shadowRoot);
        const text = [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent!.trim());
        const inside = (one.getRootNode() as ShadowRoot).host;
        if (text && inside && one.checkVisibility() && !['STYLE', 'OPTION'].includes(one.tagName) && !one.closest('math, svg')) {
          const { fontSize, letterSpacing, lineHeight, fontStyle, direction } = getComputedStyle(one);
          seen.push({
            size: parseFloat(fontSize),
            spacing: letterSpacing,
            line: parseFloat(lineHeight) / parseFloat(fontSize),
            style: fontStyle,
            direction,
          });
        }
        walk(one);
      }
    };
    for (const one of document.querySelectorAll('plimsoll-calculator')) walk(one.shadowRoot!);
    return seen;
  });
  expect(found.length).toBeGreaterThan(40);
  expect(Math.min(...found.map(({ size }) => size))).toBeGreaterThanOrEqual(12);
  expect(found.filter(({ line }) => line > 2)).toEqual([]);
  expect(found.filter(({ style, direction }) => style !== 'normal' || direction !== 'ltr')).toEqual([]);
  expect(found.filter(({ spacing }) => parseFloat(spacing) > 0)).toEqual([]);
  const sizes = await page.locator('.value').evaluateAll((all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize)));
  expect(sizes.at(-1)).toBeCloseTo(24 * 1.75, 1);
  await host.close();
});

test('a page styles its parts, its colours and its slots', async ({ page, site, complaints }) => {
  const style = `<style>plimsoll-calculator{--plimsoll-card:rgb(1, 2, 3)}plimsoll-calculator::part(number){text-decoration:underline}</style>`;
  const host = await foreign(site, style + calculator('size="compact"', '<b slot="heading">Ours</b><i slot="footer">Below</i>'), complaints, {
    open: true,
  });
  await page.goto(host.url);
  await live(page);
  await expect(page.locator('.is-compact')).toHaveCSS('background-color', 'rgb(1, 2, 3)');
  await expect(page.locator('.number')).toHaveCSS('text-decoration-line', 'underline');
  await expect(page.getByText('Ours')).toBeVisible();
  await expect(page.getByText('Below')).toBeVisible();
  await host.close();
});
