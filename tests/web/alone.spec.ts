// Without a network, without a server, in a foreign page: the same answer.

import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { config, tensors, wholeFile } from './checkpoint.mjs';
import { bytesOf, commandLine, dropFiles, expect, option, request, row, settled, test, total } from './kit.ts';
import type { Reply } from '../../web/src/engine/wire';
import type { Plimsoll } from '../../web/src/library/index.d.ts';
import { dist, servePage } from './server.ts';

test('the site goes on working when the network is cut', async ({ page, context, open }) => {
  await open();
  await expect(page.locator('plimsoll-app')).toHaveAttribute('ready', '');
  const comes = [/\/texts-[^/]*\.js/, /\/presets-[^/]*\.js/, /examples\.json/, /examples-[^/]*\.js/, /\/list-[^/]*\.js/].map((name) =>
    page.waitForResponse(name),
  );
  await page.getByRole('heading', { name: 'Plimsoll' }).click();
  for (const response of comes) await (await response).finished();
  await context.setOffline(true);
  await page.getByRole('combobox', { name: 'Model' }).fill('gemma 2 27b');
  await option(page).first().click();
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  expect(JSON.parse(await request(page)).model.preset).toBe('gemma-2-27b');
  await page.getByLabel('Language').selectOption('zh-CN');
  await page.getByRole('button', { name: '文章中的数字' }).click();
  await expect(page.locator('dialog article').first()).toBeVisible();
});

test('one file from file:// answers, with no request at all', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (one) => asked.push(one.url()));
  const file = pathToFileURL(join(dist, 'plimsoll.html')).href;
  await page.goto(`${file}#model=llama-3-70b&device=h100-sxm-80gb`);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  await row(page, 'kv_cache').getByRole('button').click();
  await settled(page);
  await expect(page.locator('#detail-kv_cache math').first()).toBeVisible();
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([file]);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'/);
});

test('one file from file:// reads files too, and asks nobody for it', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (one) => asked.push(one.url()));
  const file = pathToFileURL(join(dist, 'plimsoll.html')).href;
  await page.goto(file);
  await settled(page);
  await dropFiles(page, {
    'config.json': JSON.stringify(config()),
    'model.safetensors': wholeFile(tensors(config())),
  });
  await expect(page.locator('.inspection')).toContainText('LlamaForCausalLM');
  await expect(page.locator('plimsoll-hub')).toHaveCount(0);
  await expect(page.locator('plimsoll-app')).not.toContainText('huggingface.co');
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([file]);
});

test('the library reads files in a browser', async ({ page, open, site }) => {
  await open();
  const found = await page.evaluate(
    async ([url, config, weights]) => {
      const { load } = (await import(url)) as {
        load: () => Promise<{ inspect(files: unknown[]): Promise<object> }>;
      };
      return (await load()).inspect([{ name: 'config.json', text: config }, new File([new Uint8Array(weights)], 'model.safetensors')]);
    },
    [`${site}/plimsoll.js`, JSON.stringify(config()), [...wholeFile(tensors(config()))]] as const,
  );
  expect(found).toMatchObject({
    architecture: 'LlamaForCausalLM',
    types: [{ type: 'BF16' }],
    differences: [],
  });
});

test('the library answers in a browser', async ({ page, open, site }) => {
  await open('model=gemma-2-9b&context=4096');
  const question = JSON.parse(await request(page)) as object;
  const reply = await page.evaluate(
    async ([url, question]) => {
      const { load } = (await import(url)) as {
        load: () => Promise<{ estimate(request: object): Promise<Reply> }>;
      };
      return (await load()).estimate(question);
    },
    [`${site}/plimsoll.js`, question] as const,
  );
  expect(bytesOf(reply)).toBe(await total(page));
});

test('the library lists and reads logs in a browser, as under Node, and fetches its data with the first call alone', async ({ page, open, site }) => {
  await open();
  const asked: string[] = [];
  page.on('request', (one) => asked.push(new URL(one.url()).pathname));
  const log = 'INFO 11-02 [gpu_worker.py:298] Available KV cache memory: 15.37 GiB';
  const before = await page.evaluate(async (url) => Object.keys((await import(url)) as object), `${site}/plimsoll.js`);
  expect(before).toEqual(['load']);
  expect(asked).not.toContain('/plimsoll-data.js');
  const found = await page.evaluate(
    async ([url, log]) => {
      const { load } = (await import(url!)) as { load: () => Promise<Plimsoll> };
      const plimsoll = await load();
      const { figures, tool } = await plimsoll.reconcile(log!);
      return { models: await plimsoll.list('models', 'coder 7b'), figures: figures.length, tool };
    },
    [`${site}/plimsoll.js`, log],
  );
  const underNode = (await import('../../web/src/node/index.mjs')) as { load: () => Promise<Plimsoll> };
  const listed = JSON.parse(JSON.stringify(await (await underNode.load()).list('models', 'coder 7b'))) as object;
  expect(found).toEqual({ models: listed, figures: 1, tool: 'vllm' });
  expect(asked).toContain('/plimsoll-data.js');
});

test.describe('the element in a foreign page under a strict policy', () => {
  const policy = (site: string) =>
    `default-src 'none'; script-src ${site} 'wasm-unsafe-eval'; require-trusted-types-for 'script'; trusted-types plimsoll; base-uri 'none'`;

  const embed = (site: string, attributes: string) =>
    `<h1>Docs</h1><script src="${site}/plimsoll-calculator.all.js"></script><plimsoll-calculator ${attributes}></plimsoll-calculator>`;

  test('answers as its attributes say, and asks for its script alone', async ({ page, site, complaints }) => {
    const asked: string[] = [];
    page.on('request', (one) => asked.push(new URL(one.url()).pathname));
    const foreign = await servePage(
      embed(site, 'model="mixtral-8x7b" device="a100-sxm-80gb" context="4096" lang="zh-CN" locked="model device"'),
      policy(site),
    );
    await page.goto(foreign.url);
    expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
    expect(JSON.parse(await request(page))).toMatchObject({
      model: { preset: 'mixtral-8x7b' },
      inference: { context: 4096 },
    });
    await expect(page.getByRole('combobox').first()).toBeDisabled();
    await expect(page.getByRole('tab', { name: '训练' })).toBeVisible();
    await page.locator('#inference-context').fill('8192');
    expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
    expect(asked.filter((path) => path !== '/favicon.ico')).toEqual(['/', '/plimsoll-calculator.all.js']);
    // The script is the one request that a page with an embed makes to another origin.
    expect(complaints.filter((one) => !one.endsWith('/plimsoll-calculator.all.js'))).toEqual([]);
    complaints.length = 0;
    await foreign.close();
  });

  test('draws its chart and says its command, fetching nothing for them', async ({ page, site, complaints }) => {
    const foreign = await servePage(embed(site, 'model="llama-3.1-8b" device="rtx-4090" runtime="vllm" theme="dark"'), policy(site));
    await page.goto(foreign.url);
    await settled(page);
    for (const name of ['curve', 'launch']) await page.locator(`[data-fold="${name}"]`).click();
    await expect(page.locator('plimsoll-stack canvas')).toBeVisible();
    await expect(page.locator('plimsoll-launch pre')).toContainText('vllm serve');
    expect(complaints.filter((one) => !one.endsWith('/plimsoll-calculator.all.js'))).toEqual([]);
    complaints.length = 0;
    await foreign.close();
  });

  test('follows its attributes, and fully locked shows the answer alone', async ({ page, site, complaints }) => {
    const foreign = await servePage(embed(site, 'task="training" model="llama-3-8b" locked theme="dark"'), policy(site));
    await page.goto(foreign.url);
    const before = await total(page);
    await expect(page.locator('.form')).toHaveCount(0);
    await page.locator('plimsoll-calculator').evaluate((element) => element.setAttribute('model', 'llama-3-70b'));
    await expect.poll(() => total(page)).toBeGreaterThan(5 * before);
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !one.endsWith('/plimsoll-calculator.all.js')));
    await foreign.close();
  });
});
