// Times the built page in the system's Chromium: from an input event to the frame in which the new answer is painted.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'web');
const file = join(web, 'dist', 'plimsoll.html');

/** In the page: types `count` contexts, one after another, each time until the total shown has changed and is painted. */
async function typeAndWait(count) {
  const within = (root, selector) => {
    const inner = [...root.querySelectorAll('*')].filter((element) => element.shadowRoot).map((element) => within(element.shadowRoot, selector));
    return root.querySelector(selector) ?? inner.find(Boolean);
  };
  const found = async (selector) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const element = within(document, selector);
      if (element) return element;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`the page has no ${selector}`);
  };
  // A task that starts after a frame was asked for runs when that frame has been painted.
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const total = await found('.number .value');
  const field = await found('#inference-context');
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const before = total.textContent;
    const start = performance.now();
    field.value = String(5000 * (i + 1)); // never the context that stands there unsaid: then the total rightly stays
    field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    for (let frames = 0; total.textContent === before; frames += 1) {
      if (frames > 120) throw new Error('the total does not follow the input');
      await painted();
    }
    times.push(performance.now() - start);
  }
  return times;
}

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
    const page = await browser.newPage();
    await page.goto(`file://${file}`);
    const times = (await page.evaluate(typeAndWait, 60)).slice(10).sort((a, b) => a - b);
    return { median: times[times.length >> 1], p90: times[Math.ceil(0.9 * times.length) - 1] };
  } catch (fault) {
    return { reason: fault.message.split('\n')[0] };
  } finally {
    await browser.close();
  }
}
