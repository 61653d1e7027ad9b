// Models by name from ModelScope and from Ollama's library: asked for by the button alone, of the server that the name says.

import { gguf, metadata, tensors as ggufTensors } from '../files/gguf.mjs';
import { serveRegistries } from '../files/registries.mjs';
import { config, sharded, tensors } from './checkpoint.mjs';
import { expect, type Page, request, settled, test as base } from './kit.ts';
import { serveSite } from './server.ts';

const file = (value: unknown) => {
  const head = Buffer.from(JSON.stringify(value));
  return { head, size: head.length };
};
const own = config({ hidden_size: 1024, intermediate_size: 4096, num_attention_heads: 16, vocab_size: 32000 });

const test = base.extend<{ server: Awaited<ReturnType<typeof serveRegistries>>; fetch: (name: string) => Promise<void> }>({
  server: async ({}, use) => {
    const server = await serveRegistries({
      'someone/open': { files: { 'config.json': file(own), ...sharded(tensors(own)) } },
      'library/open:8b': { files: { model: gguf(metadata(), ggufTensors()), template: file('x') } },
      'library/silent:1b': { files: { model: gguf(metadata(), ggufTensors()) }, manner: 'silent' },
    });
    await use(server);
    await server.close();
  },
  fetch: async ({ page, server, complaints }, use) => {
    const site = await serveSite(server);
    await page.goto(site.url);
    await settled(page);
    await page.getByText('From files', { exact: true }).click();
    await expect(page.getByRole('radio', { name: 'From files' })).toBeChecked();
    await page.getByText('By name: Hugging Face').click();
    await use(async (name) => {
      await page.getByLabel('Model on the hub').fill(name);
      await page.getByRole('button', { name: /^Fetch from/ }).click();
    });
    // what is refused, and what is asked of another than the site's own server, the browser notes
    const refusal = /Failed to load resource|Content Security Policy|violates/;
    const others = complaints.filter((one) => !refusal.test(one) && ![server.url, server.store].some((url) => one.includes(url)));
    complaints.splice(0, complaints.length, ...others);
    await site.close();
  },
});

const failure = (page: Page) => page.locator('.refused-files');

test('the name says who is asked, before anything is; a token is for the Hugging Face hub alone', async ({ page, server, fetch }) => {
  expect(fetch).toBeDefined();
  await expect(page.getByLabel('Access token')).toBeVisible();
  await page.getByLabel('Model on the hub').fill('ollama:qwen3:8b');
  await expect(page.getByRole('button', { name: 'Fetch from registry.ollama.ai' })).toBeVisible();
  await expect(page.locator('#hub-promise')).toContainText('asks registry.ollama.ai for the list');
  await expect(page.getByLabel('Access token')).toHaveCount(0);
  await page.getByLabel('Model on the hub').fill('https://modelscope.cn/models/Qwen/Qwen3-8B');
  await expect(page.getByRole('button', { name: 'Fetch from modelscope.cn' })).toBeVisible();
  expect(server.asked).toEqual([]);
});

test("a tag of Ollama's library becomes the model, its header alone", async ({ page, server, fetch }) => {
  await fetch(`ollama:${server.url}/library/open:8b`);
  await expect(page.locator('.inspection')).toContainText('LlamaForCausalLM');
  expect(JSON.parse(await request(page)).model.config.hidden_size).toBe(256);
  const stored = server.asked.filter(({ host }) => host === 'store');
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.every(({ range }) => range)).toBe(true);
});

test('a repository of ModelScope becomes the model', async ({ page, server, fetch }) => {
  await fetch(`modelscope:${server.url}/models/someone/open`);
  await expect(page.locator('.inspection')).toContainText('LlamaForCausalLM');
  expect(JSON.parse(await request(page)).model.config).toEqual(own);
});

test('no such tag, and a mirror that the page may not ask, are said plainly; one that is silent can be stopped', async ({ page, server, fetch }) => {
  await fetch(`ollama:${server.url}/library/open:9b`);
  await expect(failure(page)).toContainText('has no such model or file');
  await fetch('ollama:http://127.0.0.1:9/library/open:8b');
  await expect(failure(page)).toContainText('This page may not ask 127.0.0.1:9.');
  await fetch(`ollama:${server.url}/library/silent:1b`);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.reading')).toHaveCount(0);
});
