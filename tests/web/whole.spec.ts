// The whole engine comes when a model asks for it, and not before.

import { bytesOf, commandLine, expect, type Page, request, settled, test, total } from './kit.ts';

const whole = /plimsoll-whole[^/]*\.wasm$/;

const choose = (page: Page, id: string): Promise<void> =>
  page.evaluate((id) => {
    location.hash = `model=${id}`;
  }, id);

test('a model of a rarer family is answered by the whole engine, which is fetched for it', async ({ page, open }) => {
  const fetched: string[] = [];
  page.on('request', (one) => {
    if (whole.test(one.url())) fetched.push(one.url());
  });
  await open();
  expect(fetched).toEqual([]);
  await choose(page, 'bloom-7b1');
  await expect.poll(() => request(page)).toContain('bloom-7b1');
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  expect(fetched.length).toBe(1);
  await choose(page, 'llama-3-70b');
  await expect.poll(() => request(page)).toContain('llama-3-70b');
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  expect(fetched.length).toBe(1);
});

test('where the whole engine does not come, that is said, and the page goes on', async ({ page, open, complaints }) => {
  await page.route(whole, (route) => route.fulfill({ status: 503 }));
  await open();
  await choose(page, 'bloom-7b1');
  await expect(page.locator('.summary').getByRole('alert').first()).toContainText('could not be loaded');
  await page.unroute(whole);
  await choose(page, 'llama-3-8b');
  await expect.poll(() => request(page)).toContain('llama-3-8b');
  await settled(page);
  expect(complaints.splice(0).every((text) => text.includes('503'))).toBe(true);
  await choose(page, 'bloom-7b1');
  await expect.poll(() => request(page)).toContain('bloom-7b1');
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});
