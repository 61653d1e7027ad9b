// The whole state in the link; the result to be taken elsewhere.

import { bytesOf, commandLine, expect, type Page, request, settled, test, total } from './kit.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const states = [
  'model=mixtral-8x7b&device=a100-sxm-80gb&context=16384&sequences=4&weights=int4&kv=fp8',
  'task=training&model=llama-3-70b&method=freeze&trainable=12.5&precision=bf16&optimizer=sgd&checkpointing=full&attention=eager',
  'from=typed&parameters=13&hidden_size=5120&num_hidden_layers=40&num_attention_heads=40&memory=51539607552&flash=false',
];

for (const state of states) {
  test(`a link opens to the state it was copied from: ${state.slice(0, 40)}…`, async ({ page, open }) => {
    await open(state);
    const [asked, shown] = [await request(page), await total(page)];
    expect(shown).toBe(bytesOf(commandLine(asked)));
    const link = page.url();
    expect(new Set(link.split('#')[1]!.split('&'))).toEqual(new Set(state.split('&')));
    await page.goto('about:blank');
    await page.goto(link);
    expect(await total(page)).toBe(shown);
    expect(await request(page)).toBe(asked);
  });
}

test('a config.json travels in the link', async ({ page, open }) => {
  await open();
  await page.getByText('From files', { exact: true }).click();
  await page
    .locator('#model-config')
    .fill(
      '{"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632, "num_attention_heads": 32, "num_key_value_heads": 4, "num_hidden_layers": 22, "vocab_size": 32000, "max_position_embeddings": 2048}',
    );
  const shown = await total(page);
  await expect(page).toHaveURL(/config=/);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  expect(await total(page)).toBe(shown);
});

test('a change of the link by hand is followed', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const before = await total(page);
  await page.evaluate(() => (location.hash = 'model=llama-3-70b'));
  await expect.poll(() => total(page)).toBeGreaterThan(before);
});

test('copied as link, Markdown, JSON and request', async ({ page, open }) => {
  await open('model=llama-3-8b');
  const bytes = await total(page);
  const copied = async (form: string): Promise<string> => {
    await page.locator(`[data-copy="${form}"]`).click();
    await expect(page.locator('.copied')).not.toBeEmpty();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await expect(page).toHaveURL(await copied('link'));
  expect(JSON.parse(await copied('json')).total.process.bytes).toBe(bytes);
  expect(bytesOf(commandLine(await copied('request')))).toBe(bytes);
  const markdown = await copied('markdown');
  expect(markdown).toContain(bytes.toLocaleString('en-US'));
  expect(markdown.split('\n').filter((line) => line.startsWith('|')).length).toBeGreaterThan(5);
});

test('back in the same state nothing is written into the link', async ({ page, open }) => {
  await open();
  await expect(page).not.toHaveURL(/#/);
  await page.locator('#inference-context').fill('4096');
  await settled(page);
  await expect(page).toHaveURL(/#context=4096$/);
  await page.locator('#inference-context').fill('');
  await settled(page);
  await expect(page).not.toHaveURL(/#/);
});

const unread = (page: Page) => page.locator('plimsoll-app .unread');

test('a link to a model that nobody knows names it, keeps the rest, and waits for nothing', async ({ page, openUnanswered }) => {
  await openUnanswered('model=nonsense&device=rtx-4090&context=4096');
  const field = page.locator('[data-field="model.preset"]');
  await expect(field.locator('.error')).toContainText('nonsense');
  await expect(page.locator('.summary')).toContainText('There is no estimate until the field marked below is put right.');
  expect(await page.locator('plimsoll-app').innerText()).not.toContain('Loading');
  await expect(page.locator('#inference-context')).toHaveValue('4096');
  await page.getByRole('combobox', { name: 'Model' }).fill('mixtral 8x7b');
  await page.keyboard.press('Enter');
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  expect(JSON.parse(await request(page))).toMatchObject({ device: { preset: 'rtx-4090' }, inference: { context: 4096 } });
});

test('what a link holds and nobody can read is named with its value, and the rest is shown', async ({ page, open }) => {
  await open('model=llama-3-8b&context=many&colour=blue&flash=perhaps&unit=furlong&sequences=3&pin=context%3Dfew');
  for (const said of ['Context length (tokens) “many”', 'colour “blue”', '“perhaps”', 'unit “furlong”', '“few”'])
    await expect(unread(page)).toContainText(said);
  expect(JSON.parse(await request(page)).inference.sequences).toBe(3);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  await unread(page).getByRole('button').click();
  await expect(unread(page)).toHaveCount(0);
});

test('the same in Chinese, and a name that steers the eye is written out', async ({ page, open }) => {
  await open(`lang=zh-CN&model=llama-3-8b&context=many&${encodeURIComponent('a\u202eb')}=${'x'.repeat(500)}`);
  await expect(unread(page)).toContainText('“many”');
  await expect(unread(page)).toContainText('其余部分已照常显示');
  await expect(unread(page)).toContainText(String.raw`a\u202eb`);
  expect((await unread(page).innerText()).length).toBeLessThan(300);
});

test('a link that is whole says nothing of it', async ({ page, open }) => {
  await open('lang=en&theme=dark&unit=GB&task=training&model=llama-3-8b&pin=name%3DMine%26model%3Dllama-3-70b');
  await expect(unread(page)).toHaveCount(0);
});

test('back and forward lead through the changes, in the language that one reads', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-4090');
  await page.waitForTimeout(400); // the address is written when the hand rests
  const asked = async () => JSON.parse(await request(page)) as { task: string; inference?: { runtime?: string } };
  await page.locator('#inference-runtime').selectOption('vllm');
  await expect(page).toHaveURL(/runtime=vllm/);
  await page.getByLabel('Language').selectOption('zh-CN');
  await expect(page).toHaveURL(/lang=zh-CN/);
  await page.getByRole('tab', { name: '训练' }).click();
  await expect(page).toHaveURL(/task=training/);
  await settled(page);
  await page.goBack();
  await expect.poll(asked).toMatchObject({ task: 'inference', inference: { runtime: 'vllm' } });
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  await page.goBack();
  await expect.poll(async () => (await asked()).inference?.runtime).toBeUndefined();
  await expect(page.getByRole('tab', { name: '推理' })).toBeVisible();
  await expect(page).toHaveURL(/lang=zh-CN/);
  await page.goForward();
  await page.goForward();
  await expect.poll(asked).toMatchObject({ task: 'training' });
});

test('a slider on its way is one entry, and going back is a change like any other', async ({ page, open }) => {
  await open('model=llama-3-8b');
  await page.waitForTimeout(400);
  const before = await page.evaluate(() => history.length);
  const context = page.locator('#inference-context');
  for (const value of ['4', '40', '409', '4096']) await context.fill(value);
  await expect(page).toHaveURL(/context=4096/);
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await page.goBack();
  await expect(context).toHaveValue('');
  await page.locator('[data-tool="undo"]').click();
  await expect(context).toHaveValue('4096');
});
