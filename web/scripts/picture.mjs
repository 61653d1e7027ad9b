// Takes the README's picture of the built page: `node scripts/picture.mjs` writes docs/page.png.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(web, '..', 'docs', 'page.png');
const state = '#task=training&model=llama-3.1-8b&device=b200&sequence=4096';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 960 }, colorScheme: 'light', locale: 'en-US' });
await page.goto(pathToFileURL(join(web, 'dist', 'plimsoll.html')).href + state);
await page.locator('.summary[data-total]').waitFor();
await page.locator('[data-possible]').first().waitFor();
mkdirSync(dirname(target), { recursive: true });
await page.screenshot({ path: target });
await browser.close();
