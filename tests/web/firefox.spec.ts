// The page in Firefox, through WebDriver BiDi: it answers as the command line does, follows its form, speaks Chinese, opens without a
// network and from a file, and stands in a foreign page. What is the same in every browser is tested in Chromium.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '../../web/node_modules/@playwright/test';
import puppeteer, { type Browser, type Page } from '../../web/node_modules/puppeteer-core';
import type { Reply } from '../../web/src/engine/wire';
import { html, policyOf } from './foreign.ts';
import { bytesOf } from './kit.ts';
import { dist, servePage, serveSite, serveVersions } from './server.ts';

const firefox = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
test.skip(!firefox, 'no Firefox on this system');
test.describe.configure({ mode: 'default' }); // one browser for all of them

let browser: Browser;
let answered: (request: string) => number;

const launched = (languages: string): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox!,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': languages },
  });

test.beforeAll(async () => {
  const { load } = (await import('../../web/src/node/engine.mjs')) as { load: () => Promise<{ ask(command: 'estimate', text: string): string }> };
  const engine = await load();
  answered = (request) => bytesOf(JSON.parse(engine.ask('estimate', JSON.stringify(JSON.parse(request)))) as Reply);
  browser = await launched('en-US, en');
});
test.afterAll(() => browser?.close());

/** A page that may not complain; `allowed`: what it says of what the test breaks. */
async function opened(url: string, work: (page: Page) => Promise<void>, within = browser, allowed = /^$/): Promise<void> {
  const page = await within.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push((error as Error).message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(url);
  await work(page);
  expect(complaints.filter((one) => !allowed.test(one))).toEqual([]);
  await page.close();
}

/** In the page: the first element that a selector finds, in whatever shadow tree. */
const finder = `(selector) => {
  const within = (root) => root.querySelector(selector) ?? [...root.querySelectorAll('*')].map((one) => one.shadowRoot && within(one.shadowRoot)).find(Boolean);
  return within(document);
}`;

/** What a function of the page gives of an element, as soon as there is one and it gives anything. */
async function of<T>(page: Page, selector: string, give: string): Promise<T> {
  const found = await page.waitForFunction(
    `(() => { const one = (${finder})(${JSON.stringify(selector)}); return one ? (${give})(one) : undefined; })()`,
    {
      timeout: 30_000,
    },
  );
  return (await found.jsonValue()) as T;
}

/** The total that is shown when the last question is answered. */
async function total(page: Page): Promise<number> {
  await of(page, 'plimsoll-calculator', '(one) => (one.shadowRoot.querySelector("plimsoll-live") ?? one).asking?.idle');
  return Number(await of<string>(page, '.summary[data-total]', '(one) => one.dataset.total'));
}

const request = (page: Page): Promise<string> =>
  of(page, 'plimsoll-calculator', '(one) => typeof one.request === "string" ? one.request : JSON.stringify(one.request)');

const answers = (page: Page): Promise<void> =>
  expect(async () => expect(await total(page)).toBe(answered(await request(page)))).toPass({ timeout: 20_000 });

/** Sets a field as a hand would: its value, then what tells of it. */
const set = (page: Page, selector: string, value: string, event = 'input'): Promise<unknown> =>
  of(
    page,
    selector,
    `(one) => { one.value = ${JSON.stringify(value)}; one.dispatchEvent(new Event('${event}', { bubbles: true, composed: true })); return 'set'; }`,
  );

test('it answers: the first view, another runtime, a training', async () => {
  const site = await serveSite();
  await opened(`${site.url}/`, async (page) => {
    await answers(page);
    expect(await page.$('#first')).toBeNull();
    await set(page, '#inference-runtime', 'vllm', 'change');
    await expect(async () => expect(JSON.parse(await request(page)).inference.runtime).toBe('vllm')).toPass();
    await answers(page);
  });
  await opened(`${site.url}/#task=training&model=qwen3-8b&device=h100-sxm-80gb&method=qlora`, answers);
  await site.close();
});

test('its slider moves the answer, and the link follows', async () => {
  const site = await serveSite();
  await opened(`${site.url}/#model=llama-3-8b&device=rtx-4090`, async (page) => {
    const before = await total(page);
    const low = await of<string>(page, '[data-field="inference.context"] input[type=range]', '(one) => one.min');
    await set(page, '[data-field="inference.context"] input[type=range]', low);
    await expect(async () => expect(await total(page)).toBeLessThan(before)).toPass();
    await answers(page);
    await expect(async () => expect(page.url()).toContain('context=')).toPass();
  });
  await site.close();
});

test('a Chinese browser reads Chinese', async () => {
  const chinese = await launched('zh-CN, zh');
  const site = await serveSite();
  await opened(
    `${site.url}/`,
    async (page) => {
      await answers(page);
      expect(await of(page, '.legend', '(one) => one.textContent')).toContain('权重');
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    },
    chinese,
  );
  await site.close();
  await chinese.close();
});

test('kept by its service worker, it opens without its server', async () => {
  const served = await serveVersions();
  await opened(
    `${served.url}/`,
    async (page) => {
      await of(page, 'plimsoll-offline[ready]', '() => navigator.serviceWorker.controller?.state === "activated"');
      await answers(page);
      await served.stop();
      await page.reload();
      await answers(page);
      await set(page, '#inference-runtime', 'llama.cpp', 'change');
      await expect(async () => expect(JSON.parse(await request(page)).inference.runtime).toBe('llama.cpp')).toPass();
      await answers(page);
    },
    browser,
    /offline\.js/, // whether there is a new version cannot be asked
  );
});

test('one file answers from file://', async () => {
  await opened(`${pathToFileURL(join(dist, 'plimsoll.html')).href}#model=llama-3-70b&device=h100-sxm-80gb`, answers);
});

test('a tag answers in a foreign page under its strict policy', async () => {
  const site = await serveSite();
  const tag = html(['--model', 'llama-3-8b', '--device', 'rtx-4090']);
  const page = await servePage(`<script src="${site.url}/plimsoll-calculator.js"></script>${tag}`, policyOf(site.url));
  await opened(
    page.url,
    async (one) => {
      await of(one, 'plimsoll-live', '(live) => live.asking?.answered > 0');
      await answers(one);
    },
    browser,
    /favicon/,
  );
  await page.close();
  await site.close();
});
