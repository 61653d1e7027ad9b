// Files of a model, dropped or picked: headers alone are read, and what they say is taken over.

import { gguf, metadata, tensors as ggufTensors } from '../files/gguf.mjs';
import { adapterConfig, config, safetensors, sharded, tensors, wholeFile } from './checkpoint.mjs';
import {
  bytesOf,
  calculator,
  commandLine,
  drop,
  dropFiles,
  expect,
  type Page,
  request,
  row,
  rowBytes,
  settled,
  test,
  total,
  violations,
} from './kit.ts';

const text = (value: unknown): string => JSON.stringify(value, null, 2);
const small = config();
const parameters = Object.values<number[]>(tensors(small)).reduce((sum, shape) => sum + shape.reduce((product, n) => product * n, 1), 0);
const inspection = (page: Page) => page.locator('.inspection');

/** All files of the small model, the weights as zeros. */
const shards = Object.fromEntries(
  Object.entries(sharded(tensors(small))).map(([name, { head, size }]) => [name, Buffer.concat([head, Buffer.alloc(size - head.length)])]),
);

test('a config, its shards and their index together, among other files', async ({ page, open }) => {
  await open('context=4096');
  await dropFiles(page, { 'config.json': text(small), 'tokenizer.json': '{}', 'README.md': '# hello', ...shards });
  await expect(inspection(page)).toContainText('LlamaForCausalLM');
  await expect(inspection(page).locator(`[data-parameters="${parameters}"]`)).toBeVisible();
  await expect(inspection(page).locator(`[data-stored="${2 * parameters}"]`)).toBeVisible();
  await expect(inspection(page)).toContainText('BF16');
  await expect(inspection(page)).toContainText('tokenizer.json, README.md');
  await expect(inspection(page).locator('.warning')).toHaveCount(0);
  const asked = JSON.parse(await request(page));
  expect(asked.model.config).toEqual(small);
  expect(asked.inference.context, 'what the user had chosen stays').toBe(4096);
  await settled(page);
  expect(await rowBytes(page, 'weights')).toBe(2 * parameters);
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
});

test('layers are folded away, and open', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'config.json': text(small), 'model.safetensors': wholeFile(tensors(small)) });
  const layers = inspection(page).locator('details');
  await expect(layers.locator('table')).toBeHidden();
  await layers.locator('summary').click();
  await expect(layers.getByRole('row')).toHaveCount(1 + small.num_hidden_layers + 1);
  await expect(layers.getByRole('row', { name: 'Language model, layer 1' })).toBeVisible();
});

test('weights that are not of this config: a warning says where', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'config.json': text(config({ num_key_value_heads: 4 })), 'model.safetensors': wholeFile(tensors(small)) });
  await expect(inspection(page).getByRole('alert')).toContainText('config.json and weights disagree');
  await expect(inspection(page).getByRole('alert')).toContainText('layers 0 to 1');
});

test('weights dropped after their config join it, whichever comes first', async ({ page, open }) => {
  for (const first of ['config.json', 'model.safetensors']) {
    await open();
    const files: Record<string, string | Uint8Array> = { 'config.json': text(small), 'model.safetensors': wholeFile(tensors(small)) };
    await dropFiles(page, { [first]: files[first]! });
    await expect(inspection(page)).toBeVisible();
    const second = first === 'config.json' ? 'model.safetensors' : 'config.json';
    await dropFiles(page, { [second]: files[second]! });
    await expect(inspection(page)).toContainText(`config.json`);
    await expect(inspection(page)).toContainText(`model.safetensors`);
    const { model } = JSON.parse(await request(page));
    expect(model.config).toEqual(small);
    expect(model.tensors.length).toBeGreaterThan(0);
    await page.goto('about:blank');
  }
});

test('an adapter: its rank and targets become the training', async ({ page, open }) => {
  await open('model=llama-3-8b');
  await drop(page, 'adapter_config.json', text(adapterConfig()));
  await expect(inspection(page)).toContainText('rank 12');
  await expect(page.getByRole('tab', { name: 'Training' })).toHaveAttribute('aria-selected', 'true');
  const asked = JSON.parse(await request(page));
  expect(asked.model).toEqual({ preset: 'llama-3-8b' });
  expect(asked.training).toMatchObject({ method: 'lora', lora: { rank: 12, targets: ['q_proj', 'v_proj'], dropout: 0.05 } });
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
  await expect(page).toHaveURL(/q_proj/); // the link is written when the hand rests
  await page.reload();
  await settled(page);
  expect(JSON.parse(await request(page)).training.lora.targets).toEqual(['q_proj', 'v_proj']);
});

test('picked together as files', async ({ page, open }) => {
  await open();
  await page.getByText('From files', { exact: true }).click();
  await page.locator('input[type=file]').setInputFiles([
    { name: 'config.json', mimeType: 'application/json', buffer: Buffer.from(text(small)) },
    { name: 'model.safetensors', mimeType: '', buffer: wholeFile(tensors(small)) },
  ]);
  await expect(inspection(page).locator(`[data-stored="${2 * parameters}"]`)).toBeVisible();
});

test('only the header of a large file is read', async ({ page, open }) => {
  const { head, size } = safetensors(tensors(config({ hidden_size: 512, vocab_size: 32000 })));
  await open();
  const sliced = await page.evaluateHandle(
    async ({ head, size }) => {
      const sliced: number[] = [];
      const slice = File.prototype.slice;
      File.prototype.slice = function (this: File, from = 0, to = this.size, type?: string) {
        sliced.push(to - from);
        return slice.call(this, from, to, type);
      };
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(head), new Uint8Array(size - head.length)], 'model.safetensors'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, composed: true, cancelable: true }));
      return sliced;
    },
    { head: [...head], size },
  );
  await expect(inspection(page)).toContainText('tensors');
  expect(await sliced.jsonValue()).toEqual([65536]);
  expect(size).toBeGreaterThan(50e6);
});

test('damaged weights are refused by name, and the model from before stays', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'config.json': text(small), 'model.safetensors': wholeFile(tensors(small)) });
  await expect(inspection(page)).toBeVisible();
  await settled(page);
  const [before, shown] = [await request(page), await total(page)];
  await dropFiles(page, { 'cut.safetensors': wholeFile(tensors(small)).subarray(0, 3000) });
  await expect(page.locator('.refused-files')).toContainText('cut.safetensors');
  expect(await request(page)).toBe(before);
  expect(await total(page)).toBe(shown);
});

test('the weights may be left out of the count again', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'config.json': text(small), 'model.safetensors': wholeFile(tensors(small)) });
  await page.getByRole('button', { name: 'Use the config only' }).click();
  expect(JSON.parse(await request(page)).model.tensors).toBeUndefined();
  await expect(page.locator('.tensors')).toHaveCount(0);
  await expect(inspection(page), 'that card was about both').toHaveCount(0);
});

test('what the files say travels in the link as long as it is short', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'config.json': text(small), 'model.safetensors': wholeFile(tensors(small)) });
  await expect(inspection(page)).toBeVisible();
  await settled(page);
  const before = await request(page);
  await expect(page).toHaveURL(/tensors=/);
  await page.reload();
  await settled(page);
  expect(await request(page)).toBe(before);
});

test('what is too long for a link is left out, and the page says so', async ({ page, open }) => {
  const deep = config({ num_hidden_layers: 120 });
  await open();
  await dropFiles(page, { 'config.json': text(deep), 'model.safetensors': wholeFile(tensors(deep)) });
  await expect(page.locator('.tensors')).toContainText('too long for a link');
  await expect(page).toHaveURL(/config=/);
  expect(page.url()).not.toContain('tensors=');
  expect(JSON.parse(await request(page)).model.tensors.length).toBeGreaterThan(100);
});

test('keys alone: the result is reached and put away', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'config.json': text(small), 'model.safetensors': wholeFile(tensors(small)) });
  await inspection(page).locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(inspection(page).locator('details table')).toBeVisible();
  await inspection(page).getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Enter');
  await expect(inspection(page)).toHaveCount(0);
  await expect(calculator(page)).toBeVisible();
  await expect(row(page, 'weights')).toBeVisible();
});

test('what the files hold has no fault that axe knows', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'config.json': text(config({ num_key_value_heads: 4 })), 'model.safetensors': wholeFile(tensors(small)) });
  await expect(inspection(page)).toBeVisible();
  await inspection(page).locator('summary').click();
  await page.getByText('By name: Hugging Face').click();
  await expect(page.getByLabel('Model on the hub')).toBeVisible();
  await drop(page, 'empty.json', '');
  await expect(page.locator('.refused-files')).toBeVisible();
  for (const theme of ['light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme);
    await settled(page);
    const found = await violations(page);
    expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  }
});

test('nothing overflows where there is little room', async ({ page, open }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await open();
  await dropFiles(page, { 'config.json': text(config({ num_key_value_heads: 4 })), ...shards });
  await expect(inspection(page)).toBeVisible();
  await inspection(page).locator('summary').click();
  await page.getByText('By name: Hugging Face').click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

/** A whole small GGUF: its header, and weights of zeros. */
function wholeGguf(): Uint8Array {
  const { head, size } = gguf(metadata(), ggufTensors());
  return Buffer.concat([head, Buffer.alloc(size - head.length)]);
}

test('a dropped GGUF selects llama.cpp, says so, and one undo takes both back', async ({ page, open }) => {
  await open('model=llama-3-8b&runtime=vllm&memory-fraction=0.8');
  const before = JSON.parse(await request(page));
  await dropFiles(page, { 'model.gguf': wholeGguf() });
  await expect(page.locator('.file-runtime')).toContainText('the runtime is now llama.cpp');
  await settled(page);
  const after = JSON.parse(await request(page));
  expect(after.inference.runtime).toBe('llama.cpp');
  expect(after.inference.memory_fraction).toBeUndefined();
  await expect(page.locator('#inference-runtime')).toHaveValue('llama.cpp');
  await page.getByRole('button', { name: 'Undo' }).click();
  await settled(page);
  expect(JSON.parse(await request(page))).toEqual(before);
  await expect(page.locator('.file-runtime')).toHaveCount(0);
});

test('a runtime that loads GGUF stays when one is dropped', async ({ page, open }) => {
  await open('model=llama-3-8b&runtime=ollama');
  await dropFiles(page, { 'model.gguf': wholeGguf() });
  await expect(inspection(page)).toBeVisible();
  await settled(page);
  expect(JSON.parse(await request(page)).inference.runtime).toBe('ollama');
  await expect(page.locator('.file-runtime')).toHaveCount(0);
});
