// How fast: a line under the verdict, and a fold with its reasons. The figures are the command line's.

import type { Answer } from '../../web/src/engine/wire';
import { commandLine, expect, type Page, printed, request, settled, test, violations } from './kit.ts';

const told = 'model=llama-3-8b&device=rtx-4090&runtime=llama.cpp&context=8192';
const limited = 'model=llama-3-8b&device=h100-sxm-80gb&runtime=vllm&context=8192';

const line = (page: Page) => page.locator('plimsoll-speed p');
const body = (page: Page) => page.locator('plimsoll-time');
const unfold = (page: Page) => page.locator('[data-fold="time"]').click();

async function unfolded(page: Page): Promise<void> {
  await unfold(page);
  await expect(body(page).locator('[data-complete="true"]')).toBeVisible();
}

/** What the command line says of the same request. */
async function theirs(page: Page): Promise<NonNullable<Answer['time']>> {
  const reply = commandLine(JSON.stringify({ ...(JSON.parse(await request(page)) as object), time: true }));
  if ('error' in reply || !reply.time) throw new Error(JSON.stringify(reply));
  return reply.time;
}

test('one line under the verdict, with the figures of the command line', async ({ page, open }) => {
  await open(told);
  await expect(line(page)).toContainText('tokens/s');
  const time = await theirs(page);
  expect(Number(await line(page).getAttribute('data-value'))).toBe(time.tokens_per_second!.value);
  const { value, low, high } = time.tokens_per_second!;
  const three = (number: number): string => number.toPrecision(3);
  await expect(line(page)).toContainText(`about ${three(value)} tokens/s, ${three(low)} to ${three(high)}`);
  await expect(line(page)).toContainText(`first token after ${three(time.first_token!.seconds)} s`);
  await expect(line(page)).toContainText('bound by bandwidth');
});

test('where no printed speeds foretell it, a limit that says it is one', async ({ page, open }) => {
  await open(limited);
  await expect(line(page)).toContainText(`at most ${(await theirs(page)).roof!.tokens_per_second!.toPrecision(3)} tokens/s`);
  await expect(line(page).locator('.limit')).toHaveText('limit');
  await unfolded(page);
  await expect(body(page)).toContainText('These are limits, not estimates');
  await expect(body(page).locator('tr[data-time-row]')).toHaveCount(0);
});

test('what cannot be told is said in one sentence, and nothing else', async ({ page, open }) => {
  await open('model=llama-3-8b&device=h100-sxm-80gb&runtime=llama.cpp&gpu-layers=10');
  await expect(line(page)).toHaveText('No speed is given: the speed of the link to host memory is not known.');
  await unfold(page);
  await expect(body(page)).toHaveText('No speed is given: the speed of the link to host memory is not known.');
});

test('what does not fit has no speed', async ({ page, open }) => {
  await open('model=qwen3-32b&device=rtx-4090&runtime=llama.cpp');
  await expect(page.locator('plimsoll-possible h2')).toBeVisible();
  await expect(line(page)).toHaveCount(0);
});

test('the engine that tells times is not fetched for a first look', async ({ page, open }) => {
  const fetched: string[] = [];
  page.on('request', (one) => fetched.push(one.url()));
  await open('model=llama-3-8b');
  await page.waitForLoadState('networkidle');
  expect(fetched.filter((url) => /whole|rates/.test(url))).toEqual([]);
  await unfolded(page);
  expect(fetched.filter((url) => /rates\.json$/.test(url)).length).toBe(1);
  await expect(line(page)).toContainText('at most');
});

test('without a network that is said, and the next change tries again', async ({ page, open, complaints }) => {
  await page.route(/rates\.json$/, (route) => route.fulfill({ status: 503 }));
  await open(told);
  await unfold(page);
  await expect(body(page).locator('p')).toContainText('could not be loaded');
  await page.unroute(/rates\.json$/);
  await page.getByLabel('Sequences at once').fill('2');
  await expect(body(page).locator('[data-complete="true"]')).toBeVisible();
  expect(complaints.splice(0).every((text) => text.includes('503'))).toBe(true);
});

test('passes and rows are those of the command line, and a row opens to its formula', async ({ page, open }) => {
  await open(told);
  await unfolded(page);
  const time = await theirs(page);
  for (const pass of ['prefill', 'token'] as const)
    expect(Number(await body(page).locator(`tr[data-pass="${pass}"]`).getAttribute('data-value'))).toBe(time[pass]!.seconds);
  for (const { id, seconds } of time.token!.rows)
    expect(Number(await body(page).locator(`tr[data-time-row="${id}"]`).getAttribute('data-seconds')), id).toBe(seconds);
  await body(page).getByRole('button', { name: 'Kernel launches' }).click();
  await expect(body(page).locator('.explanation')).toContainText('seconds of a launch');
  await body(page).getByText('The prompt', { exact: true }).last().click();
  const norm = time.prefill!.rows.find(({ id }) => id === 'norm')!;
  await expect(body(page).locator('tr[data-time-row="norm"]')).toHaveAttribute('data-seconds', String(norm.seconds));
});

test('the roofline is drawn, and stands in a table too', async ({ page, open }) => {
  await open(told);
  await unfolded(page);
  await expect(page.locator('plimsoll-roofline canvas')).toBeVisible();
  await expect(body(page)).toContainText('Bandwidth 1.01\u00a0TB/s');
  await body(page).getByText('The operations as a table').click();
  const { operations } = (await theirs(page)).token!;
  await expect(body(page).locator('table.figures').first().locator('tbody tr')).toHaveCount(operations.length);
});

test('speed against sequences and context: each point is an estimate', async ({ page, open }) => {
  await open(told);
  await unfolded(page);
  const curve = page.locator('plimsoll-speed-curve');
  await curve.getByText('Context', { exact: true }).click();
  await expect(curve.locator('plimsoll-speeds')).toHaveAttribute('label', /Context/);
  await expect(curve.locator('plimsoll-speeds canvas')).toBeVisible();
  await curve.getByText('The numbers as a table').click();
  const asked = JSON.parse(await request(page)) as { inference: object };
  const reply = commandLine(JSON.stringify({ ...asked, time: true, inference: { ...asked.inference, context: 1024 } }));
  const value = 'error' in reply ? 0 : reply.time!.tokens_per_second!.value;
  await expect(curve.getByRole('row', { name: /^1,024 / })).toContainText(value.toPrecision(3));
});

test('a price of an hour gives tokens, a power an upper bound of energy, and neither is kept', async ({ page, open }) => {
  await open(told);
  await unfolded(page);
  await body(page).getByLabel('Price of an hour').fill('0.5');
  const { value, low } = (await theirs(page)).tokens_per_second!;
  expect(Number(await body(page).locator('[data-tokens]').getAttribute('data-tokens'))).toBeCloseTo(value * 7200, 3);
  await body(page).getByLabel('Board power (watts)').fill('450');
  expect(Number(await body(page).locator('[data-energy]').getAttribute('data-energy'))).toBeCloseTo(450 / 3.6 / low, 6);
  await expect(body(page)).toContainText('Upper bound');
  await body(page).getByLabel('Price of an hour').fill('free');
  await expect(body(page).getByRole('alert')).toHaveText('Not a number above 0.');
  expect(page.url()).not.toContain('450');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('450');
});

test('within a latency the largest batch, and for a speed the fewest devices: what is found goes into the form', async ({ page, open }) => {
  await open('model=llama-3-8b&device=h100-sxm-80gb&runtime=tensorrt-llm&context=8192');
  await unfolded(page);
  const limits = page.locator('plimsoll-limits');
  await limits.getByLabel('Time of a token, at most (ms)').fill('30');
  await limits.getByRole('button', { name: 'Find the largest batch' }).click();
  const asked = JSON.parse(await request(page)) as object;
  const said = printed('solve', { request: asked, find: 'inference.sequences', limit: { token_seconds: 0.03 } }) as { value: number };
  await expect(limits.locator('[data-found]')).toHaveAttribute('data-found', String(said.value));
  await limits.locator('[data-take="latency"]').click();
  await settled(page);
  expect(JSON.parse(await request(page))).toMatchObject({ inference: { sequences: said.value } });
  await expect(limits.locator('[data-found]')).toHaveCount(0);
  await limits.getByLabel('Tokens/s in all, at least').fill('much');
  await expect(limits.getByRole('alert')).toHaveText('Not a number above 0.');
  await expect(limits.getByRole('button', { name: 'Find the fewest devices' })).toBeDisabled();
});

test('a search that the engine refuses says why', async ({ page, open }) => {
  await open(limited);
  await unfolded(page);
  const limits = page.locator('plimsoll-limits');
  await limits.getByLabel('Time of a token, at most (ms)').fill('30');
  await limits.getByLabel('Time of a token, at most (ms)').press('Enter');
  await expect(limits.locator('[data-refused]')).toContainText('published speeds of this runtime on such devices are missing');
});

test('values whose speed nobody knows are named', async ({ page, open }) => {
  await open(`${told}&weights=gguf-q4_k_m`);
  await unfolded(page);
  const limits = page.locator('plimsoll-limits');
  await limits.getByLabel('Time of a token, at most (ms)').fill('50');
  await limits.getByLabel('Time of a token, at most (ms)').press('Enter');
  await expect(limits.locator('[data-found="1"]')).toContainText('No speed is known from 2 to');
});

test('the tokens of a training make days, in the form, the link and the table', async ({ page, open }) => {
  const training = 'task=training&model=llama-3.1-8b&device=h100-sxm-80gb&method=full&framework=fsdp&train-devices=16&sequence=8192';
  await open(training);
  await unfolded(page);
  await expect(body(page).locator('tr[data-pass="days"]')).toHaveCount(0);
  await body(page).getByLabel('Tokens of the whole training (billions)').fill('15000');
  await settled(page);
  expect(JSON.parse(await request(page))).toMatchObject({ training: { tokens: 15e12 } });
  const { days } = await theirs(page);
  await expect(body(page).locator('tr[data-pass="days"]')).toHaveAttribute('data-value', String(days!.value));
  await expect(body(page).locator('tr[data-pass="days"]')).toContainText('days');
  await expect.poll(() => page.url()).toContain('tokens=15000');
  await expect(body(page)).toContainText('tokens of the training');
  await expect(body(page).locator('plimsoll-roofline canvas')).toBeVisible();
  await expect(body(page).getByText('The operations as a table')).toBeVisible();
  const limits = page.locator('plimsoll-limits');
  await expect(limits.locator('[data-typed="latency"]')).toHaveCount(0);
  await limits.getByLabel('Tokens/s in all, at least').fill('100000');
  await limits.getByRole('button', { name: 'Find the fewest devices' }).click();
  const asked = JSON.parse(await request(page)) as object;
  const said = printed('solve', { request: asked, find: 'devices', limit: { tokens_per_second: 100_000 } }) as { value: number };
  await expect(limits.locator('[data-found]')).toHaveAttribute('data-found', String(said.value));
});

test('with the keyboard: from the line to the fold, and to a row', async ({ page, open }) => {
  await open(told);
  await page.locator('plimsoll-speed button').focus();
  await page.keyboard.press('Enter');
  await expect(body(page).locator('[data-complete="true"]')).toBeVisible();
  await expect(page.locator('[data-fold="time"]')).toBeFocused();
  await body(page).locator('tr[data-time-row="attention"] button').focus();
  await page.keyboard.press('Space');
  await expect(body(page).locator('#time-detail-attention')).toBeVisible();
});

test('beside each other: speeds where they are wanted, and a limit is called one', async ({ page, open }) => {
  await open(told);
  const time = await theirs(page);
  await page.locator('[data-tool="pin"]').click();
  await page.getByLabel('Runtime').selectOption('vllm');
  await settled(page);
  const comparison = page.locator('plimsoll-comparison');
  await expect(comparison.locator('[data-complete="true"]')).toHaveCount(1);
  await expect(comparison.locator('.speed')).toHaveCount(0);
  await comparison.getByLabel('Speeds as well').check();
  await expect(comparison.locator('[data-compared="0"] .speed')).toHaveAttribute('data-speed', String(time.tokens_per_second!.value));
  await expect(comparison.locator('[data-compared="1"] .speed')).toContainText('limit: at most');
  await expect(comparison.locator('[data-compared="1"] .speed')).toHaveAttribute('data-most', String((await theirs(page)).roof!.tokens_per_second));
  expect(await violations(page)).toEqual([]);
});

for (const width of [390, 1280]) {
  test(`at ${width} pixels, nothing moves when the line comes`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(() => {
      const heights: number[] = ((window as unknown as { heights: number[] }).heights = []);
      const watch = (): void => {
        const card = document.querySelector('plimsoll-app')?.shadowRoot?.querySelector('plimsoll-calculator')?.shadowRoot?.querySelector('.summary');
        const parts = [...(card?.querySelectorAll('.brief, .picture') ?? [])];
        if (card?.hasAttribute('data-total')) heights.push(parts.reduce((sum, one) => sum + Math.round(one.getBoundingClientRect().height), 0));
        requestAnimationFrame(watch);
      };
      watch();
    });
    await open(told);
    await expect(line(page)).toBeVisible();
    await settled(page);
    const heights = await page.evaluate(() => (window as unknown as { heights: number[] }).heights);
    expect([...new Set(heights)]).toHaveLength(1);
  });
}

for (const [language, words] of [
  ['en', 'Roofline'],
  ['zh-CN', '屋顶线'],
] as const) {
  test(`in ${language}, for those who do not see it`, async ({ page, open }) => {
    await open(`${told}&lang=${language}`);
    await unfolded(page);
    await expect(body(page)).toContainText(words);
    await expect(page.locator('plimsoll-speeds canvas')).toBeVisible();
    await body(page).locator('tr[data-time-row="attention"] button').click();
    expect(await violations(page)).toEqual([]);
    const text = await body(page).innerText();
    if (language !== 'en') expect(text).not.toMatch(/tokens|seconds|bound|limit/i);
  });
}
