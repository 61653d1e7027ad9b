// Every change can be taken back and made again, and the last configurations are at hand, in this browser alone.

import { type Calculator, calculator, expect, type Page, request, settled, test, total, violations } from './kit.ts';

const tool = (page: Page, name: string) => page.locator(`[data-tool="${name}"]`);
const asked = async (page: Page) => JSON.parse(await request(page)) as Record<string, Record<string, unknown>>;

/** As a hand does, faster than any machine is slow: each value is shown before the next one comes. */
const write = (page: Page, id: string, values: readonly string[]) =>
  calculator(page).evaluate(
    async (element, [id, values]) => {
      const input = element.shadowRoot!.querySelector<HTMLInputElement>(id)!;
      for (const value of values) {
        input.value = value;
        input.dispatchEvent(new Event('input'));
        await (element as Calculator).updateComplete;
      }
    },
    [id, values] as const,
  );

test('a change is taken back and made again, by buttons and by keys', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-4090');
  await expect(tool(page, 'undo')).toBeDisabled();
  const before = await total(page);
  await page.locator('#inference-runtime').selectOption('llama.cpp');
  const changed = await total(page);
  expect(changed).not.toBe(before);
  await tool(page, 'undo').click();
  expect(await total(page)).toBe(before);
  expect((await asked(page))['inference']).not.toHaveProperty('runtime');
  await tool(page, 'redo').click();
  expect(await total(page)).toBe(changed);
  await page.keyboard.press('ControlOrMeta+z');
  expect(await total(page)).toBe(before);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  expect(await total(page)).toBe(changed);
  await page.locator('h1').click();
  await page.locator('body').press('ControlOrMeta+z');
  expect(await total(page)).toBe(before);
});

test('what is typed into one field is one change, and wrong text is taken back first', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const context = page.locator('#inference-context');
  await write(page, '#inference-context', ['4', '40', '409', '4096']);
  await settled(page);
  await context.press('ControlOrMeta+z');
  await settled(page);
  await expect(context).toHaveValue('');
  await context.press('ControlOrMeta+Shift+z');
  await settled(page);
  await expect(context).toHaveValue('4096');
  await context.fill('many');
  await expect(context).toHaveAttribute('aria-invalid', 'true');
  await context.press('ControlOrMeta+z');
  await expect(context).toHaveValue('4096');
  await expect(context).not.toHaveAttribute('aria-invalid', 'true');
});

test('a slider on its way is one change; model, device and task are changes, too', async ({ page, open }) => {
  await open('model=llama-3-8b');
  await write(page, '[data-field="inference.context"] .slider', ['48', '49', '50']);
  await settled(page);
  await page.getByRole('tab', { name: 'Training' }).click();
  await settled(page);
  await page.getByRole('combobox', { name: 'Model' }).click();
  await page.getByRole('combobox', { name: 'Model' }).fill('mixtral 8x7b');
  await page.keyboard.press('Enter');
  await settled(page);
  const steps = [];
  while (await tool(page, 'undo').isEnabled()) {
    await tool(page, 'undo').click();
    await settled(page);
    const { task, model } = await asked(page);
    steps.push([task, (model as { preset: string }).preset]);
  }
  expect(steps).toEqual([
    ['training', 'llama-3-8b'],
    ['inference', 'llama-3-8b'],
    ['inference', 'llama-3-8b'],
  ]);
});

test('a longer text takes back its own letters', async ({ page, openUnanswered }) => {
  await openUnanswered('from=config');
  const area = page.locator('textarea').first();
  await area.pressSequentially('{"a"');
  await expect(tool(page, 'undo')).toBeEnabled();
  await area.press('ControlOrMeta+z');
  await expect(tool(page, 'redo')).toBeDisabled();
});

test('the last configurations are listed, and one click opens one', async ({ page, open, site }) => {
  await open('model=qwen3-14b&device=rtx-4090');
  await page.evaluate(() => localStorage.clear());
  await page.locator('#inference-runtime').selectOption('llama.cpp');
  await settled(page);
  await tool(page, 'recent').click();
  const entries = page.locator('.recents .entry');
  await expect(entries.first()).toHaveText(/Qwen3 14B · .*4090.* · llama\.cpp/);
  await page.locator('#inference-runtime').selectOption('vllm');
  await expect(entries.first()).toContainText('vLLM');
  await expect(entries).toHaveCount(2);
  // a number alone makes no other configuration
  await page.locator('#inference-context').fill('2048');
  await expect(entries.first()).toContainText('2K');
  await expect(entries).toHaveCount(2);
  await page.goto('about:blank');
  await page.goto(`${site}/#model=llama-3-8b`);
  await settled(page);
  await tool(page, 'recent').click();
  await page.locator('.recents .entry', { hasText: 'llama.cpp' }).click();
  await settled(page);
  expect((await asked(page))['model']).toEqual({ preset: 'qwen3-14b' });
  expect((await asked(page))['inference']).toMatchObject({ runtime: 'llama.cpp' });
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.locator('.recents')).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('plimsoll.recent'))).toBe('[]');
});

test('where the browser refuses storage they last as long as the page', async ({ page, open }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('refused', 'SecurityError');
      },
    });
  });
  await open('model=llama-3-8b&device=rtx-4090');
  await tool(page, 'recent').click();
  await page.locator('#inference-runtime').selectOption('vllm');
  await expect(page.locator('.recents .entry').first()).toContainText('vLLM');
});
