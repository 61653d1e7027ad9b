// What a runtime has settings for, what it claims, and the text that starts it as estimated.

import { launchText } from '../../web/src/views/copying/launching.ts';
import { calculator, commandLine, expect, type Page, request, settled, test } from './kit.ts';

const fold = (page: Page, name: string) => page.locator(`details[data-fold="${name}"]`);
const unfold = (page: Page, name: string) => fold(page, name).locator('summary').first().click();
const field = (page: Page, id: string) => page.locator(`[data-field="${id}"]`);

async function launchTexts(page: Page): Promise<string[]> {
  await page.locator('[data-fold="launch"]').click();
  await expect(page.locator('plimsoll-launch pre').first()).toBeVisible();
  return page.locator('plimsoll-launch pre').allInnerTexts();
}

function answer(question: string) {
  const reply = commandLine(question);
  if ('error' in reply) throw new Error(reply.error.what);
  return reply;
}

test('the runtime stands first, then the context, the sequences beside it', async ({ page, open }) => {
  await open();
  const ids = await page.locator('#tab-panel [data-field]').evaluateAll((all) => all.map((one) => one.getAttribute('data-field')));
  expect(ids.slice(0, 3)).toEqual(['inference.runtime', 'inference.context', 'inference.sequences']);
});

test('the context is what people use until one is chosen, and ends at the limit of the model', async ({ page, open }) => {
  await open('model=llama-3.1-8b');
  expect(JSON.parse(await request(page)).inference).not.toHaveProperty('context');
  const taken = answer(await request(page)).assumptions!.find(({ field }) => field === 'inference.context')!.value;
  await expect(page.locator('#inference-context')).toHaveAttribute('placeholder', Number(taken).toLocaleString('en-US'));
  const slider = page.getByRole('slider', { name: /Context/ });
  await slider.press('End');
  await settled(page);
  expect(JSON.parse(await request(page)).inference.context).toBe(131072);
});

test('a runtime brings its own settings, and takes them away again', async ({ page, open }) => {
  await open('model=llama-3-8b&device=h100-sxm-80gb');
  await expect(field(page, 'inference.memory_fraction')).toHaveCount(0);
  await page.locator('#inference-runtime').selectOption('vllm');
  await settled(page);
  await expect(page.locator('#inference-memory_fraction')).toHaveAttribute('placeholder', '0.92');
  await page.locator('#inference-memory_fraction').fill('0.8');
  await unfold(page, 'rare');
  await expect(page.locator('#inference-batch_tokens')).toHaveAttribute('placeholder', '16,384');
  await expect(field(page, 'inference.offload.gpu_layers')).toHaveCount(0);
  await page.locator('#inference-runtime').selectOption('llama.cpp');
  await settled(page);
  await expect(field(page, 'inference.memory_fraction')).toHaveCount(0);
  await expect(field(page, 'inference.offload.gpu_layers')).toBeVisible();
  expect(JSON.parse(await request(page)).inference).toEqual({ runtime: 'llama.cpp', sequences: 1 });
});

test('every setting that a preset lists has a field and a name in the form', async ({ page, open }) => {
  await open('model=internvl3-2b');
  const tables = await calculator(page).evaluate(
    (element) => (element as unknown as { tables: { runtimes: { id: string; options: Record<string, string[]> }[] } }).tables,
  );
  for (const { id, options } of tables.runtimes) {
    await page.locator('#inference-runtime').selectOption(id);
    await settled(page);
    if (options['rare']!.length > 0 && !(await fold(page, 'rare').evaluate((one) => (one as HTMLDetailsElement).open))) await unfold(page, 'rare');
    for (const path of [...options['usual']!, ...options['rare']!]) {
      await expect(field(page, path), `${id}: ${path}`).toBeVisible();
      await expect(field(page, path).locator('label').first(), `${id}: ${path}`).not.toContainText('field.');
    }
  }
});

test('what a server claims and what its cache holds stand in the answer', async ({ page, open }) => {
  await open('model=llama-3-8b&device=h100-sxm-80gb&runtime=vllm&context=8192');
  const { total, capacity } = answer(await request(page));
  const claim = page.locator('.claim');
  await expect(claim).toHaveAttribute('data-claimed', String(total.claimed));
  await expect(claim).toHaveAttribute('data-tokens', String(capacity!.kv_tokens));
  await expect(claim).toContainText(`${capacity!.kv_tokens!.toLocaleString('en-US')} tokens`);
  await expect(claim).toContainText(`${Math.floor(capacity!.sequences!)} sequences`);
});

test('the memory of the host, and each of several devices, the fullest marked', async ({ page, open }) => {
  await open('model=llama-3-8b&device=rtx-4090&runtime=llama.cpp&weights=gguf-q4_k_m&gpu-layers=10&devices=2');
  const { host, devices, total } = answer(await request(page));
  await unfold(page, 'host');
  await expect(fold(page, 'host').locator('tbody tr')).toHaveCount(host!.rows!.length);
  const rows = page.locator('.devices tbody tr');
  await expect(rows).toHaveCount(devices!.length);
  await expect(rows.filter({ hasText: 'fullest' })).toContainText(total.device!.replace('device', 'Device'));
});

test('the command says what was chosen, and is copied', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('model=llama-3-8b&device=h100-sxm-80gb&runtime=vllm&context=4096&devices=2&memory-fraction=0.85&kv=fp8');
  const [text] = await launchTexts(page);
  expect(text!.replaceAll(/\s*\\\n\s*/g, ' ')).toBe(
    'vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 4096 --tensor-parallel-size 2 --gpu-memory-utilization 0.85 --kv-cache-dtype fp8',
  );
  await page.locator('plimsoll-launch').getByRole('button', { name: /Copy/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

test('llama-server is told the context of all its sequences, Ollama that of one', async ({ page, open }) => {
  const settings = 'model=llama-3-8b&weights=gguf-q4_k_m&context=8192&sequences=4&kv=gguf-q8_0&gpu-layers=20';
  await open(`${settings}&runtime=llama.cpp`);
  const [command] = await launchTexts(page);
  for (const said of ['--ctx-size 32768', '--parallel 4', '--n-gpu-layers 20', '--cache-type-k q8_0', '--cache-type-v q8_0', '-Q4_K_M.gguf'])
    expect(command).toContain(said);
  await page.locator('#inference-runtime').selectOption('ollama');
  await expect(page.locator('plimsoll-launch pre').first()).toContainText('PARAMETER num_ctx 8192');
  await expect(page.locator('plimsoll-launch pre').first()).toContainText('PARAMETER num_gpu 20');
  await expect(page.locator('plimsoll-launch pre').nth(1)).toContainText('OLLAMA_NUM_PARALLEL=4');
  await expect(page.locator('plimsoll-launch pre').nth(1)).toContainText('OLLAMA_KV_CACHE_TYPE=q8_0');
});

test('what no command says is named', async ({ page, open }) => {
  await open('model=llama-3-8b&device=h100-sxm-80gb&runtime=vllm&weights=awq-4bit-128g');
  await launchTexts(page);
  await expect(page.locator('plimsoll-launch .unsaid')).toContainText('Weights precision');
});

test('each runtime has a text, and none keeps a hole', async ({ page, open }) => {
  await open('model=llama-3-8b&context=4096');
  await launchTexts(page);
  for (const id of await page.locator('#inference-runtime option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))) {
    if (id === '') continue;
    await page.locator('#inference-runtime').selectOption(id);
    await settled(page);
    const texts = await page.locator('plimsoll-launch pre').allInnerTexts();
    expect(texts.join('\n'), id).toMatch(/Meta-Llama-3-8B/i);
    expect(texts.join('\n'), id).not.toMatch(/\{\w+\}|undefined/);
  }
});

test('names are quoted as the language of the text asks', () => {
  const chosen = { model: "it's/a model", encoding: 'Q4_0', values: {}, assumed: {} };
  const text = (language: 'shell' | 'python', ...lines: string[]) => launchText({ language, lines: lines.map((line) => ({ text: line })) }, chosen);
  expect(text('shell', 'serve {model}', '--file {file}')).toBe("serve 'it'\\''s/a model' \\\n  --file 'a model-Q4_0.gguf'");
  expect(text('python', 'name = {model}')).toBe('name = "it\'s/a model"');
});
