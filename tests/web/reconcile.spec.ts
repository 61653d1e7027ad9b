// What a tool printed, beside ours: pasted, in files, dropped among a model's; it fills in the form, and is text alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { calculator, drop, dropFiles, expect, type Page, request, settled, test, violations } from './kit.ts';

/** Llama 3 8B on one device: what llama.cpp allocates for it follows from the file alone. */
const llama = [
  'build: 5622 (97340b4c) with cc (Ubuntu 13.3.0) 13.3.0 for x86_64-linux-gnu',
  'print_info: file type   = F16',
  'print_info: general.name     = Meta-Llama-3-8B',
  'load_tensors: offloaded 33/33 layers to GPU',
  'load_tensors:        CUDA0 model buffer size = 14315.02 MiB',
  'load_tensors:   CPU_Mapped model buffer size =  1002.00 MiB',
  'llama_context: n_seq_max     = 1',
  'llama_context: n_ctx         = 4096',
  'llama_context: flash_attn    = 0',
  'llama_kv_cache_unified:      CUDA0 KV buffer size =   512.00 MiB',
  'llama_kv_cache_unified: size =  512.00 MiB (  4096 cells,  32 layers,  1 seqs), K (f16):  256.00 MiB, V (f16):  256.00 MiB',
].join('\n');

const outOfMemory = (requested: string, unallocated: string): string =>
  `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${requested} GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is ` +
  `free. Of the allocated memory 15.00 GiB is allocated by PyTorch, and ${unallocated} GiB is reserved by PyTorch but unallocated.`;

const box = (page: Page) => page.locator('plimsoll-reconcile');
const beside = (page: Page, counter: string) => box(page).locator(`tr[data-counter="${counter}"]`);

async function show(page: Page, text: string): Promise<void> {
  await page.locator('[data-fold="reconcile"]').click();
  await box(page).locator('textarea').fill(text);
  await expect(box(page).locator('.tool')).toBeVisible();
}

/** A text pasted where nothing has the focus. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, composed: true }));
  }, text);

test('what reads is fetched with the first text, and not before', async ({ page, open }) => {
  const fetched: string[] = [];
  page.on('request', (asked) => fetched.push(asked.url()));
  await open();
  await page.locator('[data-fold="reconcile"]').click();
  await expect(box(page).locator('textarea')).toBeVisible();
  const ofLogs = () => fetched.filter((url) => /plimsoll-logs/.test(url)).length;
  expect(ofLogs()).toBe(0);
  await box(page).locator('textarea').fill(llama);
  await expect(box(page).locator('.tool')).toContainText('llama.cpp 5622');
  expect(ofLogs()).toBeGreaterThan(0);
});

test('a pasted log: settings with their lines, figures beside ours, what is left in bytes', async ({ page, open }) => {
  await open();
  await show(page, llama);
  const context = box(page).locator('[data-stated="inference.context"]');
  await expect(context).toContainText('Context length (tokens): 4K');
  await expect(context.locator('code')).toContainText('llama_context: n_ctx');
  await expect(beside(page, 'kv_buffer')).toHaveAttribute('data-difference', '0');
  await expect(beside(page, 'kv_buffer')).toContainText('in the band');
  await expect(beside(page, 'kv_buffer')).toContainText('0 bytes');
  await expect(beside(page, 'model_buffer')).toHaveCount(2);
  await box(page).getByText('Figures that we do not count: 1').click();
  await expect(box(page).locator('[data-figure="kv_cache"]')).toContainText('repeated');
});

test('a click fills in the form with what is taken, and undo takes it back', async ({ page, open }) => {
  await open();
  const before = await request(page);
  await show(page, llama);
  await box(page).locator('[data-stated="inference.offload.gpu_layers"] input').uncheck();
  await box(page).getByRole('button', { name: 'Fill in the form' }).click();
  await settled(page);
  const asked = JSON.parse(await request(page));
  expect(asked.inference).toMatchObject({ runtime: 'llama.cpp', context: 4096, flash_attention: false });
  expect(asked.inference.offload).toBeUndefined();
  expect(asked.weights.encoding).toBe('gguf-f16');
  await expect(box(page).getByText('The form has these settings already.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.locator('[data-tool="undo"]').click();
  await settled(page);
  expect(await request(page)).toBe(before);
});

test('what stays open is asked, with values under which the figures agree best', async ({ page, open }) => {
  await open();
  await show(page, llama.replace(/.*(file type|general\.name).*\n/g, ''));
  await expect(beside(page, 'model_buffer')).toHaveCount(0);
  await box(page).locator('[data-act="as-form"]').click();
  const first = box(page).locator('[data-open="weights"] button').first();
  await expect(first).toContainText(/F16|FP16|BF16/);
  await expect(beside(page, 'kv_buffer')).toHaveAttribute('data-difference', '0');
  await first.click();
  await expect(beside(page, 'model_buffer').first()).toContainText('in the band');
});

test('where no value makes the figures agree, none is offered; a tool that trains asks for a training', async ({ page, open }) => {
  await open('model=qwen3-32b&device=h100-sxm-80gb');
  await show(page, llama.replace(/.*(file type|general\.name).*\n/g, ''));
  await box(page).locator('[data-act="as-form"]').click();
  await expect(box(page).locator('[data-open="weights"] [data-far]')).toBeVisible();
  await expect(box(page).locator('[data-value]')).toHaveCount(0);
  await box(page).locator('textarea').fill('[2026-01-01] MA 10.5 GB         Max_MA 12.25 GB         CA 14.0 GB         Max_CA 14 GB');
  await expect(box(page).locator('.tool')).toContainText('DeepSpeed');
  await box(page).locator('[data-open="task"] button').click();
  await box(page).locator('[data-act="as-form"]').click();
  await expect(beside(page, 'allocated_peak')).toBeVisible();
});

test("a trainer's log: batch, length and degrees become the form's training", async ({ page, open }) => {
  await open();
  const dots = '.'.repeat(20);
  const words = { micro_batch_size: 2, seq_length: 4096, world_size: 8, tensor_model_parallel_size: 4, bf16: 'True' };
  const lines = Object.entries(words).map(([name, value]) => `  ${name} ${dots} ${value}`);
  const peak = '[Rank 0] (after 5 iterations) memory (MB) | allocated: 20211.5 | max allocated: 33210.2 | reserved: 35000.0 | max reserved: 35000.0';
  await show(page, [...lines, peak].join('\n'));
  await expect(box(page).locator('[data-stated="training.micro_batch"]')).toContainText('micro_batch_size');
  await box(page).locator('button[data-act="fill"]').click();
  await settled(page);
  expect(JSON.parse(await request(page))).toMatchObject({
    task: 'training',
    devices: 8,
    parallel: { tensor: 4 },
    training: { trainer: 'megatron-lm', micro_batch: 2, sequence: 4096, precision: 'bf16-mixed' },
  });
});

test('files: one that is picked, one that is dropped, and one among those of a model', async ({ page, open }) => {
  await open();
  await drop(page, 'server.log', llama);
  await expect(box(page).locator('.tool')).toContainText('llama.cpp');
  await box(page).getByRole('button', { name: 'Clear' }).click();
  await expect(box(page).locator('.tool')).toHaveCount(0);
  await box(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from(outOfMemory('2.00', '6.00')) });
  await expect(box(page).locator('.tool')).toContainText('PyTorch, out of memory');
  const config = { model_type: 'llama', architectures: ['LlamaForCausalLM'], hidden_size: 256, num_hidden_layers: 4, num_attention_heads: 4 };
  const model = { ...config, num_key_value_heads: 4, intermediate_size: 512, vocab_size: 1000 };
  await dropFiles(page, { 'config.json': JSON.stringify(model), 'notes.txt': 'a shopping list', 'start.log': llama });
  await expect(page.locator('.inspection')).toContainText('notes.txt');
  await expect(page.locator('.inspection')).not.toContainText('start.log');
  await expect(box(page).locator('.tool')).toContainText('llama.cpp');
});

/** A TPU worker of vLLM, whose sums are of four chips. */
const chips = [
  'INFO 07-06 [__init__.py:59] TPU info: node_name=host | tpu_type=v5p-8 | worker_id=0 | num_chips=4',
  "INFO 07-06 [core.py:107] Initializing a V1 LLM engine (v0.19.2) with config: model='Qwen/Qwen3-0.6B', dtype=torch.bfloat16, max_seq_len=1024, " +
    'download_dir=None, tensor_parallel_size=4, pipeline_parallel_size=1, quantization=None, kv_cache_dtype=auto',
  'INFO 07-06 [tpu_worker.py:340] Memory statistics | total_hbm_limit_gb=380.00GiB | total_hbm_limit_cap_gb=342.00GiB | ' +
    'total_hbm_used_gb=1.12GiB | total_hbm_avail_gb=340.88GiB',
].join('\n');

test("a TPU's sums, dropped in a file, stand beside ours on all devices, with the rows that its account leaves out", async ({ page, open }) => {
  await open();
  await drop(page, 'tpu.log', chips);
  await expect(box(page).locator('.tool')).toContainText('vLLM');
  await expect(box(page).locator('[data-stated="device.memory_bytes"]')).toContainText('total_hbm_limit_gb');
  await box(page).getByRole('button', { name: 'Fill in the form' }).click();
  await expect(beside(page, 'budget_of_chips')).toContainText('claimed by the server, on all devices');
  await expect(beside(page, 'kv_cache_budget_of_chips')).toContainText('which is not in its account');
});

test('as PowerShell writes it, and pasted outside a field', async ({ page, open }) => {
  await open();
  await dropFiles(page, { 'wide.log': new Uint8Array(Buffer.from(`\ufeff${llama}`, 'utf16le')) });
  await expect(box(page).locator('.tool')).toContainText('llama.cpp');
  await paste(page, outOfMemory('2.00', '6.00'));
  await expect(box(page).locator('.tool')).toContainText('PyTorch, out of memory');
});

test('memory that ran out: need told from fragmentation, and the first ways out of what does not fit', async ({ page, open }) => {
  await open('model=qwen3-32b&device=rtx-4090&runtime=transformers&context=8192&weights=bf16');
  await show(page, outOfMemory('2.00', '6.00'));
  await expect(box(page).locator('[data-asked]')).toHaveAttribute('data-asked', String(2 * 2 ** 30));
  await expect(box(page).locator('[data-advice="fragmentation"] pre')).toContainText('expandable_segments:True');
  await box(page).locator('textarea').fill(outOfMemory('2.00', '0.50'));
  await expect(box(page).locator('[data-advice="need"]')).toContainText('17.00 GiB');
  await expect(box(page).locator('[data-advice="fragmentation"]')).toHaveCount(0);
  await box(page).locator('[data-act="as-form"]').click();
  await box(page).getByRole('button', { name: 'Fill in the form' }).click();
  await expect(box(page).locator('[data-phase]')).toBeVisible();
  await expect(box(page).locator('plimsoll-ways li[data-way]')).toHaveCount(3, { timeout: 90_000 });
  await expect(beside(page, 'allocated')).toBeVisible();
  await expect(box(page)).toContainText('before the peak');
  await expect(box(page).locator('[data-value]'), 'values that agree with no peak are not offered').toHaveCount(0);
  await box(page).locator('plimsoll-ways li[data-way] button').first().click();
  await box(page).getByRole('button', { name: 'Show the settings for my tool' }).click();
  await expect(page.locator('plimsoll-launch pre').first()).toBeVisible();
});

test('a row to send: figures and settings, and no word of the text', async ({ page, open }) => {
  await open();
  await show(page, `${llama}\nprompt: tell nobody of /home/me/secret-file.gguf`);
  await box(page).getByRole('button', { name: 'Make the row' }).click();
  const text = await box(page).locator('section.row pre').innerText();
  expect(text).not.toMatch(/secret|home|nobody|Meta/);
  const row = JSON.parse(text);
  expect(row.request.inference).toMatchObject({ runtime: 'llama.cpp', context: 4096 });
  expect(row.config.hidden_size).toBe(4096);
  await expect(box(page).getByRole('link', { name: /CONTRIBUTING/ })).toHaveAttribute('href', 'CONTRIBUTING.md');
});

test('how to measure: for what is chosen, with what it shows and leaves out', async ({ page, open }) => {
  await open('runtime=vllm');
  await page.locator('[data-fold="reconcile"]').click();
  await box(page).getByText('How to measure it').click();
  const snippet = (id: string) => box(page).locator(`[data-snippet="${id}"]`);
  await expect(snippet('vllm')).toContainText('vllm serve');
  await expect(snippet('nvidia_smi')).toContainText('ours: process');
  await expect(snippet('nvidia_smi')).toContainText('Leaves out:');
  for (const id of ['mlx', 'amd_smi', 'torch_peak', 'llama_cpp']) await expect(snippet(id)).toHaveCount(0);
});

test('hostile text is text: no element, handler or request comes of it', async ({ page, open }) => {
  await open();
  const hostile = '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>\u202e\u0007${1}{{1}}';
  const lines = [
    `INFO [core.py:93] Initializing a V1 LLM engine (v0.12.0) with config: model='${hostile}', dtype=torch.bfloat16, max_seq_len=8192, download_dir=${hostile}`,
    `print_info: general.name = ${hostile}`,
    `INFO [worker.py:1] model weights take 14.99GiB; ${hostile}`,
    outOfMemory('2.00', '6.00') + hostile,
  ];
  await show(page, `${lines.join('\n')}\n${hostile.repeat(500)}`);
  await expect(box(page).locator('[data-open="model"]')).toBeVisible();
  await box(page).locator('[data-act="as-form"]').click();
  await expect(box(page).locator('section[data-held="yes"]')).toBeVisible();
  await box(page).evaluate((element) => element.shadowRoot!.querySelectorAll('details').forEach((details) => (details.open = true)));
  const seen = await box(page).evaluate((element) => {
    const all = [...element.shadowRoot!.querySelectorAll('*')];
    return {
      harmed: 'harmed' in window,
      elements: all.filter(({ localName }) => ['img', 'script', 'iframe', 'object'].includes(localName)).length,
      handlers: all.flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith('on'))),
      directed: all.some(
        (one) => one.localName !== 'textarea' && [...one.childNodes].some((node) => node.nodeType === 3 && node.nodeValue!.includes('\u202e')),
      ),
    };
  });
  expect(seen).toEqual({ harmed: false, elements: 0, handlers: [], directed: false });
});

test('a text of no tool, and one without figures, are answered', async ({ page, open }) => {
  await open();
  await show(page, 'nothing of note');
  await expect(box(page)).toContainText('Unknown tool');
  await expect(box(page)).toContainText('no memory figure');
  await expect(box(page).locator('[data-act="fill"]')).toHaveCount(0);
});

test('what was pasted is still there after another tab was chosen', async ({ page, open }) => {
  await open();
  await show(page, llama);
  await page.locator('[data-fold="assumed"]').click();
  await expect(box(page)).toHaveCount(0);
  await page.locator('[data-fold="reconcile"]').click();
  await expect(beside(page, 'kv_buffer')).toBeVisible();
});

for (const lang of ['en', 'zh-CN'])
  test(`${lang}: no fault that axe knows, and nothing overflows`, async ({ page, open }) => {
    await open(`lang=${lang}`);
    await show(page, `${llama}\n${outOfMemory('2.00', '6.00')}`);
    await expect(beside(page, 'kv_buffer')).toBeVisible();
    await box(page).locator('details.measuring > summary').click();
    await box(page).locator('[data-act="row"]').click();
    await expect(box(page).locator('section.row pre')).toBeVisible();
    expect(await box(page).evaluate((element) => element.shadowRoot!.textContent)).not.toMatch(/(reconcile|measuring|counts?|counter)\.\w/);
    for (const theme of ['light', 'dark']) {
      await page.locator('select[name=theme]').selectOption(theme);
      await settled(page);
      const found = await violations(page);
      expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await expect(calculator(page)).toBeVisible();
  });

const snapshot = readFileSync(join(__dirname, '../reconcile/snapshots/small.pickle'));

test('a snapshot of memory is read from its file: what is held, its course, and beside it that of a training', async ({ page, open }) => {
  await open('task=training');
  await page.locator('[data-fold="reconcile"]').click();
  await box(page).locator('input[type="file"]').setInputFiles({ name: 'snapshot.pickle', mimeType: 'application/octet-stream', buffer: snapshot });
  await expect(box(page).locator('.device')).toHaveAttribute('data-segments', '2');
  await expect(box(page).locator('.course .tensors')).toHaveCount(1);
  await box(page).locator('[data-act="as-form"]').click();
  await expect(box(page).locator('[data-ours]')).toBeVisible();
  await expect(beside(page, 'tensors_peak')).toBeVisible();
  await expect(beside(page, 'allocated')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test('a snapshot that would run something says so, and one that is dropped is no model', async ({ page, open }) => {
  await open();
  await page.locator('[data-fold="reconcile"]').click();
  const bad = Buffer.from('\x80\x02cposix\nsystem\n(tR.', 'latin1');
  await box(page).locator('input[type="file"]').setInputFiles({ name: 'bad.pickle', mimeType: '', buffer: bad });
  await expect(box(page).locator('[data-damage="forbidden"]')).toBeVisible();
  await drop(page, 'snapshot.json', JSON.stringify([{ device: 0, total_size: 4096, allocated_size: 512, blocks: [] }]));
  await expect(box(page).locator('.device')).toHaveAttribute('data-segments', '1');
  await expect(box(page).locator('[data-damage]')).toHaveCount(0);
});

test('while a large snapshot is read the page answers, and another text takes its place', async ({ page, open }) => {
  await open();
  await page.locator('[data-fold="reconcile"]').click();
  // made in the page: 48 MB do not go through the protocol of a test
  await box(page).evaluate((element) => {
    const entry = '{"action":"alloc","addr":1,"size":1,"frames":[{"filename":"/some/where/in/a/long/place.py","line":1,"name":"f"}]},'.repeat(4000);
    const parts = ['{"segments":[],"device_traces":[[', ...Array.from({ length: 100 }, () => entry), '{"action":"snapshot"}]]}'];
    const transfer = new DataTransfer();
    transfer.items.add(new File(parts, 'large.json'));
    const input = element.shadowRoot!.querySelector<HTMLInputElement>('input[type="file"]')!;
    const seen = new Set<number>();
    new MutationObserver(() => seen.add(element.shadowRoot!.querySelector('progress')?.value ?? 1)).observe(element.shadowRoot!, {
      subtree: true,
      childList: true,
      attributes: true,
    });
    (element as unknown as { seen: Set<number> }).seen = seen;
    input.files = transfer.files;
    input.dispatchEvent(new Event('change'));
  });
  await expect.poll(() => box(page).evaluate((element) => (element as unknown as { seen: Set<number> }).seen.size)).toBeGreaterThan(2);
  await box(page).locator('textarea').fill(llama);
  await expect(box(page).locator('.tool')).toContainText('llama.cpp');
  await expect(box(page).locator('progress')).toHaveCount(0);
});

test('a log with a shape and no name offers the presets that agree with it, and one of them becomes the form', async ({ page, open }) => {
  await open();
  const unnamed = llama.split('\n').filter((line) => !line.includes('general.name'));
  await show(page, [...unnamed, 'print_info: n_embd = 4096', 'print_info: n_layer = 32'].join('\n'));
  const offered = box(page).locator('[data-model]');
  await expect(offered.first()).toHaveText(/Llama 3/);
  const id = (await offered.first().getAttribute('data-model'))!;
  await offered.first().click();
  await expect(beside(page, 'kv_buffer')).toHaveAttribute('data-difference', '0');
  await settled(page);
  expect(JSON.parse(await request(page)).model).toMatchObject({ preset: id });
});
