// What every test of the page shares: the site on a port of its own, a page that may neither complain nor phone
// anywhere else, and the command line to compare with.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
// The packages lie in web/, the tests beside it.
import { test as base, expect, type Locator, type Page } from '../../web/node_modules/@playwright/test';
import type { Answer, Reply } from '../../web/src/engine/wire';
import { serveSite } from './server.ts';

export { expect, type Locator, type Page };

/** The calculator as a test sees it from inside the page. */
export interface Calculator extends HTMLElement {
  request: string;
  asking: { idle: boolean; answer?: Answer };
  updateComplete: Promise<boolean>;
}

export const test = base.extend<{ open: (hash?: string) => Promise<void>; complaints: string[] }, { site: string }>({
  site: [
    async ({}, use) => {
      const server = await serveSite();
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      const own = new Set<string>();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (request.isNavigationRequest()) own.add(origin);
        if (!['data:', 'blob:'].includes(protocol) && !own.has(origin)) complaints.push(`foreign request: ${request.url()}`);
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  open: async ({ page, site }, use) => {
    await use(async (hash = '') => {
      await page.goto(`${site}/${hash && `#${hash}`}`);
      await settled(page);
    });
  },
});

export const calculator = (page: Page): Locator => page.locator('plimsoll-calculator');

/** Waits until the last question is answered and shown. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('.summary[data-total]')).toBeVisible();
  await calculator(page).evaluate(async (element) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const one = element as Calculator;
    await one.updateComplete;
    while (!one.asking.idle) await frame();
    await one.updateComplete;
  });
}

export async function total(page: Page): Promise<number> {
  await settled(page);
  return Number(await page.locator('.summary').getAttribute('data-total'));
}

export const request = (page: Page): Promise<string> => calculator(page).evaluate((element) => (element as Calculator).request);

/** What the command line answers to the same request. */
export function commandLine(question: string): Reply {
  const web = join(__dirname, '..', '..', 'web');
  const run = spawnSync(process.execPath, [join(web, 'bin', 'plimsoll.mjs'), 'estimate', '--json', '-'], {
    input: JSON.stringify(JSON.parse(question)),
    encoding: 'utf8',
  });
  return JSON.parse(run.stdout) as Reply; // a refusal, with status 1, is a reply too
}

export function bytesOf(reply: Reply): number {
  if ('error' in reply) throw new Error(`the command line refuses: ${JSON.stringify(reply.error)}`);
  return (reply.total.process ?? reply.total.reserved ?? reply.total).bytes;
}

/** An entry of the searchable list that stands open; selects have options too. */
export const option = (page: Page): Locator => page.getByRole('listbox').getByRole('option');

/** The row of the table with this path, such as `kv_cache` or `weights/attention`. */
export const row = (page: Page, path: string): Locator => page.locator(`tr[data-row="${path}"]`);

export const rowBytes = async (page: Page, path: string): Promise<number> => Number(await row(page, path).getAttribute('data-bytes'));

/** Files dropped on the page, as a hand would: text, or bytes. */
export async function dropFiles(page: Page, files: Record<string, string | Uint8Array>): Promise<void> {
  const encoded = Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')] as const);
  const transfer = await page.evaluateHandle((encoded) => {
    const data = new DataTransfer();
    for (const [name, base64] of encoded) data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    return data;
  }, encoded);
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: transfer });
}

export const drop = (page: Page, name: string, text: string): Promise<void> => dropFiles(page, { [name]: text });

/** Chooses a training tool, and gives what it shows to copy. */
export async function settingsOf(page: Page, tool: string): Promise<string> {
  const trainers = page.locator('plimsoll-trainers');
  if ((await trainers.count()) === 0) await page.locator('details[data-fold="trainers"] > summary').click();
  await trainers.getByText(tool, { exact: true }).click();
  await expect(trainers.getByRole('radio', { name: tool, exact: true })).toBeChecked();
  return (await trainers.locator('pre').allInnerTexts()).join('\n');
}
