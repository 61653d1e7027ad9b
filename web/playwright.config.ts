// The page in the system's own Chromium. The server is part of the tests; what they share is in tests/web/kit.ts.

import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// The shell is the same browser without a window: its tests take two thirds of the time.
const candidates = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
// One process shows all pages of a profile: what it has compiled for one is there for the next (tests/web/kit.ts keeps one open).
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--renderer-process-limit=1'];

export default defineConfig({
  testDir: '../tests/web',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 120_000,
  retries: 1, // what passes only then is counted as flaky in the summary, and is to be mended
  expect: { timeout: 30_000 }, // a loaded machine takes seconds to compile the engine
  reporter: [['list']],
  use: {
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      ...(candidates.find(existsSync) && { executablePath: candidates.find(existsSync)! }),
      args: [...args, '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
});
