// A training on several devices: its form, which offers what the framework has; the picture of the cluster; and the
// settings that say the same to the tools.

import { bytesOf, commandLine, expect, type Locator, type Page, request, settled, settingsOf, test, total, violations } from './kit.ts';

const state = 'task=training&model=llama-3-8b&device=h100-sxm-80gb';
const stages = `${state}&train-devices=16&framework=megatron&zero=1&train-tensor=2&train-pipeline=4&accumulation=8`;
const cluster = (page: Page): Locator => page.locator('plimsoll-cluster');
const cell = (page: Page, id: string): Locator => cluster(page).locator(`button[data-cell="${id}"]`);
const asked = async (page: Page) => JSON.parse(await request(page)) as { devices?: number; parallel?: Record<string, unknown> };

async function answer(page: Page) {
  const reply = commandLine(await request(page));
  if ('error' in reply) throw new Error(reply.error.what);
  return reply;
}

test('one device asks for nothing more, and there is no picture', async ({ page, open }) => {
  await open(state);
  await expect(page.getByLabel('Devices', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Framework', { exact: true })).toHaveCount(0);
  await expect(cluster(page)).toHaveCount(0);
  expect(await asked(page)).not.toHaveProperty('parallel');
});

test('a layout is chosen, and only what its framework has is offered', async ({ page, open }) => {
  await open(state);
  await page.getByLabel('Devices', { exact: true }).fill('8');
  await settled(page);
  expect(await asked(page)).toMatchObject({ devices: 8 });
  await expect(page.getByLabel('Stage of ZeRO')).toHaveCount(0); // whole copies have none
  await page.getByLabel('Framework', { exact: true }).selectOption('deepspeed');
  await page.getByLabel('Stage of ZeRO').selectOption('3');
  await settled(page);
  expect((await asked(page)).parallel).toEqual({ framework: 'deepspeed', zero: 3 });
  expect(await total(page)).toBe(bytesOf(await answer(page)));
  const communication = page.locator('details[data-fold="form.layout.communication"]');
  await expect(communication.locator('summary')).toContainText('bucket: 5e8');
  await communication.locator('summary').click();
  await page.getByLabel('Elements fetched ahead').fill('1e8');
  await expect(page.getByLabel('Communication overlaps the backward pass')).toBeChecked();
  await page.getByLabel('Framework', { exact: true }).selectOption('fsdp2');
  await settled(page);
  // what DeepSpeed alone has is gone from form and request, the stage stays
  expect((await asked(page)).parallel).toEqual({ framework: 'fsdp2', zero: 3 });
  await expect(page.getByLabel('Elements fetched ahead')).toHaveCount(0);
  await expect(page.getByLabel('Stage of ZeRO').locator('option')).toHaveText(['By the framework', '2: and gradients', '3: and weights']);
  await expect(page.getByLabel('Gradients summed in fp32')).toBeChecked();
});

test('what cannot be is refused at the field that says it', async ({ page, open }) => {
  await open(`${state}&train-devices=8&train-tensor=2`);
  await page.getByLabel('Tensor parallel').fill('3');
  await expect(page.locator('[data-field="training.parallel.tensor"] .error')).toContainText('The devices do not divide by it.');
  await page.getByLabel('Tensor parallel').fill('2');
  await settled(page);
  await expect(page.locator('.error')).toHaveCount(0);
  await page.getByLabel('Devices', { exact: true }).fill('64');
  await page.getByLabel('Tensor parallel').fill('64');
  await settled(page);
  await expect(page.locator('[data-field="training.parallel.tensor"] .error')).toContainText('The attention heads do not divide');
  await page.locator('select[name="language"]').selectOption('zh-CN');
  await expect(page.locator('[data-field="training.parallel.tensor"] .error')).toContainText('注意力头无法均分');
});

test('a field in a fold that is refused opens it', async ({ page, open }) => {
  await open(`${state}&train-devices=8&framework=fsdp2&shard-group=4`);
  await expect(page.locator('[data-field="training.parallel.shard_group"]')).toBeHidden();
  await page.getByLabel('Devices', { exact: true }).fill('6');
  await expect(page.locator('[data-field="training.parallel.shard_group"] .error')).toBeVisible();
  await expect(page.locator('.banner')).toContainText('The last answer is shown');
});

test('stages stand side by side, as full as they are, the fullest named, and open to their rows', async ({ page, open }) => {
  await open(stages);
  const reply = await answer(page);
  expect(reply.devices).toHaveLength(4);
  await expect(cluster(page).locator('button[data-cell]')).toHaveCount(4);
  await expect(cell(page, reply.total.device!)).toContainText('fullest');
  await expect(cell(page, 'stage 1')).toContainText('4 devices');
  await expect(cell(page, 'stage 1').locator('.square')).toHaveCount(4);
  await cell(page, 'stage 1').focus();
  await page.keyboard.press('Enter');
  await expect(cell(page, 'stage 1')).toHaveAttribute('aria-expanded', 'true');
  const rows = cluster(page).locator('#rows');
  const { rows: held } = reply.devices!.find(({ device }) => device === 'stage 1')!;
  await expect(rows.locator('tbody tr')).toHaveCount(held!.filter(({ bytes }) => bytes > 0).length);
  await expect(rows).toContainText('Stage 1');
  await page.keyboard.press('Space');
  await expect(rows.locator('tr')).toHaveCount(0);
  await cluster(page).getByText('The numbers').click();
  await expect(cluster(page).locator('details tbody tr')).toHaveCount(4);
});

test('one stage is one cell, and the host has its own', async ({ page, open }) => {
  await open(`${state}&train-devices=8&framework=deepspeed&zero=3&offload-optimizer=cpu`);
  const reply = await answer(page);
  await expect(cluster(page).locator('button[data-cell]')).toHaveCount(2);
  await expect(cell(page, reply.devices![0]!.device)).toContainText('Every device');
  await expect(cell(page, 'host')).toContainText('Host memory');
  await cell(page, 'host').click();
  await expect(cluster(page).locator('#rows tbody tr')).toHaveCount(reply.host!.rows!.length);
});

test('of many devices a square stands for several', async ({ page, open }) => {
  await open(`${state}&train-devices=1024&framework=fsdp2`);
  await expect(cluster(page).locator('button .square')).toHaveCount(16);
  await expect(cluster(page)).toContainText('Each square is 64 equal devices.');
});

test('the layout stands in the link, and an inference has none of it', async ({ page, open }) => {
  await open(stages);
  await expect(page).toHaveURL(/train-pipeline=4/);
  await page.getByRole('tab', { name: 'Inference' }).click();
  await settled(page);
  expect(await asked(page)).not.toHaveProperty('parallel');
  await expect(cluster(page)).toHaveCount(0);
});

test('ZeRO with off-load in the words of DeepSpeed and of Accelerate', async ({ page, open }) => {
  await open(`${state}&train-devices=8&framework=deepspeed&zero=3&offload-optimizer=cpu&offload-parameters=nvme&accumulation=4&reduce-bucket=2e8`);
  const config = JSON.parse(await settingsOf(page, 'DeepSpeed')) as Record<string, unknown>;
  expect(config).toMatchObject({
    train_micro_batch_size_per_gpu: 1,
    gradient_accumulation_steps: 4,
    bf16: { enabled: true },
    zero_optimization: {
      stage: 3,
      overlap_comm: true,
      reduce_bucket_size: 200000000,
      offload_optimizer: { device: 'cpu' },
      offload_param: { device: 'nvme' },
    },
  });
  expect(await settingsOf(page, 'Accelerate')).toContain('deepspeed_config_file: ds_config.json');
  expect(await settingsOf(page, 'Hugging Face Trainer')).toContain('deepspeed="ds_config.json"');
  await settingsOf(page, 'torchtitan');
  await expect(page.locator('plimsoll-trainers .no-method')).toContainText('DeepSpeed (ZeRO)');
});

test('FSDP2 in groups in the words of Accelerate and torchtitan', async ({ page, open }) => {
  await open(`${state}&train-devices=32&framework=fsdp2&train-tensor=2&shard-group=8&precision=bf16-mixed&optimizer=adamw`);
  const accelerate = await settingsOf(page, 'Accelerate');
  for (const line of [
    'num_processes: 32',
    'fsdp_version: 2',
    'fsdp_reshard_after_forward: true',
    'dp_replicate_size: 2',
    'dp_shard_size: 8',
    'tp_size: 2',
  ])
    expect(accelerate).toContain(line);
  await expect(page.locator('[data-unsaid="parallel.reduce_in_fp32"]')).toContainText('reduce_dtype');
  const titan = await settingsOf(page, 'torchtitan');
  for (const line of [
    'data_parallel_replicate_degree = 2',
    'data_parallel_shard_degree = 8',
    'tensor_parallel_degree = 2',
    'mixed_precision_param = "bfloat16"',
    'torchrun --nproc-per-node 32',
  ])
    expect(titan).toContain(line);
});

test("a pipeline in Megatron-LM's flags", async ({ page, open }) => {
  await open(`${stages}&sequence-parallel=true&virtual-stages=2`);
  const text = (await settingsOf(page, 'Megatron-LM')).replaceAll(/\s*\\\n\s*/g, ' ');
  for (const flag of [
    'torchrun --nproc-per-node 16 pretrain_gpt.py',
    '--tensor-model-parallel-size 2',
    '--sequence-parallel',
    '--pipeline-model-parallel-size 4',
    '--num-virtual-stages-per-pipeline-rank 2',
    '--use-distributed-optimizer',
    '--global-batch-size 16',
    '--bf16',
  ])
    expect(text).toContain(flag);
  await settingsOf(page, 'DeepSpeed');
  await expect(page.locator('plimsoll-trainers .no-method')).toContainText('Megatron-LM');
});

for (const [width, language, theme] of [
  [360, 'zh-CN', 'light'],
  [360, 'en', 'dark'],
  [768, 'en', 'light'],
  [1280, 'zh-CN', 'dark'],
] as const)
  test(`axe finds nothing, and nothing is wider than ${width} pixels: ${language}, ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(`lang=${language}&theme=${theme}&${stages}`);
    await cell(page, 'stage 3').click();
    for (const fold of ['form.layout.more', 'form.layout.communication', 'trainers']) {
      const summary = page.locator(`details[data-fold="${fold}"] > summary, [role="tab"][data-fold="${fold}"]`);
      if (await summary.count()) await summary.click();
    }
    await expect(page.locator('plimsoll-trainers pre').first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const said = await cluster(page).innerText();
    expect(said).not.toMatch(/undefined|NaN|cluster\.|\{\w+\}/);
    if (language === 'zh-CN') expect(said).not.toMatch(/stage|fullest/i);
  });
