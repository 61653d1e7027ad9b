// The tags in someone else's page: what their author wrote stands at once, what is live takes its place when it comes into view, and
// attributes, properties, events and methods are as docs/embedding/README.md says.

import { bytesOf, commandLine, expect, type Page, test } from './kit.ts';
import { foreign, html, policyOf, type Told, written } from './foreign.ts';

const tag = (page: Page, name = 'calculator') => page.locator(`plimsoll-${name}`);

/** What a tag answers, once it does. */
const answered = (page: Page, name?: string): Promise<Told> =>
  tag(page, name).evaluate((one) => (one as unknown as { answered(): Promise<Told> }).answered());

/** The next event of a tag, after something has been done to it. */
const after = (page: Page, event: string, work: string): Promise<Told> =>
  tag(page).evaluate(
    (one, [event, work]) =>
      new Promise<Told>((done) => {
        one.addEventListener(event!, (told) => done((told as CustomEvent<Told>).detail), { once: true });
        if (work!.startsWith('-')) one.removeAttribute(work!.slice(1));
        else {
          const [name, value] = work!.split('=') as [string, string];
          if (name.startsWith('.')) Reflect.set(one, name.slice(1), JSON.parse(value));
          else one.setAttribute(name, value);
        }
      }),
    [event, work] as const,
  );

const totalOf = ({ reply, error }: Told): number => {
  if (!reply) throw new Error(JSON.stringify(error));
  return bytesOf(reply);
};

test('what its author wrote stands at once, and nothing else is fetched until it comes into view', async ({ page, site, complaints }) => {
  const words = ['--model', 'llama-3-8b', '--device', 'rtx-4090', '--context', '8k'];
  const host = await foreign(site, `<canvas height="3000"></canvas>${html(words)}`, complaints);
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(host.url);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(host.asked()).toEqual(['/plimsoll-calculator.js']);
  await expect(tag(page).locator('table')).toContainText('kv cache');
  await tag(page).scrollIntoViewIfNeeded();
  const told = await answered(page);
  expect(totalOf(told)).toBe(bytesOf(commandLine(JSON.stringify(told.request))));
  expect(written(words)).toContain((totalOf(told) / 2 ** 30).toFixed(2));
  await expect(tag(page).locator('table tbody').first()).not.toBeVisible();
  await expect(tag(page).locator('.summary .value')).toHaveText('17.33');
  expect(host.asked()).toEqual(['/plimsoll-calculator.js', '/plimsoll-engine.js']);
  await host.close();
});

test('without JavaScript it reads as well', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const host = await foreign(site, html(['--model', 'llama-3-8b', '--device', 'rtx-4090']));
  await page.goto(host.url);
  await expect(page.getByRole('table')).toContainText('weights');
  await expect(page.locator('plimsoll-calculator')).toContainText('in all, as nvidia-smi shows it');
  await context.close();
  await host.close();
});

test('an answer to other attributes is not shown as if it were one', async ({ page, site, complaints }) => {
  const old = html(['--model', 'llama-3-8b', '--device', 'rtx-4090']).replace('model="llama-3-8b"', 'model="llama-3-70b"');
  const host = await foreign(site, old, complaints, { blocked: ['/plimsoll-engine.js'] });
  await page.route('**/plimsoll-engine.js', (route) => route.abort());
  await page.goto(host.url);
  await expect(tag(page).locator('.waiting')).toHaveText('Plimsoll · llama-3-70b · rtx-4090');
  await expect(tag(page).locator('table')).not.toBeVisible();
  await page.unroute('**/plimsoll-engine.js');
  await host.close();
});

test('attributes set, changed and removed at run time, and properties, are what is asked', async ({ page, site, complaints }) => {
  const host = await foreign(site, '<plimsoll-calculator model="llama-3-8b" device="rtx-4090" context="8192"></plimsoll-calculator>', complaints);
  await page.goto(host.url);
  const first = await answered(page);
  expect(first.request).toMatchObject({ model: { preset: 'llama-3-8b' }, inference: { context: 8192 } });
  const changed = await after(page, 'plimsoll-change', 'context=4096');
  expect(changed.request).toMatchObject({ inference: { context: 4096 } });
  expect(totalOf(changed)).toBe(bytesOf(commandLine(JSON.stringify(changed.request))));
  const removed = await after(page, 'plimsoll-change', '-context');
  expect(removed.request).not.toHaveProperty('inference.context');
  await after(page, 'plimsoll-change', 'runtime=llama.cpp');
  const property = await after(page, 'plimsoll-change', '.gpuLayers=8');
  await expect(tag(page)).toHaveAttribute('gpu-layers', '8');
  expect(property.request).toMatchObject({ inference: { offload: { gpu_layers: 8 } } });
  const asked = { schema: 1, task: 'training', model: { preset: 'qwen3-0.6b' }, device: { preset: 'h100-sxm-80gb' }, training: { method: 'lora' } };
  const whole = await after(page, 'plimsoll-change', `.request=${JSON.stringify(asked)}`);
  // the other attributes are laid over the request
  expect(whole.request).toMatchObject({ task: 'training', model: { preset: 'llama-3-8b' }, training: { method: 'lora' } });
  const read = await tag(page).evaluate((one) => JSON.parse((one as unknown as { request: string }).request) as object);
  expect(read).toEqual(whole.request);
  await host.close();
});

test('times and logs are off where their page does not ask for them, and a log is read under its policy', async ({ page, site, complaints }) => {
  const plain = '<plimsoll-calculator model="llama-3-8b" device="rtx-4090" runtime="llama.cpp" context="8192"></plimsoll-calculator>';
  const host = await foreign(site, plain, complaints);
  await page.goto(host.url);
  await answered(page);
  await expect(tag(page).locator('[data-fold="assumed"]')).toBeVisible();
  for (const fold of ['time', 'reconcile']) await expect(tag(page).locator(`[data-fold="${fold}"]`)).toHaveCount(0);
  await expect(tag(page).locator('plimsoll-speed')).toHaveCount(0);
  await tag(page).evaluate((one) => {
    one.setAttribute('time', '');
    one.setAttribute('reconcile', '');
  });
  await expect(tag(page).locator('[data-fold="time"]')).toBeVisible();
  await tag(page).locator('[data-fold="reconcile"]').click();
  const box = tag(page).locator('plimsoll-reconcile');
  await box
    .locator('textarea')
    .fill(
      ['print_info: general.name = Meta-Llama-3-8B', 'print_info: file type = F16', 'load_tensors: CUDA0 model buffer size = 14315.02 MiB'].join(
        '\n',
      ),
    );
  await expect(box.locator('.tool')).toContainText('llama.cpp');
  await expect(box.locator('tr[data-counter="model_buffer"]').first()).toBeVisible();
  await tag(page).evaluate((one) => one.setAttribute('reconcile', 'false'));
  await expect(tag(page).locator('[data-fold="reconcile"]')).toHaveCount(0);
  await host.close();
});

test('what a request says beyond the form is named, in its language, and nothing else is', async ({ page, site, complaints }) => {
  const asked = {
    schema: 1,
    task: 'training',
    explain: 'rows',
    model: { preset: 'llama-3-8b' },
    device: { preset: 'h100-sxm-80gb' },
    training: { method: 'lora', micro_batch: 2, lora: { rank: 16 } },
  };
  const beyond = { ...asked, training: { ...asked.training, lengths: [512, 1024] } };
  const host = await foreign(site, `<plimsoll-calculator request='${JSON.stringify(beyond)}'></plimsoll-calculator>`, complaints);
  await page.goto(host.url);
  await answered(page);
  const said = tag(page).locator('p[role=note]');
  await expect(said).toHaveText('This calculator has no field for training.lengths and answers without.');
  await tag(page).evaluate((one) => one.setAttribute('lang', 'zh-CN'));
  await expect(said).toContainText('未计入：training.lengths');
  await tag(page).evaluate((one, text) => one.setAttribute('request', text), JSON.stringify(asked));
  await expect(said).toHaveCount(0);
  await host.close();
});

test('what cannot be is told as an error, and the next good answer as a change', async ({ page, site, complaints }) => {
  const host = await foreign(site, '<plimsoll-calculator model="llama-3-8b" device="rtx-4090"></plimsoll-calculator>', complaints);
  await page.goto(host.url);
  await answered(page);
  const wrong = await after(page, 'plimsoll-error', 'model=no-such-model');
  expect(wrong.error).toMatchObject({ where: 'model.preset' });
  expect(totalOf(await after(page, 'plimsoll-change', 'model=llama-3-8b'))).toBeGreaterThan(0);
  const broken = await after(page, 'plimsoll-error', 'request={');
  expect(broken.error).toMatchObject({ code: 'not_a_request', where: 'request' });
  await expect(tag(page).getByRole('alert')).toBeVisible();
  await host.close();
});

test('what a script has set before the tag is known holds', async ({ page, site, complaints }) => {
  const host = await foreign(site, '', complaints, { late: true });
  await page.goto(host.url);
  await page.evaluate((url) => {
    const one = Object.assign(document.createElement('plimsoll-calculator'), { model: 'qwen3-0.6b', context: 2048 });
    document.body.append(one);
    document.head.append(Object.assign(document.createElement('script'), { src: url }));
  }, `${site}/plimsoll-calculator.js`);
  expect((await answered(page)).request).toMatchObject({ model: { preset: 'qwen3-0.6b' }, inference: { context: 2048 } });
  await host.close();
});

test('what is locked stays for readers, links and scripts; the markup alone decides', async ({ page, site, complaints }) => {
  const host = await foreign(
    site,
    '<plimsoll-calculator locked="model context" model="llama-3-8b" context="4096"></plimsoll-calculator>',
    complaints,
  );
  await page.goto(host.url);
  await answered(page);
  const refused = await after(page, 'plimsoll-error', '.context=8192');
  expect(refused.error).toMatchObject({ code: 'locked', where: 'context' });
  await expect(tag(page)).toHaveAttribute('context', '4096');
  const asked = { schema: 1, task: 'inference', model: { preset: 'llama-3-70b' }, inference: { context: 65536, sequences: 3 } };
  const proposed = await after(page, 'plimsoll-change', `.request=${JSON.stringify(asked)}`);
  expect(proposed.request).toMatchObject({ model: { preset: 'llama-3-8b' }, inference: { context: 4096, sequences: 3 } });
  await expect(page.locator('#inference-context')).toBeDisabled();
  const markup = await after(page, 'plimsoll-change', 'context=2048');
  expect(markup.request).toMatchObject({ inference: { context: 2048, sequences: 3 } });
  await host.close();
});

test('all tags of a page share one engine', async ({ page, site, complaints }) => {
  const tags = '<plimsoll-calculator size="row" model="llama-3-8b"></plimsoll-calculator><plimsoll-bytes model="llama-3-8b"></plimsoll-bytes>';
  const host = await foreign(site, tags.repeat(3) + '<plimsoll-chart model="llama-3-8b"></plimsoll-chart>', complaints);
  await page.goto(host.url);
  await expect(page.locator('plimsoll-bytes[data-live]')).toHaveCount(3);
  await expect(page.locator('.legend').first()).toBeVisible();
  expect(host.asked()).toEqual(['/plimsoll-calculator.js', '/plimsoll-engine.js']);
  await host.close();
});

test('its methods answer', async ({ page, site, complaints }) => {
  const host = await foreign(site, '<plimsoll-calculator model="llama-3-8b" context="8192"></plimsoll-calculator>', complaints);
  await page.goto(host.url);
  await answered(page);
  const said = await tag(page).evaluate(async (one) => {
    const it = one as unknown as { explain(row: string): Promise<string[]>; estimate(asked: object): Promise<unknown>; link(): string };
    return {
      lines: await it.explain('kv_cache'),
      reply: await it.estimate({ schema: 1, task: 'inference', model: { preset: 'gpt2' } }),
      link: it.link(),
    };
  });
  expect(said.lines.join('\n')).toContain('num_hidden_layers');
  expect(said.reply).toMatchObject({ model: { architecture: 'GPT2LMHeadModel' } });
  expect(said.link).toBe('context=8192');
  await host.close();
});

test('its script is taken from where the author says, of its own origins alone', async ({ page, site, complaints }) => {
  const other = '<plimsoll-calculator engine-src="https://evil.test/x.js" model="llama-3-8b"></plimsoll-calculator>';
  const host = await foreign(site, other, complaints);
  await page.addInitScript(() => addEventListener('plimsoll-error', (event) => Reflect.set(window, 'told', (event as CustomEvent<Told>).detail)));
  await page.goto(host.url);
  await expect.poll(() => page.evaluate(() => (Reflect.get(window, 'told') as Told | undefined)?.error?.what)).toContain('engine-src must be of');
  const told = await tag(page).evaluate(async (one, url) => {
    const it = one as unknown as { answered(): Promise<Told> };
    const changed = new Promise((done) => one.addEventListener('plimsoll-change', done, { once: true })); // before it can be
    one.setAttribute('engine-src', url);
    one.remove();
    document.body.append(one);
    await changed;
    return it.answered();
  }, `${site}/plimsoll-engine.js?own`);
  expect(totalOf(told)).toBeGreaterThan(0);
  expect(host.asked()).toEqual(['/plimsoll-calculator.js', '/plimsoll-engine.js?own']);
  await host.close();
});

test('one policy of Trusted Types is all it needs, and it is given to nobody', async ({ page, site, complaints }) => {
  expect(policyOf(site)).toContain('trusted-types plimsoll;');
  const host = await foreign(site, '<plimsoll-calculator model="llama-3-8b"></plimsoll-calculator>', complaints);
  await page.goto(host.url);
  await answered(page);
  const left = await page.evaluate(() => [...document.scripts].flatMap((script) => Object.getOwnPropertySymbols(script)).length);
  expect(left).toBe(0);
  await host.close();
});
