// Times the built page in the system's Chromium as a hand drags the first slider: from the event to the frame in which the new answer
// is painted. A browser hands a mouse's moves to the page at the beginning of a frame, so the wait for one is no part of it.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'web');
const file = join(web, 'dist', 'plimsoll.html');

/** What is dragged, and the goal for its median in milliseconds. */
const cases = [
  ['transformers', 'runtime=transformers', 14],
  ['llama.cpp', 'runtime=llama.cpp', 14],
  ['vLLM', 'runtime=vllm', 14],
  ['training', 'task=training', 20],
];

/** In the page: notes how long each move takes to be painted. */
function watch() {
  const within = (root, selector) => {
    const inner = [...root.querySelectorAll('*')].filter((element) => element.shadowRoot).map((element) => within(element.shadowRoot, selector));
    return root.querySelector(selector) ?? inner.find(Boolean);
  };
  const summary = within(document, '.summary');
  globalThis.times = [];
  const moved = () => {
    const start = performance.now();
    const before = summary.dataset.answered;
    // A task that starts after a frame was asked for runs when that frame has been painted.
    const look = () =>
      requestAnimationFrame(() =>
        setTimeout(() => {
          if (summary.dataset.answered === before) look();
          else globalThis.times.push(performance.now() - start);
        }),
      );
    look();
  };
  within(document, 'input[type=range]').addEventListener('input', moved, { capture: true });
}

/** A slider dragged over so many moves. */
async function dragged(browser, asked, moves = 120) {
  const page = await browser.newPage();
  await page.goto(`file://${file}#model=llama-3.1-8b&${asked}`);
  await page.locator('.summary[data-total]').waitFor();
  await page.waitForTimeout(2000); // what comes by and by has come
  const slider = page.locator('input[type=range]').first();
  await slider.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await slider.boundingBox();
  await page.evaluate(watch);
  await page.mouse.move(x + 5, y + height / 2);
  await page.mouse.down();
  for (let move = 0; move < moves; move += 1) {
    await page.mouse.move(x + 5 + ((move * 7) % (width - 10)), y + height / 2);
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
  await page.waitForTimeout(200);
  const times = (await page.evaluate(() => globalThis.times)).slice(10).sort((a, b) => a - b);
  await page.close();
  if (times.length < moves / 2) throw new Error(`the answer of ${asked} follows ${times.length} of ${moves} moves`);
  return { median: times[times.length >> 1], p90: times[Math.ceil(0.9 * times.length) - 1] };
}

/** @returns `rows` of name, median, 90th percentile and goal in milliseconds, or the `reason` why there are none */
export async function onPage() {
  if (!existsSync(file)) return { reason: 'web/dist is not built' };
  let chromium;
  try {
    ({ chromium } = createRequire(join(web, 'package.json'))('@playwright/test'));
  } catch {
    return { reason: 'Playwright is not installed' };
  }
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (!executablePath) return { reason: 'no Chromium on this system' };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const rows = [];
    for (const [name, asked, goal] of cases) rows.push({ name, ...(await dragged(browser, asked)), goal });
    return { rows };
  } catch (fault) {
    return { reason: fault.message.split('\n')[0] };
  } finally {
    await browser.close();
  }
}
