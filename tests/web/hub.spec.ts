// A model by its name on the hub: asked for by a button alone, said plainly when it fails; the other builds cannot ask.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gguf, metadata, split, tensors as ggufTensors } from '../files/gguf.mjs';
import { config, safetensors, sharded, tensors } from './checkpoint.mjs';
import { serveHub } from './hub_server.mjs';
import { expect, type Page, request, settled, test as base } from './kit.ts';
import { dist, serveSite } from './server.ts';

const file = (value: unknown) => {
  const head = Buffer.from(JSON.stringify(value));
  return { head, size: head.length };
};
const large = config({
  hidden_size: 2048,
  intermediate_size: 8192,
  num_hidden_layers: 16,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
});
const files = { 'config.json': file(large), 'README.md': file('hello'), ...sharded(tensors(large), 3) };
const single = { 'config.json': file(large), 'model.safetensors': safetensors(tensors(large)) };

const test = base.extend<{ hub: Awaited<ReturnType<typeof serveHub>>; fetch: (name: string, token?: string) => Promise<void> }>({
  hub: async ({}, use) => {
    const hub = await serveHub({
      'someone/open': { files },
      'someone/gated': { files, gated: 'hf_secret' },
      'someone/limited': { files, limited: 30 },
      'someone/silent': { files, manner: 'silent' },
      'someone/broken': { files, manner: 'broken' },
      'someone/cut': { files: single, manner: 'cut' },
      'someone/rangeless': { files: single, manner: 'rangeless' },
      'someone/astray': { files: single, manner: 'astray' },
      'someone/gguf': { files: { 'M-Q4_K_M.gguf': gguf(metadata(), ggufTensors()), ...split(2, 'Q6_K/M-Q6_K') } },
    });
    await use(hub);
    await hub.close();
  },
  fetch: async ({ page, hub, complaints }, use) => {
    const site = await serveSite(hub);
    await page.goto(site.url);
    await settled(page);
    await page.getByText('From files', { exact: true }).click();
    await expect(page.getByRole('radio', { name: 'From files' })).toBeChecked();
    await page.getByText('By name: Hugging Face').click();
    await use(async (name, token) => {
      await page.getByLabel('Model on the hub').fill(name);
      if (token) await page.getByLabel('Access token').fill(token);
      await page.getByRole('button', { name: /^Fetch from/ }).click();
    });
    // Asking the hub is what these tests are about; what it refuses, the browser notes.
    const hosts = [hub.url, hub.store, hub.elsewhere];
    const refusal = /Failed to load resource|Content Security Policy|violates/;
    const own = complaints.filter((one) => !refusal.test(one) && !hosts.some((host) => one.includes(host)));
    complaints.splice(0, complaints.length, ...own);
    await site.close();
  },
});

const failure = (page: Page) => page.locator('.refused-files');

test('nothing is asked before the button, and the text above it says of whom', async ({ page, hub, fetch }) => {
  await expect(page.getByRole('button', { name: /^Fetch from/ })).toBeDisabled();
  await page.getByLabel('Model on the hub').fill('someone/open');
  const { host } = new URL(hub.url);
  await expect(page.locator('#hub-promise')).toContainText(`asks ${host} for the list`);
  await expect(page.getByRole('button', { name: `Fetch from ${host}` })).toHaveAccessibleDescription(/first bytes of each safetensors or GGUF file/);
  expect(hub.asked).toEqual([]);
  await fetch('someone/open');
  await expect(page.locator('.inspection')).toBeVisible();
});

test('config, index and headers become the model; the weights stay where they are', async ({ page, hub, fetch }) => {
  await fetch('someone/open');
  await expect(page.locator('.inspection')).toContainText('LlamaForCausalLM');
  await expect(page.locator('.inspection .warning')).toHaveCount(0);
  expect(JSON.parse(await request(page)).model.config).toEqual(large);
  const stored = hub.asked.filter(({ host, method }) => host === 'store' && method === 'GET');
  const shards = stored.filter(({ path }) => path.endsWith('.safetensors'));
  expect(shards.map(({ range }) => range)).toEqual(Array(3).fill('bytes=0-65535'));
});

test('a name that the list has no preset of is fetched from there, and the host is named before', async ({ page, hub, fetch }) => {
  expect(fetch).toBeDefined(); // the page is open
  await page.getByRole('radiogroup', { name: 'Model' }).getByText('From the list').click();
  const { host } = new URL(hub.url);
  await page.locator('#model-preset').fill('https://huggingface.co/someone/open/tree/main');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(`Fetch someone/open from ${host}`);
  expect(hub.asked).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.locator('.inspection')).toContainText('LlamaForCausalLM');
  expect(JSON.parse(await request(page)).model.config).toEqual(large);
});

test('a GGUF by its type, in parts: headers alone', async ({ page, hub, fetch }) => {
  await fetch('someone/gguf:Q6_K');
  await expect(page.locator('.inspection')).toContainText('LlamaForCausalLM');
  expect(JSON.parse(await request(page)).model.config.hidden_size).toBe(256);
  const stored = hub.asked.filter(({ host, method }) => host === 'store' && method === 'GET');
  expect(stored.map(({ path }) => path.split('/').at(-1)).sort()).toEqual(['M-Q6_K-00001-of-00002.gguf', 'M-Q6_K-00002-of-00002.gguf']);
  await fetch('someone/gguf:Q3_K_S');
  await expect(failure(page)).toContainText('holds no GGUF Q3_K_S. There are: Q4_K_M, Q6_K');
});

test('a gated model: without a token, with the wrong one, with the right one, which is kept nowhere', async ({ page, hub, fetch }) => {
  await fetch('someone/gated');
  await expect(failure(page)).toContainText('is private or gated');
  await fetch('someone/gated', 'closed');
  await expect(failure(page)).toContainText('ask for access there');
  await fetch('someone/gated', 'hf_secret');
  await expect(page.locator('.inspection')).toBeVisible();
  await settled(page);
  await expect(page).toHaveURL(/config=/);
  expect(page.url()).not.toContain('secret');
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]));
  expect(kept).not.toContain('secret');
  expect(hub.asked.filter(({ host, token }) => host === 'store' && token)).toEqual([]);
  await page.reload();
  await page.getByText('By name: Hugging Face').click();
  await expect(page.getByLabel('Access token')).toHaveValue('');
});

const failures: Record<string, [string, RegExp]> = {
  'no such model': ['someone/nothing', /does not exist on .*Check the name/],
  'no name of a model': ['what is this', /not the name of a model/],
  'too many requests': ['someone/limited', /no more requests for now.*in 30 seconds/],
  'an answer that is no list': ['someone/broken', /cut short or not as expected/],
  'a header that is cut short': ['someone/cut', /model\.safetensors.*cut short/],
  'a redirect to where the page may not go': ['someone/astray', /model\.safetensors.*another host.*drop it here/],
};

for (const [what, [name, said]] of Object.entries(failures)) {
  test(`${what}: said plainly, and the model stays`, async ({ page, fetch }) => {
    const before = await request(page);
    await fetch(name);
    await expect(failure(page)).toContainText(said);
    await expect(failure(page)).toHaveAttribute('role', 'alert');
    expect(await request(page)).toBe(before);
  });
}

test('offline is called offline', async ({ page, context, fetch }) => {
  // The readers came when files were first looked for; only the hub is out of reach.
  await fetch('someone/open');
  await expect(page.locator('.inspection')).toBeVisible();
  await context.setOffline(true);
  await fetch('someone/open');
  await expect(failure(page)).toContainText('There is no network');
});

test('a hub that says nothing can be stopped', async ({ page, fetch }) => {
  await fetch('someone/silent');
  await expect(page.getByRole('progressbar', { name: 'Reading files' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.reading')).toHaveCount(0);
  await expect(failure(page)).toHaveCount(0);
});

test('a server that ignores ranges is not read to its end', async ({ page, hub, fetch }) => {
  await fetch('someone/rangeless');
  await expect(page.locator('.inspection')).toBeVisible();
  const [weights] = hub.asked.filter(({ host, method }) => host === 'store' && method === 'GET');
  expect(weights!.sent).toBeLessThan(single['model.safetensors'].size / 10);
});

test('the site alone has the code that asks a hub', async ({ page, open }) => {
  const asks = /\/api\/models\//;
  for (const name of ['plimsoll.html', 'plimsoll-calculator.js', 'plimsoll-calculator.all.js', 'plimsoll-engine.js', 'plimsoll.js'])
    expect(readFileSync(join(dist, name), 'utf8')).not.toMatch(asks);
  const pieces = readdirSync(join(dist, 'assets')).filter(
    (name) => name.endsWith('.js') && asks.test(readFileSync(join(dist, 'assets', name), 'utf8')),
  );
  expect(pieces).toHaveLength(1);
  const loaded: string[] = [];
  page.on('request', (one) => loaded.push(one.url()));
  await open();
  expect(
    loaded.some((url) => url.endsWith(pieces[0]!)),
    'it comes when it is asked for',
  ).toBe(false);
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toContain(
    "connect-src 'self' https://huggingface.co https://*.huggingface.co https://*.hf.co https://modelscope.cn https://*.modelscope.cn https://registry.ollama.ai https://",
  );
  await expect(page.locator('plimsoll-app')).toContainText(
    'except requests to huggingface.co, modelscope.cn or registry.ollama.ai, which you start yourself',
  );
});
