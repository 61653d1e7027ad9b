// Pieces of the page that do not come, as where the network is gone and nothing was kept: that is said where they were asked for, with a
// way to try again that works. Nothing says for ever that it is loading.

import { bytesOf, commandLine, expect, type Page, request, settled, test, total } from './kit.ts';

/** Answers as a server that has gone would, until it is let go. */
async function without(page: Page, files: RegExp): Promise<() => Promise<void>> {
  await page.route(files, (route) => route.abort());
  return () => page.unroute(files);
}

test.afterEach(({ complaints }) => void complaints.splice(0)); // the browser's own words on files that did not come

const again = (page: Page) => page.getByRole('button', { name: 'Try again' });

for (const [piece, fold, files] of [
  ['the chart', 'curve', /pieces-/],
  ['the command', 'launch', /launches\.json/],
  ['what fits', 'fits', /plimsoll-whole|models-all|models\.json/],
  ['ways out', 'ways', /ways-/],
  ['times', 'time', /rates\.json/],
  ['layouts', 'layouts', /layouts-/],
  ['a log', 'reconcile', /box-/],
  ['measured cases', 'evidence', /evidence\//],
] as const) {
  test(`${piece}: said in its fold, and tried again there`, async ({ page, open }) => {
    const come = await without(page, files);
    await open(`model=llama-3.1-8b&device=rtx-4090${fold === 'layouts' ? '&runtime=vllm' : ''}`);
    await page.locator(`[role="tab"][data-fold="${fold}"]`).click();
    const body = page.locator(`[role="tabpanel"][aria-labelledby="tab-${fold}"]`);
    await expect(body).toContainText('could not be loaded');
    await expect(body).not.toContainText('Loading…');
    await come();
    await body.getByRole('button', { name: 'Try again' }).first().click();
    await expect(body).not.toContainText('could not be loaded');
    await expect(body).not.toContainText('Loading…');
  });
}

test('a runtime whose engine does not come: said above the answer, which is no longer coloured, and tried again there', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-4090');
  const before = await total(page);
  const come = await without(page, /plimsoll-whole/);
  await page.locator('#inference-runtime').selectOption('vllm');
  const banner = page.locator('.summary .banner');
  await expect(banner).toContainText('could not be loaded');
  await expect(page.locator('.summary')).toHaveClass(/stale/);
  expect(await total(page)).toBe(before);
  await come();
  await again(page).click();
  await expect(banner).toHaveCount(0);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  expect(JSON.parse(await request(page)).inference.runtime).toBe('vllm');
});

test('the first engine itself: said in place of an answer, and tried again there', async ({ page, openUnanswered }) => {
  const come = await without(page, /plimsoll-[\w-]+\.wasm|tables\.json/);
  await openUnanswered('device=rtx-4090');
  await expect(page.locator('.summary')).toContainText('could not be loaded');
  await expect(page.locator('.summary')).not.toContainText('Loading');
  await come();
  await again(page).click();
  await settled(page);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  await expect(page.locator('#inference-runtime option').nth(3)).toBeAttached();
});

test('in Chinese nothing of it is English', async ({ page, openUnanswered }) => {
  await without(page, /plimsoll-[\w-]+\.wasm|tables\.json/);
  await openUnanswered('device=rtx-4090&lang=zh-CN');
  await expect(page.locator('.summary')).toContainText('引擎加载失败');
  const said = await page.locator('.summary .missed').innerText();
  expect(said).not.toMatch(/[a-z]{3}/i);
});

for (const [part, files] of [
  ['the piece that tells times', /\/time-[^/]*\.js/],
  ['what times are told with', /rates\.json/],
] as const)
  test(`${part}: said in the line under the verdict, and tried again there`, async ({ page, open }) => {
    const come = await without(page, files);
    await open('model=llama-3.1-8b&device=h100-sxm-80gb&runtime=vllm');
    const summary = page.locator('.summary');
    await expect(summary).toContainText('could not be loaded');
    await come();
    await summary.getByRole('button', { name: 'Try again' }).click();
    await expect(summary).not.toContainText('could not be loaded');
    await expect(page.locator('plimsoll-speed p')).toContainText(/token/);
  });

test('the training form, the list of models, the wizard, the articles and a language', async ({ page, open }) => {
  let come = await without(page, /training-|models\.json|wizard-|examples\.json|\/texts-[^/]*\.js|models-all/);
  await open('model=llama-3-8b&device=rtx-4090');
  await page.getByRole('tab', { name: 'Training' }).click();
  await expect(page.locator('#tab-panel')).toContainText('could not be loaded');
  await page.getByRole('combobox', { name: 'Model' }).click();
  await expect(page.locator('[data-field="model.preset"]')).toContainText('could not be loaded');
  await come();
  await page.locator('#tab-panel').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Training method', { exact: true })).toBeVisible();
  await page.locator('[data-field="model.preset"]').getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('[data-field="model.preset"] .missed')).toHaveCount(0);

  come = await without(page, /wizard-|examples\.json|\/texts-[^/]*\.js/);
  const said = page.locator('plimsoll-app main > .missed');
  for (const name of ['Guide me', 'Figures from articles']) {
    await page.getByRole('button', { name }).click();
    await expect(said).toContainText('could not be loaded');
  }
  await page.getByLabel('Language').selectOption('zh-CN');
  await expect(said).toContainText('could not be loaded');
  await come();
  await said.getByRole('button').click();
  await expect(page.getByRole('tab', { name: '训练', exact: true })).toBeVisible();
  await expect(said).toHaveCount(0);
});

test('what nobody asked for by hand is not asked for again and again', async ({ page, open }) => {
  const asked: string[] = [];
  page.on('request', (one) => /possible-|first-/.test(one.url()) && asked.push(one.url()));
  await without(page, /comparison-/);
  page.on('request', (one) => one.url().includes('comparison-') && asked.push(one.url()));
  await open('model=llama-3-8b&device=rtx-4090&pin=model%3Dllama-3-70b');
  await expect(page.locator('.details')).toContainText('could not be loaded');
  await page.locator('#inference-sequences').fill('2');
  await settled(page);
  expect(asked.filter((url) => url.includes('comparison-')).length).toBe(1);
});

test('while what an answer needs is on its way, no verdict of another one is coloured', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-4090');
  const badge = page.locator('.summary .badge');
  const ground = () => badge.evaluate((one) => getComputedStyle(one).backgroundColor);
  const fits = await ground();
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((done) => (arrive = done));
  await page.route(/plimsoll-whole/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.locator('#inference-runtime').selectOption('vllm');
  await expect(badge).toHaveText('On its way…');
  await expect(page.locator('.summary')).toHaveAttribute('aria-busy', 'true');
  expect(await ground()).not.toBe(fits);
  arrive();
  await settled(page);
  await expect(badge).not.toHaveText('On its way…');
  await expect(page.locator('.summary')).not.toHaveClass(/stale/);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});
