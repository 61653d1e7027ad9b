// The whole state in the link; the result to be taken elsewhere.

import { bytesOf, commandLine, expect, request, settled, test, total } from './kit.ts';

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
