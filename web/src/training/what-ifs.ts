// Changes that may make a training smaller: what each sets, where it applies. Whether it saves anything, and how much,
// is asked of the engine.

import type { Tables } from '../engine/assets.ts';
import type { FieldId, Value } from '../state/fields.ts';
import { copiesOf, degreeOf, frameworkOf, offered, stageOf, stagesOf } from '../state/layout.ts';

export type Change = Partial<Record<FieldId, Value | undefined>>;

export interface WhatIf {
  id: string;
  change: Change;
}

interface Now {
  /** What holds of a field: the chosen value, or what the engine assumed. */
  value: (id: FieldId) => unknown;
  optimizers: ReadonlySet<string>;
}

const adapters = ['lora', 'dora', 'qlora', 'oft'];
const is = ({ value }: Now, id: FieldId, ...among: unknown[]): boolean => among.includes(value(id));
const trainsAdapters = (now: Now): boolean => is(now, 'training.method', ...adapters);
const number = ({ value }: Now, id: FieldId): number => Number(value(id) ?? 0);

/** Another optimizer; how it steps was the one's before. */
const optimizer = (id: string): Change => ({ 'training.optimizer': id, 'training.optimizer_step': undefined, 'training.galore.rank': undefined });

/** Another method, with the precision and the optimizer that go with it. */
const method = (id: string): Change => ({ 'training.method': id, 'training.precision': undefined, ...optimizer('adamw') });

function smallerBatch(now: Now, parts: number): Change | undefined {
  const batch = number(now, 'training.micro_batch');
  if (parts < 2 || batch % parts !== 0 || is(now, 'training.gradients_released', true)) return undefined;
  return { 'training.micro_batch': batch / parts, 'training.accumulation': number(now, 'training.accumulation') * parts };
}

function sixteenBits(now: Now): Change | undefined {
  const [kind] = /^[bf]{1,2}(16|8|32)/.exec(String(now.value('training.precision'))) ?? [];
  if (trainsAdapters(now)) return undefined;
  return { 'training.precision': kind === 'fp16' ? 'fp16' : 'bf16', 'training.optimizer_step': undefined };
}

function otherOptimizer(now: Now, name: (id: string) => string): Change | undefined {
  const wanted = name(String(now.value('training.optimizer')));
  return now.optimizers.has(wanted) ? optimizer(wanted) : undefined;
}

/** Copies of the model divide more of what they have in common. */
function divided({ value }: Now): Change | undefined {
  const framework = frameworkOf(value);
  if (copiesOf(value) < 2) return undefined;
  if (framework === 'ddp') return { 'training.parallel.framework': 'fsdp2', 'training.parallel.zero': undefined };
  const next = stageOf(value) + 1;
  if (!stagesOf(value).includes(String(next))) return undefined;
  return { 'training.parallel.framework': framework, 'training.parallel.zero': next };
}

/** What a framework can leave with the host, where it is divided. */
function onHost({ value }: Now, id: FieldId): Change | undefined {
  const stays = [undefined, 'device'].includes(value(id) as string | undefined);
  return copiesOf(value) > 1 && stays && offered(value, id) ? { [id]: 'cpu' } : undefined;
}

const where = (holds: boolean, change: Change): Change | undefined => (holds ? change : undefined);

const rules: Record<string, (now: Now) => Change | undefined> = {
  checkpointing: (now) =>
    where(!is(now, 'training.checkpointing', 'full'), { 'training.checkpointing': 'full', 'training.checkpoint_every': undefined }),
  selective: (now) => where(is(now, 'training.checkpointing', 'none'), { 'training.checkpointing': 'selective' }),
  every_layer: (now) => where(number(now, 'training.checkpoint_every') > 1, { 'training.checkpoint_every': undefined }),
  host: (now) =>
    where(is(now, 'training.checkpointing', 'full') && !is(now, 'training.checkpoints_on_host', true), { 'training.checkpoints_on_host': true }),
  precomputed: (now) =>
    where(is(now, 'training.objective', 'dpo', 'kto') && !is(now, 'training.reference_precomputed', true), {
      'training.reference_precomputed': true,
    }),
  asleep: (now) =>
    where(is(now, 'training.rollout.runtime', 'vllm') && !is(now, 'training.rollout.sleep', 'all'), { 'training.rollout.sleep': 'all' }),
  smaller_share: (now) =>
    where(number(now, 'training.rollout.memory_fraction') >= 0.2, {
      'training.rollout.memory_fraction': Math.round(50 * number(now, 'training.rollout.memory_fraction')) / 100,
    }),
  shorter_answers: (now) =>
    where(number(now, 'training.rollout.completion') >= 256, {
      'training.rollout.completion': Math.ceil(number(now, 'training.rollout.completion') / 2),
      'training.sequence': number(now, 'training.sequence') - Math.floor(number(now, 'training.rollout.completion') / 2),
    }),
  no_reference: (now) => where(is(now, 'training.objective', 'grpo') && number(now, 'training.beta') > 0, { 'training.beta': 0 }),
  fused_loss: (now) => where(is(now, 'training.objective', 'sft') && !is(now, 'training.loss', 'fused'), { 'training.loss': 'fused' }),
  chunked_loss: (now) => where(is(now, 'training.objective', 'sft') && is(now, 'training.loss', 'full'), { 'training.loss': 'chunked' }),
  compiled_loss: (now) =>
    where(is(now, 'training.objective', 'sft') && is(now, 'training.loss', 'full', 'chunked') && !is(now, 'training.loss_compiled', true), {
      'training.loss_compiled': true,
    }),
  attention: (now) => where(is(now, 'training.attention', 'eager'), { 'training.attention': 'flash' }),
  fused_norm: (now) => where(is(now, 'training.norm', 'reference'), { 'training.norm': 'fused' }),
  mixed: (now) => where(is(now, 'training.precision', 'fp32', 'tf32'), { 'training.precision': 'bf16-autocast' }),
  sixteen_bits: sixteenBits,
  gradients: (now) => where(is(now, 'training.precision', 'bf16-mixed', 'fp16-mixed', 'fp8-mixed'), { 'training.gradient_encoding': 'bf16' }),
  released: (now) => where(number(now, 'training.accumulation') === 1, { 'training.gradients_released': true }),
  expandable: (now) => where(!is(now, 'training.expandable_segments', true), { 'training.expandable_segments': true }),
  divided,
  sequence_parallel: (now) =>
    where(degreeOf(now.value, 'tensor') > 1 && !is(now, 'training.parallel.sequence_parallel', true), {
      'training.parallel.sequence_parallel': true,
    }),
  backward_soon: (now) => where(is(now, 'training.parallel.schedule', 'gpipe'), { 'training.parallel.schedule': '1f1b' }),
  states_on_host: (now) => onHost(now, 'training.parallel.offload.optimizer'),
  weights_on_host: (now) => onHost(now, 'training.parallel.offload.parameters'),
  fused_step: (now) => where(is(now, 'training.optimizer_step', 'foreach', 'loop', 'foreach-2.0'), { 'training.optimizer_step': 'fused' }),
  eight_bits: (now) => otherOptimizer(now, (id) => `${id.replace(/-32bit$/, '')}-8bit`),
  paged: (now) => otherOptimizer(now, (id) => (id.startsWith('paged-') ? '' : `paged-${id.replace(/-(8|32)bit$/, '')}-8bit`)),
  adafactor: (now) => where(/^(adam|adamw|lion|nadam|radam)$/.test(String(now.value('training.optimizer'))), optimizer('adafactor')),
  galore: (now) => where(is(now, 'training.method', 'full'), { ...method('galore'), 'training.optimizer': 'galore-adamw' }),
  lora: (now) => where(!trainsAdapters(now), method('lora')),
  qlora: (now) => where(!is(now, 'training.method', 'qlora'), trainsAdapters(now) ? { 'training.method': 'qlora' } : method('qlora')),
  half_batch: (now) => smallerBatch(now, 2),
  one_by_one: (now) => (number(now, 'training.micro_batch') > 2 ? smallerBatch(now, number(now, 'training.micro_batch')) : undefined),
  half_sequence: (now) => where(number(now, 'training.sequence') >= 512, { 'training.sequence': Math.ceil(number(now, 'training.sequence') / 2) }),
  half_rank: (now) =>
    where(trainsAdapters(now) && !is(now, 'training.method', 'oft') && number(now, 'training.lora.rank') >= 8, {
      'training.lora.rank': Math.ceil(number(now, 'training.lora.rank') / 2),
    }),
  fewer_targets: (now) => where(trainsAdapters(now) && is(now, 'training.lora.targets', 'all-linear'), { 'training.lora.targets': undefined }),
  freeze_towers: (now) => where(is(now, 'training.towers', 'trained', 'projector'), { 'training.towers': 'frozen' }),
  no_modules: (now) =>
    where(trainsAdapters(now) && now.value('training.lora.modules_to_save') !== undefined, { 'training.lora.modules_to_save': undefined }),
  no_dropout: (now) => where(trainsAdapters(now) && number(now, 'training.lora.dropout') > 0, { 'training.lora.dropout': undefined }),
};

/** Those that change anything. */
export function whatIfs(tables: Tables | undefined, value: Now['value']): WhatIf[] {
  const now: Now = { value, optimizers: new Set(tables?.optimizers.map(({ id }) => id)) };
  return Object.entries(rules).flatMap(([id, rule]) => {
    const change = rule(now);
    const moves = change && Object.entries(change).some(([field, to]) => to !== undefined && to !== value(field as FieldId));
    const clears = change && Object.values(change).every((to) => to === undefined);
    return moves || clears ? [{ id, change }] : [];
  });
}

/** The values with a change laid over them. */
export function changed(values: Partial<Record<FieldId, Value>>, change: Change): Partial<Record<FieldId, Value>> {
  const kept = Object.entries({ ...values, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as Partial<Record<FieldId, Value>>;
}
