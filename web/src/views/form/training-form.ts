// The form of training: what everybody sets, and the rest in folds that show in one line what holds.

import { html, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { type FieldId, field } from '../../state/fields.ts';
import { waysOf } from '../../state/optimizers.ts';
import { counts } from '../../state/state.ts';
import { fieldView, valueOf } from './field.ts';
import { layoutForm } from './layout-form.ts';
import { seesImages } from './images.ts';
import { modelChoice } from './searchable.ts';
import { foldOf } from './training-fold.ts';

const first: readonly FieldId[] = [
  'training.method',
  'training.trainer',
  'training.objective',
  'training.reference_precomputed',
  'training.divergence',
  'training.models.teacher.model.preset',
  'training.models.teacher.weights.encoding',
  'training.rollout.completion',
  'training.rollout.num_generations',
  'training.trainable_percent',
  'training.freeze.trainable_layers',
  'training.freeze.trainable_modules',
  'training.freeze.extra_modules',
  'training.lora.rank',
  'training.oft.block_size',
  'training.towers',
  'training.images.count',
  'training.images.width',
  'training.images.height',
  'training.weights',
  'training.sequence',
  'training.micro_batch',
];

const folded: Readonly<Record<string, readonly FieldId[]>> = {
  'form.training.rollout': [
    'training.rollout.runtime',
    'training.rollout.sleep',
    'training.rollout.memory_fraction',
    'training.rollout.tensor',
    'training.rollout.sequences',
    'training.rollout.gathers',
    'training.rollout.old_log_probabilities',
    'training.beta',
    'training.models.reward.model.preset',
    'training.models.reward.weights.encoding',
    'training.models.critic.model.preset',
  ],
  'form.training.optimizer': [
    'training.precision',
    'training.fp8_recipe',
    'training.optimizer',
    'training.galore.rank',
    'training.optimizer_step',
    'training.accumulation',
    'training.gradient_encoding',
    'training.state_encoding',
    'training.gradients_released',
  ],
  'form.training.activations': [
    'training.checkpointing',
    'training.recompute_modules',
    'training.checkpoint_every',
    'training.checkpoints_on_host',
    'training.attention',
    'training.mask',
    'training.loss',
    'training.loss_chunks',
    'training.loss_compiled',
    'training.norm',
    'training.feed_forward',
    'training.experts',
    'training.dropout',
    'training.lengths.mean',
    'training.lengths.deviation',
    'training.lengths.longer',
    'training.expandable_segments',
  ],
  'form.training.adapters': [
    'training.lora.targets',
    'training.lora.modules_to_save',
    'training.lora.encoding',
    'training.lora.dropout',
    'training.lora.kernels',
    'training.lora.init',
  ],
};

const optimizer = (c: Calculator) => c.tables?.optimizers.find(({ id }) => id === valueOf(c, 'training.optimizer'));

function isMixture(c: Calculator): boolean {
  const { active, total } = c.asking.answer?.model?.parameters ?? {};
  return active !== total;
}

const withImages = (c: Calculator): boolean => c.state.values['training.images.count'] !== undefined;

/** Settings that hang on more than the state: the optimizer's own, and the model's. */
const further: Partial<Record<FieldId, (c: Calculator) => boolean>> = {
  'training.galore.rank': (c) => optimizer(c)?.rank !== undefined,
  'training.optimizer_step': (c) => waysOf(optimizer(c)).length > 1,
  'training.experts': isMixture,
  'training.towers': seesImages,
  'training.images.count': seesImages,
  'training.images.width': withImages,
  'training.images.height': withImages,
  'training.rollout.gathers': (c) => valueOf(c, 'training.rollout.gathers') !== undefined,
  'training.models.reward.weights.encoding': (c) => c.state.values['training.models.reward.model.preset'] !== undefined,
};

const shownOf = (c: Calculator, ids: readonly FieldId[]): FieldId[] =>
  ids.filter((id) => counts(c.state, id) && (c.state.values[id] !== undefined || (further[id]?.(c) ?? true)));

const settingView = (c: Calculator, id: FieldId): TemplateResult =>
  field(id).kind === 'preset' ? modelChoice(c, id) : fieldView(c, id, id === 'training.optimizer_step' ? waysOf(optimizer(c)) : field(id).options);

export function trainingForm(c: Calculator): TemplateResult {
  return html`<div class="columns rows">${shownOf(c, first).map((id) => settingView(c, id))}</div>
    ${layoutForm(c)} ${Object.entries(folded).map(([title, ids]) => foldOf(c, title, shownOf(c, ids), (id) => settingView(c, id)))}`;
}
