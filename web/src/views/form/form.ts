// The form: model, device, then what is done with them. No submit button; the answer follows every change.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { stages } from '../stages.ts';
import type { FieldId, Value } from '../../state/fields.ts';
import { sizeOf } from '../../languages/format.ts';
import { optionsOf, runtimeOf, unequalDevices } from '../../state/runtimes.ts';
import { counts, deviceOrigin, type Origin, type State } from '../../state/state.ts';
import { weightsView } from './encodings.ts';
import { fieldView } from './field.ts';
import { filesView, readingView } from './files.ts';
import { fold } from './fold.ts';
import { notHereYet } from '../retry.ts';
import { seesImages } from './images.ts';
import { deviceItems } from './lists.ts';
import { modelChoice, searchable } from './searchable.ts';
import { strip } from './strip.ts';

const shapeFields: readonly FieldId[] = [
  'model.parameters',
  'model.hidden_size',
  'model.num_hidden_layers',
  'model.num_attention_heads',
  'model.num_key_value_heads',
  'model.head_dim',
  'model.intermediate_size',
  'model.vocab_size',
];

/** A model typed by hand begins as the one chosen before: to change one number, one types one number. */
function chooseOrigin(c: Calculator, origin: Origin): void {
  const before = c.model;
  const empty = shapeFields.every((id) => c.state.values[id] === undefined);
  if (origin === 'typed' && before && empty) {
    const shape: Partial<Record<FieldId, Value>> = {};
    shape['model.parameters'] = before.parameters / 1e9;
    for (const id of shapeFields) {
      const value = before.shape[id.slice('model.'.length)];
      if (value !== undefined) shape[id] = value;
    }
    c.state = { ...c.state, values: { ...c.state.values, ...shape } };
  }
  c.choose({ model: origin });
}

function modelView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  const origins = [
    ['preset', t('form.from_list')],
    ['config', t('form.from_files')],
    ['typed', t('form.by_hand')],
  ] as const;
  const views: Record<Origin, () => unknown> = {
    preset: () => modelChoice(c, 'model.preset'),
    config: () => filesView(c),
    typed: () => html`<div class="columns">${shapeFields.map((id) => fieldView(c, id))}</div>`,
  };
  const free = !c.isLocked('model.preset');
  return html`<fieldset>
    <legend>${t('form.model')}</legend>
    ${free ? strip<Origin>('model-origin', t('form.model'), origins, c.state.model, (origin) => chooseOrigin(c, origin)) : nothing} ${readingView(c)}
    ${views[c.state.model]()}
  </fieldset>`;
}

/** A device by its size begins with the size of the one chosen before, a list with two of it. */
function chooseDevice(c: Calculator, device: State['device']): void {
  const { values } = c.state;
  if (device === 'list' && values['device.list'] === undefined) c.set('device.list', [0, 1].map(() => values['device.preset'] ?? 'rtx-4090').join());
  const before = c.tables?.devices.find(({ id }) => id === c.state.values['device.preset']);
  if (device === 'typed' && before && c.state.values['device.memory_bytes'] === undefined) c.set('device.memory_bytes', sizeOf(before.memory));
  c.choose({ device });
}

/** The user's own machine: looked up, picked whole, and what else runs on it. */
function ownDeviceFold(c: Calculator): TemplateResult {
  const bring = () => void c.later.bring('own');
  const asked = c.state.values['device.used_by_others_bytes'] !== undefined;
  if (asked) bring();
  return fold(c, {
    name: 'own-device',
    title: c.texts.t('form.own_device'),
    body: () => (c.later.got.own ? html`<plimsoll-own-device .calculator=${c} .state=${c.state}></plimsoll-own-device>` : notHereYet(c)),
    asked,
    opened: bring,
  });
}

/** Whether a runtime's setting says how many devices there are, or how they are joined. */
const joins = (c: Calculator, id: FieldId): boolean => id === 'devices' || (id.startsWith('parallel.') && several(c));
const several = (c: Calculator): boolean => c.state.task === 'inference' && Number(c.state.values['devices'] ?? 1) > 1;

const allOptions = (c: Calculator): readonly FieldId[] => {
  const runtime = runtimeOf(c.tables, c.state);
  return [...optionsOf(runtime, 'usual'), ...optionsOf(runtime, 'rare')];
};

/** The field that says how many devices there are; undefined where the runtime has one alone, or each is chosen by itself. */
function numberOf(c: Calculator): FieldId | undefined {
  if (c.state.task === 'training') return counts(c.state, 'training.devices') ? 'training.devices' : undefined;
  return allOptions(c).includes('devices') && counts(c.state, 'devices') ? 'devices' : undefined;
}

/** How many, times which: 2 × H100. */
function countedView(c: Calculator, device: TemplateResult): TemplateResult {
  const number = deviceOrigin(c.state) === 'list' ? undefined : numberOf(c);
  if (!number) return device;
  return html`<div class="device-count">${fieldView(c, number)}<span class="times" aria-hidden="true">×</span>${device}</div>`;
}

/** How several devices are joined; how many there are of a list says the list. */
function joinedView(c: Calculator): TemplateResult | typeof nothing {
  const ids = c.state.task === 'inference' ? allOptions(c).filter((id) => id !== 'devices' && joins(c, id) && counts(c.state, id)) : [];
  return ids.length > 0 ? html`<div class="columns">${ids.map((id) => fieldView(c, id))}</div>` : nothing;
}

function deviceView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  const origins = [
    ['preset', t('form.from_list')],
    ['typed', t('form.by_size')],
    ...(c.state.task === 'inference' && unequalDevices(runtimeOf(c.tables, c.state)) ? ([['list', t('form.several')]] as const) : []),
  ] as const;
  const views: Record<State['device'], () => TemplateResult> = {
    preset: () => searchable(c, 'device.preset', { kind: 'devices', items: deviceItems(c) }),
    typed: () => fieldView(c, 'device.memory_bytes'),
    list: () => c.later.got.devices?.deviceListView(c) ?? notHereYet(c),
  };
  const free = !c.isLocked('device.preset');
  return html`<fieldset>
    <legend>${t('form.device')}</legend>
    ${free ? strip<State['device']>('device-origin', t('form.device'), origins, deviceOrigin(c.state), (device) => chooseDevice(c, device)) : nothing}
    ${countedView(c, views[deviceOrigin(c.state)]())} ${joinedView(c)} ${free ? ownDeviceFold(c) : nothing}
  </fieldset>`;
}

/** What every runtime is asked, the runtime itself first. */
const inferenceFields: readonly FieldId[] = [
  'inference.runtime',
  'inference.context',
  'inference.sequences',
  'weights.encoding',
  'inference.kv_encoding',
];

/** A draft model is chosen as the model is. */
const settingView = (c: Calculator, id: FieldId): TemplateResult => (id === 'inference.draft.model.preset' ? modelChoice(c, id) : fieldView(c, id));

/** The settings of the chosen runtime that few change are folded, with their defaults in them. */
function rareView(c: Calculator): TemplateResult | typeof nothing {
  const runtime = runtimeOf(c.tables, c.state);
  const ids = optionsOf(runtime, 'rare').filter(
    (id) => !joins(c, id) && counts(c.state, id) && (!id.startsWith('inference.images') || seesImages(c) || c.state.values[id] !== undefined),
  );
  if (ids.length === 0) return nothing;
  const chosen = ids.some((id) => c.state.values[id] !== undefined || c.mistake(id) !== undefined);
  return fold(c, {
    name: 'rare',
    title: c.texts.t('form.rare', { runtime: runtime!.name }),
    body: () => html`<div class="columns">${ids.map((id) => settingView(c, id))}</div>`,
    asked: chosen,
  });
}

const sparsityFields: readonly FieldId[] = ['weights.sparsity.kind', 'weights.sparsity.of', 'weights.sparsity.fraction'];

/** Few ask for a pruned model: its fields are folded until then. */
function sparsityView(c: Calculator): TemplateResult {
  return fold(c, {
    name: 'sparsity',
    title: c.texts.t('form.sparsity'),
    body: () => html`<div class="columns">${sparsityFields.filter((id) => counts(c.state, id)).map((id) => fieldView(c, id))}</div>`,
    asked: c.state.values['weights.sparsity.kind'] !== undefined,
  });
}

function inferenceForm(c: Calculator): TemplateResult {
  const ids = [...inferenceFields, ...optionsOf(runtimeOf(c.tables, c.state), 'usual').filter((id) => !joins(c, id))];
  return html`<div class="columns">${ids.map((id) => (id === 'weights.encoding' ? weightsView(c) : fieldView(c, id)))}</div>
    ${c.stage < stages.options ? nothing : [rareView(c), sparsityView(c)]}`;
}

function tabsView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  const tab = (task: State['task']) => {
    const selected = c.state.task === task;
    return html`<button
      type="button"
      role="tab"
      id="tab-${task}"
      aria-selected=${selected}
      aria-controls="tab-panel"
      tabindex=${selected ? 0 : -1}
      @click=${() => c.choose({ task })}
    >
      ${t(`task.${task}`)}
    </button>`;
  };
  const turn = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const task = c.state.task === 'inference' ? 'training' : 'inference';
    c.choose({ task });
    void c.updateComplete.then(() => c.renderRoot.querySelector<HTMLElement>(`#tab-${task}`)?.focus());
  };
  return html`<div class="tabs" role="tablist" aria-label=${t('form.task')} @keydown=${turn}>${tab('inference')}${tab('training')}</div>`;
}

const taskForm = (c: Calculator) => (c.state.task === 'inference' ? inferenceForm(c) : (c.later.got.training?.trainingForm(c) ?? notHereYet(c)));

const taskPanel = (c: Calculator) => html`<div id="tab-panel" role="tabpanel" aria-labelledby="tab-${c.state.task}">${taskForm(c)}</div>`;

export function formView(c: Calculator): TemplateResult {
  return html`<form autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
    ${modelView(c)} ${c.stage < stages.device ? nothing : deviceView(c)} ${c.stage < stages.form ? nothing : [tabsView(c), taskPanel(c)]}
  </form>`;
}
