// The training as estimated, in the settings of the tools that people train with.

import { expect, type Page, settled, settingsOf, test, violations } from './kit.ts';

const state = 'task=training&model=llama-3-8b&device=a100-sxm-80gb';
const texts = (page: Page) => page.locator('plimsoll-trainers pre');
const unsaid = (page: Page) =>
  page.locator('plimsoll-trainers [data-unsaid]').evaluateAll((all) => all.map((one) => one.getAttribute('data-unsaid')));

test('QLoRA in the words of four tools', async ({ page, open }) => {
  await open(
    `${state}&method=qlora&rank=32&targets=all-linear&checkpointing=full&loss=fused&optimizer=paged-adamw-8bit&attention=flash&batch=2&accumulation=8&sequence=4096`,
  );
  const trainer = await settingsOf(page, 'Hugging Face Trainer');
  for (const line of [
    '"meta-llama/Meta-Llama-3-8B",',
    'dtype="bfloat16",',
    'attn_implementation="flash_attention_2",',
    'per_device_train_batch_size=2,',
    'gradient_accumulation_steps=8,',
    'optim="paged_adamw_8bit",',
    'gradient_checkpointing=True,',
    '"fused_linear_cross_entropy": True',
    '4096 tokens',
  ])
    expect(trainer).toContain(line);
  expect(await unsaid(page)).toEqual([]);
  const peft = await settingsOf(page, 'PEFT');
  for (const line of ['load_in_4bit=True', 'bnb_4bit_quant_type="nf4"', 'bnb_4bit_use_double_quant=True', 'r=32,', 'target_modules="all-linear"'])
    expect(peft).toContain(line);
  const factory = await settingsOf(page, 'LLaMA-Factory');
  for (const line of [
    'finetuning_type: lora',
    'quantization_bit: 4',
    'double_quantization: true',
    'lora_target: all',
    'cutoff_len: 4096',
    'enable_liger_kernel: true',
  ])
    expect(factory).toContain(line);
  expect(factory).not.toContain('disable_gradient_checkpointing'); // it checkpoints by itself
  const axolotl = await settingsOf(page, 'Axolotl');
  for (const line of [
    'adapter: qlora',
    'load_in_4bit: true',
    'lora_target_linear: true',
    'sequence_len: 4096',
    'gradient_checkpointing: true',
    'liger_fused_linear_cross_entropy: true',
  ])
    expect(axolotl).toContain(line);
});

test('what a tool has no setting for is said and not made up', async ({ page, open }) => {
  await open(`${state}&checkpointing=selective`);
  const text = await settingsOf(page, 'Hugging Face Trainer');
  expect(await unsaid(page)).toEqual(['training.precision', 'training.checkpointing', 'training.recompute_modules']);
  expect(text).not.toContain('dtype');
  await expect(page.locator('[data-unsaid="training.precision"]')).toContainText('DeepSpeed');
});

test('a method that a tool does not have is said', async ({ page, open }) => {
  await open(`${state}&method=galore&galore-rank=64`);
  expect(await settingsOf(page, 'Hugging Face Trainer')).toContain('optim_args="rank=64"');
  await page.locator('plimsoll-trainers').getByText('PEFT', { exact: true }).click();
  await expect(page.locator('plimsoll-trainers .no-method')).toHaveText('PEFT does not have this method: GaLore: projected gradients.');
  await expect(texts(page)).toHaveCount(0);
  await page.getByLabel('Training method', { exact: true }).selectOption('lora');
  await settled(page);
  await expect(texts(page)).toContainText('LoraConfig(');
});

test('lists, adapters in 16 bits, and the way an optimizer steps', async ({ page, open }) => {
  await open(`${state}&method=dora&targets=q_proj%2Ck_proj%2Cv_proj%2Co_proj&modules=embed_tokens%2Clm_head&adapter-type=bf16&optimizer-step=fused`);
  const peft = await settingsOf(page, 'PEFT');
  expect(peft).toContain('target_modules=["q_proj", "k_proj", "v_proj", "o_proj"]');
  expect(peft).toContain('modules_to_save=["embed_tokens", "lm_head"]');
  expect(peft).toContain('use_dora=True');
  expect(peft).toContain('autocast_adapter_dtype=False');
  expect(await settingsOf(page, 'Hugging Face Trainer')).toContain('optim="adamw_torch_fused"');
  const axolotl = await settingsOf(page, 'Axolotl');
  expect(axolotl).toContain('lora_target_modules: [q_proj, k_proj, v_proj, o_proj]');
  expect(axolotl).toContain('peft_use_dora: true');
  expect(await settingsOf(page, 'LLaMA-Factory')).toContain('lora_target: q_proj,k_proj,v_proj,o_proj');
});

test('OFT in the words of PEFT', async ({ page, open }) => {
  await open(`${state}&method=oft&oft=64&targets=all-linear`);
  const peft = await settingsOf(page, 'PEFT');
  for (const line of ['from peft import OFTConfig, get_peft_model', 'config = OFTConfig(', 'oft_block_size=64,', 'target_modules="all-linear"'])
    expect(peft).toContain(line);
  expect(peft).not.toContain('LoraConfig');
  expect(peft).not.toContain('r=');
});

test('a vision tower in the words of LLaMA-Factory, and what other tools leave to the program', async ({ page, open }) => {
  const seeing = 'task=training&model=qwen2.5-vl-3b&device=a100-sxm-80gb&sequence=4096&training-images=1';
  await open(`${seeing}&trainer=llama-factory&towers=projector`);
  const factory = await settingsOf(page, 'LLaMA-Factory');
  expect(factory).toContain('freeze_multi_modal_projector: false');
  expect(factory).not.toContain('freeze_vision_tower');
  await open(`${seeing}&trainer=llama-factory`);
  expect(await settingsOf(page, 'LLaMA-Factory')).not.toContain('freeze_'); // both are frozen by default
  await open(`${seeing}&towers=frozen`);
  await settingsOf(page, 'Hugging Face Trainer');
  expect(await unsaid(page)).toContain('training.towers');
});

test("objectives beyond the next token are TRL's", async ({ page, open }) => {
  await open(`${state}&objective=dpo&reference-precomputed=true&sequence=4096`);
  const preference = await settingsOf(page, 'TRL');
  for (const line of ['from trl import DPOConfig, DPOTrainer', 'max_length=4096', 'precompute_ref_log_probs=True'])
    expect(preference).toContain(line);
  await page.getByLabel('Objective', { exact: true }).selectOption('distill');
  await settled(page);
  await expect(texts(page)).toContainText('from trl.experimental.gkd import GKDConfig, GKDTrainer');
  await expect(texts(page)).toContainText('beta=0.5');
  await page.getByLabel('Objective', { exact: true }).selectOption('grpo');
  await page.locator('details[data-fold="form.training.rollout"] > summary').click();
  await page.getByLabel('Answers generated by', { exact: true }).selectOption('vllm');
  await page.getByLabel('vLLM while it trains', { exact: true }).selectOption('all');
  await settled(page);
  for (const line of ['GRPOConfig(', 'max_completion_length=2048', 'use_vllm=True', 'vllm_mode="colocate"', 'vllm_enable_sleep_mode=True'])
    await expect(texts(page)).toContainText(line);
});

test('is copied as it stands', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`${state}&method=lora`);
  const text = await settingsOf(page, 'Axolotl');
  await page.locator('plimsoll-trainers').getByRole('button', { name: /Copy/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

test('no method and no tool keeps a hole', async ({ page, open }) => {
  await open(state);
  await settingsOf(page, 'Hugging Face Trainer');
  for (const method of ['full', 'freeze', 'lora', 'dora', 'qlora', 'galore']) {
    await page.getByLabel('Training method', { exact: true }).selectOption(method);
    await settled(page);
    for (const tool of ['Hugging Face Trainer', 'PEFT', 'LLaMA-Factory', 'Axolotl']) {
      await page.locator('plimsoll-trainers').getByText(tool, { exact: true }).click();
      expect((await texts(page).allInnerTexts()).join('\n'), `${method}, ${tool}`).not.toMatch(/\{(value|list|model)\}|undefined/);
      for (const left of await page.locator('[data-unsaid]').allInnerTexts()) expect(left, `${method}, ${tool}`).not.toMatch(/undefined|field\.|NaN/);
    }
  }
});

for (const [width, language, theme] of [
  [360, 'zh-CN', 'light'],
  [1280, 'en', 'dark'],
] as const)
  test(`axe finds nothing, and nothing is wider than ${width} pixels: ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open(`lang=${language}&theme=${theme}&${state}&checkpointing=selective`);
    await page.locator('[data-fold="trainers"]').click();
    await expect(texts(page).first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
