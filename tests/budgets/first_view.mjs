// Which files of the built page a browser loads on the first visit, until it has nothing more to ask for: the page's
// own choice of what comes later counts, not a guess from the file names.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('@playwright/test');
const system = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync); // else Playwright's own

export async function firstView(site) {
  const browser = await chromium.launch({ executablePath: system, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const files = new Set();
    await page.route('**/*', (route) => {
      const path = new URL(route.request().url()).pathname;
      const file = join(site, path === '/' ? 'index.html' : decodeURIComponent(path));
      if (!existsSync(file)) throw new Error(`the page asks for ${path}, which is not in ${site}`);
      files.add(file);
      return route.fulfill({ path: file });
    });
    await page.goto('http://plimsoll.test/', { waitUntil: 'networkidle' });
    await page.locator('plimsoll-app[ready]').waitFor({ state: 'attached' }); // what comes in idle time counts, however late it is
    return [...files];
  } finally {
    await browser.close();
  }
}
