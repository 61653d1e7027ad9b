// What every test of the page shares: the site on a port of its own, a page that may neither complain nor phone
// anywhere else, and the command line to compare with.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The packages lie in web/, the tests beside it.
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  test as base,
  expect,
  type Locator,
  type Page,
  type Request,
} from '../../web/node_modules/@playwright/test';
import axe from '../../web/node_modules/axe-core';
import type { Answer, Reply } from '../../web/src/engine/wire';
import { serveSite } from './server.ts';

export { expect, type Locator, type Page };

/** The calculator as a test sees it from inside the page. */
export interface Calculator extends HTMLElement {
  request: string;
  asking: { idle: boolean; answer?: Answer };
  updateComplete: Promise<boolean>;
}

interface TestFixtures {
  open: (hash?: string) => Promise<void>;
  /** For what has no answer to wait for, such as an empty config.json. */
  openUnanswered: (hash: string) => Promise<void>;
  complaints: string[];
}

interface WorkerFixtures {
  site: string;
  /** One profile for most tests of a worker: a new one each time takes longer than most tests do. */
  shared: Shared;
  engine: Asked;
}

/** The command line's own engine, within this process: a process for each question would take most of the time. */
interface Asked {
  ask(command: 'estimate' | 'sweep' | 'solve', text: string): string;
}

class Shared {
  private held: BrowserContext | undefined;

  constructor(
    private browser: Browser,
    private site: string,
  ) {}

  async context(): Promise<BrowserContext> {
    return (this.held ??= await this.made());
  }

  /** A page stays open for as long as the profile: the process that shows the others, and what it has compiled, stays with it. */
  private async made(): Promise<BrowserContext> {
    const context = await this.browser.newContext({ locale: language, viewport, serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto(`${this.site}/#task=training&model=llama-3-8b&device=a100-sxm-80gb`); // by the whole engine
    await answered(page);
    return context;
  }

  /** A page of its own for each test: one page for all stops to draw, and to take clicks, now and then. */
  async page(): Promise<Page> {
    const context = await this.context();
    await context.setOffline(false);
    await context.clearPermissions();
    return context.newPage();
  }

  async close(): Promise<void> {
    await this.held?.close();
    this.held = undefined;
  }
}

const language = 'en-US';
/** Only tests/web/offline.spec.ts keeps the page in the browser: elsewhere each page comes from the server, and is asked for by name. */
const blocked = 'Service Worker registration blocked by Playwright';
const viewport = { width: 1280, height: 900 };
let engine: Asked | undefined;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: [
    async ({}, use) => {
      const { load } = (await import('../../web/src/node/engine.mjs')) as {
        load: () => Promise<Asked>;
      };
      engine = await load();
      await use(engine);
    },
    { scope: 'worker', auto: true },
  ],
  shared: [
    async ({ browser, site }, use) => {
      const shared = new Shared(browser, site);
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
  // A browser of another language, or with permissions from the start, is a profile of its own.
  context: async ({ browser, shared, locale, permissions }, use, test) => {
    if (locale !== language || permissions) {
      const context = await browser.newContext({
        viewport,
        serviceWorkers: 'block',
        ...(locale && { locale }),
        ...(permissions && { permissions }),
      });
      await use(context);
      return context.close();
    }
    await use(await shared.context());
    return test.status === test.expectedStatus ? undefined : shared.close();
  },
  page: async ({ context, shared }, use) => {
    const page = context === (await shared.context()) ? await shared.page() : await context.newPage();
    await use(page);
    await page.close();
  },
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
      const said = (message: ConsoleMessage): void => {
        if (message.text() === blocked) return;
        if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
      };
      const failed = (error: Error): void => void complaints.push(`error: ${error.message}`);
      const asked = (request: Request): void => {
        const { origin, protocol } = new URL(request.url());
        if (request.isNavigationRequest()) own.add(origin);
        if (!['data:', 'blob:'].includes(protocol) && !own.has(origin)) complaints.push(`foreign request: ${request.url()}`);
      };
      page.on('console', said).on('pageerror', failed).on('request', asked);
      await use(complaints);
      page.off('console', said).off('pageerror', failed).off('request', asked);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
  openUnanswered: async ({ page, site }, use) => {
    await use(async (hash) => {
      await page.goto(`${site}/#${hash}`);
      await expect(page.locator('plimsoll-calculator .form')).toBeVisible();
    });
  },
  open: async ({ page, site }, use) => {
    await use(async (hash = '') => {
      await page.goto(`${site}/${hash && `#${hash}`}`);
      await settled(page);
    });
  },
});

export const calculator = (page: Page): Locator => page.locator('plimsoll-calculator');

/** Waits until an answer is shown, and looks at each frame: an expectation looks once in half a second. */
async function answered(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const shown = (root: ParentNode): boolean =>
      root.querySelector('.summary[data-total]') !== null ||
      [...root.querySelectorAll('*')].some(({ shadowRoot }) => shadowRoot !== null && shown(shadowRoot));
    const end = performance.now() + 30_000;
    while (!shown(document) && performance.now() < end) await new Promise(requestAnimationFrame);
  });
  await expect(page.locator('.summary[data-total]')).toBeVisible();
}

/** Waits until the last question is answered and shown. */
export async function settled(page: Page): Promise<void> {
  await answered(page);
  await calculator(page).evaluate(async (element) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    // in a foreign page the tag holds the calculator
    const one = (element.shadowRoot?.querySelector('plimsoll-live') ?? element) as Calculator;
    await one.updateComplete;
    while (!one.asking.idle) await frame();
    await one.updateComplete;
    // what comes after the answer makes room for itself: a hand would not click before it has come to rest
    for (let still = 0, frames = 0; still < 3 && frames < 60; frames++) {
      const height = one.offsetHeight;
      await frame();
      still = height === one.offsetHeight ? still + 1 : 0;
    }
  });
}

/** Waits until what a change of the window moves has been drawn, charts included. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
  });

export async function total(page: Page): Promise<number> {
  await settled(page);
  return Number(await page.locator('.summary').getAttribute('data-total'));
}

export const request = (page: Page): Promise<string> => calculator(page).evaluate((element) => (element as Calculator).request);

/** What the command line answers to the same request; that it prints what its engine says is held by tests/cli. */
export const commandLine = (question: string): Reply => JSON.parse(engine!.ask('estimate', JSON.stringify(JSON.parse(question)))) as Reply;

/** What the command line itself prints, as JSON, for requests in files: `fit`, `compare`, `plan`. */
export function printed(command: 'fit' | 'compare' | 'plan' | 'solve', ...requests: readonly object[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  const files = requests.map((request, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(request));
    return file;
  });
  const program = join(__dirname, '../../web/bin/plimsoll.mjs');
  const text = execFileSync('node', [program, command, ...files, '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  rmSync(folder, { recursive: true });
  return JSON.parse(text);
}

/** What it answers over many values of one field. */
export const commandLineSweep = (question: string, field: string, values: readonly unknown[]): { rows: Record<string, number[]> } =>
  JSON.parse(
    engine!.ask(
      'sweep',
      JSON.stringify({
        request: JSON.parse(question),
        over: [{ field, values }],
      }),
    ),
  );

/** The last value of a field that fits, as it finds it. */
export const commandLineSolve = (question: string, find: string): { value: unknown; next: unknown } =>
  JSON.parse(engine!.ask('solve', JSON.stringify({ request: JSON.parse(question), find })));

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
  if ((await trainers.count()) === 0) await page.locator('[data-fold="trainers"]').click();
  await trainers.getByText(tool, { exact: true }).click();
  await expect(trainers.getByRole('radio', { name: tool, exact: true })).toBeChecked();
  return (await trainers.locator('pre').allInnerTexts()).join('\n');
}

/** What axe finds wrong, within one element or anywhere. A document takes axe in once; what is right is not listed. */
export async function violations(page: Page, within?: string): Promise<axe.Result[]> {
  // what is grey until its answer comes is not what is read; beside an error it stays so
  await page
    .locator('.stale')
    .first()
    .waitFor({ state: 'detached', timeout: 2000 })
    .catch(() => undefined);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (within) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    // the policy lets nobody fetch the style sheet a second time
    return (await run(within ?? document, { resultTypes: ['violations'], preload: false })).violations;
  }, within);
}
