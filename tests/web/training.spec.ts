// The form of training: few choices first, of the rest what holds, and of all only what the method has.

import AxeBuilder from '../../web/node_modules/@axe-core/playwright';
import { bytesOf, commandLine, expect, type Page, request, settled, test, total } from './kit';

const folds = ['form.training.optimizer', 'form.training.activations', 'form.training.adapters'] as const;
const fold = (page: Page, name: string) => page.locator(`details[data-fold="${name}"]`);
const unfold = (page: Page, name: string) => fold(page, name).locator('summary').first().click();
const fieldIds = (page: Page): Promise<string[]> =>
  page.locator('#tab-panel [data-field]').evaluateAll((all) => all.map((one) => one.getAttribute('data-field')!));

/** The page's answer is the command line's to the same request. */
async function same(page: Page): Promise<void> {
  expect(await total(page)).toBe(bytesOf(commandLine(await request(page))));
}

test('few choices stand first, the rest is folded with what holds', async ({ page, open }) => {
  await open('task=training&model=llama-3-8b&device=a100-sxm-80gb');
  expect(await fieldIds(page)).toEqual(['training.method', 'training.objective', 'training.sequence', 'training.micro_batch', 'training.devices']);
  await expect(fold(page, folds[0]).locator('summary')).toContainText('bf16 mixed, fp32 master · AdamW · step: One fused kernel');
  await expect(fold(page, folds[1]).locator('summary')).toContainText('checkpointing: None · SDPA · All logits at once');
  await expect(fold(page, folds[2])).toHaveCount(0);
  await same(page);
});

test('a method brings its own settings, and takes them away again', async ({ page, open }) => {
  await open('task=training&model=llama-3-8b&device=a100-sxm-80gb');
  const method = page.getByLabel('What is trained', { exact: true });
  await method.selectOption('qlora');
  await settled(page);
  expect(await fieldIds(page)).toEqual([
    'training.method',
    'training.objective',
    'training.lora.rank',
    'training.weights',
    'training.sequence',
    'training.micro_batch',
    'training.devices',
  ]);
  await expect(page.getByLabel('Frozen weights', { exact: true })).toContainText('NF4');
  await expect(fold(page, folds[2])).toHaveCount(1);
  await same(page);
  await page.getByLabel('Frozen weights', { exact: true }).selectOption('gptq-4bit-128g');
  await settled(page);
  expect(JSON.parse(await request(page)).weights).toEqual({ encoding: 'gptq-4bit-128g' });
  await same(page);
  await method.selectOption('galore');
  await settled(page);
  expect(JSON.parse(await request(page))).not.toHaveProperty('weights');
  await unfold(page, folds[0]);
  const names = await page.getByLabel('Optimizer', { exact: true }).locator('option').allInnerTexts();
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) expect(name).toMatch(/GaLore|APOLLO/);
  await page.locator('#training-galore-rank').fill('64');
  await same(page);
  await method.selectOption('full');
  await settled(page);
  await expect(page.locator('#training-galore-rank')).toHaveCount(0);
  expect(JSON.parse(await request(page)).training).not.toHaveProperty('galore');
});

test('an optimizer has those steps to choose that it has', async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b&device=a100-sxm-80gb');
  await unfold(page, folds[0]);
  const step = page.getByLabel('Optimizer step', { exact: true });
  await expect(step.locator('option')).toHaveCount(4);
  await step.selectOption('loop');
  await same(page);
  await page.getByLabel('Optimizer', { exact: true }).selectOption('adamax');
  await settled(page);
  expect(JSON.parse(await request(page)).training).not.toHaveProperty('optimizer_step');
  await expect(step.locator('option')).toHaveText([/^Default/, /foreach/, /One tensor/]);
  await page.getByLabel('Optimizer', { exact: true }).selectOption('paged-adamw-8bit');
  await settled(page);
  await expect(step).toHaveCount(0);
  await same(page);
});

test('a preference is held against a reference, and loses the losses that it cannot have', async ({ page, open }) => {
  await open('task=training&model=llama-3.2-1b&device=a100-sxm-80gb&loss=fused');
  await page.getByLabel('Trained for', { exact: true }).selectOption('dpo');
  await settled(page);
  const asked = JSON.parse(await request(page)).training;
  expect(asked.objective).toBe('dpo');
  expect(asked).not.toHaveProperty('loss');
  await same(page);
  const held = await total(page);
  await expect(page.locator('tr[data-row="reference"]')).toBeVisible();
  await page.getByLabel('Reference computed before', { exact: true }).check();
  expect(await total(page)).toBeLessThan(held);
  await same(page);
  await page.getByLabel('Trained for', { exact: true }).selectOption('reward');
  await settled(page);
  await expect(page.getByLabel('Reference computed before', { exact: true })).toHaveCount(0);
  await same(page);
});

test('every setting counts, and stands in the link', async ({ page, open }) => {
  const state =
    'task=training&model=mixtral-8x7b&method=lora&rank=32&targets=q_proj%2Ck_proj%2Cv_proj%2Co_proj&modules=embed_tokens%2Clm_head&adapter-type=bf16&precision=bf16&optimizer=adamw-8bit&gradients-released=true&checkpointing=selective&recompute=moe_act&checkpoint-every=2&checkpoints-on-host=true&attention=flash&loss=chunked&loss-chunks=4&loss-compiled=true&norm=fused&experts=loop';
  await open(state);
  const { training } = JSON.parse(await request(page));
  expect(training).toMatchObject({
    lora: { rank: 32, targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj'], modules_to_save: ['embed_tokens', 'lm_head'], encoding: 'bf16' },
    checkpointing: 'selective',
    recompute_modules: ['moe_act'],
    checkpoint_every: 2,
    checkpoints_on_host: true,
    loss: 'chunked',
    loss_chunks: 4,
    loss_compiled: true,
    norm: 'fused',
    experts: 'loop',
    gradients_released: true,
  });
  await same(page);
  expect(new Set(page.url().split('#')[1]!.split('&'))).toEqual(new Set(state.split('&')));
  await unfold(page, folds[1]);
  await page.getByLabel('Cross-entropy', { exact: true }).selectOption('fused');
  await settled(page);
  expect(JSON.parse(await request(page)).training).not.toHaveProperty('loss_chunks');
  await same(page);
  await page.getByLabel('Cross-entropy', { exact: true }).selectOption('cut');
  await page.getByLabel('Modules computed anew', { exact: true }).selectOption('core_attn,layernorm,mlp');
  await settled(page);
  const modules = JSON.parse(await request(page)).training;
  expect(modules).toMatchObject({ loss: 'cut', recompute_modules: ['core_attn', 'layernorm', 'mlp'] });
  await expect(page.locator('[data-field="training.recompute_modules"] .error')).toBeVisible(); // a mixture has no dense network
});

test('without a network the form is not there, and says so; the next choice tries again', async ({ page, open, complaints }) => {
  await open('model=llama-3-8b');
  await page.route(/training-/, (route) => route.abort());
  await page.getByRole('tab', { name: 'Training' }).click();
  await expect(page.locator('#tab-panel')).toContainText('could not be loaded');
  await page.unroute(/training-/);
  await page.getByRole('tab', { name: 'Inference' }).click();
  await page.getByRole('tab', { name: 'Training' }).click();
  await expect(page.getByLabel('What is trained', { exact: true })).toBeVisible();
  complaints.splice(0); // the browser's own words on the file that did not come
});

for (const [width, language, theme] of [
  [360, 'zh-CN', 'dark'],
  [1280, 'en', 'light'],
] as const) {
  test(`axe finds nothing, and nothing is wider than ${width} pixels: ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(`lang=${language}&theme=${theme}&task=training&model=mixtral-8x7b&method=qlora&checkpointing=full&loss=chunked`);
    for (const name of folds) await unfold(page, name);
    await settled(page);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await page.locator('.form').innerText()).not.toMatch(/\b(field|option|form|short)\./);
  });
}
