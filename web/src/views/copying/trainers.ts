// <plimsoll-trainers>: the training as it was estimated, in the settings of the tools that people train with, to copy.

import { html, LitElement, nothing } from 'lit';
import { assets } from '../../engine/assets.ts';
import { notLoaded } from '../../state/arriving/reading.ts';
import { retryView } from '../retry.ts';
import type { Calculator } from '../../app/calculator.ts';
import { type Field, type FieldId, fields, pathOf } from '../../state/fields.ts';
import type { Format } from '../../languages/format.ts';
import { HubNames } from '../../state/arriving/hub-names.ts';
import type { Key } from '../../languages/i18n.ts';
import type { Answer } from '../../engine/reply.ts';
import { effective, frameworkOf } from '../../state/layout.ts';
import { type Estimated, runs, settingsText, unsaid } from '../../training/settings.ts';
import { copy } from '../../state/sharing.ts';
import { counts } from '../../state/state.ts';
import { trainerStyles } from '../../styles/training/training.ts';
import type { TrainerPreset, TrainerText } from '../../engine/wire.d.ts';
import { valueName, valueOf } from '../form/field.ts';
import { strip } from '../form/strip.ts';

class Trainers extends LitElement {
  static override styles = trainerStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    trainers: { state: true },
    chosen: { state: true },
    failed: { state: true },
    copied: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language: the texts change with it. */
  declare format: Format;
  declare trainers: TrainerPreset[] | undefined;
  /** Until a tool is chosen, the one that divides the training. */
  declare chosen: string | undefined;
  declare copied: string;
  /** Whether the texts did not come. */
  declare failed: boolean;

  private hub = new HubNames(() => this.requestUpdate());

  constructor() {
    super();
    this.copied = '';
    this.failed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.failed = false;
    await assets()
      .trainers()
      .then(
        (trainers) => (this.trainers = trainers),
        () => (this.failed = true),
      );
  }

  private get usual(): string {
    return ownTools[frameworkOf((id) => valueOf(this.calculator, id))] ?? 'transformers';
  }

  /** What was chosen and counts, and what the engine assumed for the rest. */
  private get estimated(): Estimated {
    const { state } = this.calculator;
    const assumed = Object.fromEntries((this.answer.assumptions ?? []).map(({ field, value }) => [field, value as unknown]));
    const own = (fields as readonly Field[])
      .filter(({ id }) => id.startsWith('training.') && counts(state, id as FieldId))
      .map((one) => [pathOf(one), state.values[one.id as FieldId] ?? assumed[pathOf(one)]] as const);
    const said = own.filter(([path, value]) => value !== undefined && !(value === 1 && path.startsWith('parallel.')));
    const holds = (id: FieldId) => valueOf(this.calculator, id);
    const values = { ...Object.fromEntries(said), ...effective(holds) };
    return { model: this.hub.of(state, 'model.preset') ?? 'path/to/model', values };
  }

  private async take(text: string): Promise<void> {
    await copy(text);
    this.calculator.announced = this.copied = this.calculator.texts.t('launch.copied');
  }

  private textView(one: TrainerText, estimated: Estimated) {
    const { t } = this.calculator.texts;
    const text = settingsText(one, estimated);
    const title = one.file ?? 'Python';
    return html`<figure>
      <figcaption>
        <span>${title}</span>
        <button type="button" aria-label=${`${t('launch.copy')}: ${title}`} @click=${() => this.take(text)}>${t('launch.copy')}</button>
      </figcaption>
      <pre tabindex="0"><code>${text}</code></pre>
    </figure>`;
  }

  /** What the tool has no setting for, with what its preset says of it. */
  private leftView(trainer: TrainerPreset, estimated: Estimated) {
    const { calculator: c } = this;
    const left = unsaid(trainer, estimated);
    if (left.length === 0) return nothing;
    const said = left.map((path) => {
      const id = (fields as readonly Field[]).find((one) => pathOf(one) === path && one.id.startsWith('training.'))!.id as FieldId;
      const value = estimated.values[path];
      const shown = typeof value === 'number' ? this.format.count(value) : value === true ? c.texts.t('value.yes') : valueName(c, id, String(value));
      const notes = trainer.notes ?? [];
      const note = notes.find(({ field, values }) => field === path && (values.includes(String(value)) || values.includes('')));
      const text = note && c.texts.preset('trainers', trainer.id, `notes.${notes.indexOf(note)}.text`, note.text);
      return html`<li data-unsaid=${path}>
        <strong>${c.texts.t('form.pair', { name: c.texts.t(`field.${id}` as Key), value: shown })}</strong>${text ? html` ${text}` : nothing}
      </li>`;
    });
    return html`<div class="left">
      <p>${c.texts.t('trainers.left', { name: trainer.name })}</p>
      <ul>
        ${said}
      </ul>
    </div>`;
  }

  private trainerView(trainer: TrainerPreset) {
    const { t } = this.calculator.texts;
    const { estimated } = this;
    const method = String(estimated.values['training.method']);
    if (!(trainer.methods as readonly string[]).includes(method))
      return html`<p class="no-method">
        ${t('trainers.no_method', { name: trainer.name, method: valueName(this.calculator, 'training.method', method) })}
      </p>`;
    const framework = String(estimated.values['parallel.framework']);
    if (!runs(trainer, framework))
      return html`<p class="no-method">
        ${t('trainers.no_framework', { name: trainer.name, framework: valueName(this.calculator, 'training.parallel.framework', framework) })}
      </p>`;
    return html`${this.leftView(trainer, estimated)} ${trainer.texts.map((one) => this.textView(one, estimated))}
      <p class="hint">${t('trainers.read', { name: trainer.name, versions: trainer.versions })}</p>`;
  }

  override render() {
    const { t } = this.calculator.texts;
    const { trainers } = this;
    if (this.failed) return retryView(this.calculator, notLoaded, () => void this.load());
    if (!trainers) return html`<p>${t('fold.loading')}</p>`;
    const chosen = trainers.find(({ id }) => id === (this.chosen ?? this.usual)) ?? trainers[0]!;
    const choose = (id: string) => {
      this.chosen = id;
      this.copied = '';
    };
    return html`${strip(
        'trainer',
        t('trainers.tool'),
        order(trainers).map(({ id, name }) => [id, name] as const),
        chosen.id,
        choose,
      )}
      ${this.trainerView(chosen)}
      <p class="copied" role="status">${this.copied}</p>`;
  }
}

const ownTools: Readonly<Record<string, string>> = { deepspeed: 'deepspeed', fsdp: 'accelerate', fsdp2: 'accelerate', megatron: 'megatron-lm' };

/** The library that the others stand on first, then its companions. */
const first = ['transformers', 'trl', 'peft', 'accelerate', 'deepspeed'];
const place = ({ id }: TrainerPreset): number => (first.includes(id) ? first.indexOf(id) : first.length);
const order = (trainers: readonly TrainerPreset[]): TrainerPreset[] => trainers.toSorted((a, b) => place(a) - place(b) || (a.name > b.name ? -1 : 1));

export function trainersView(c: Calculator, answer: Answer) {
  if (!customElements.get('plimsoll-trainers')) customElements.define('plimsoll-trainers', Trainers);
  return html`<plimsoll-trainers .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-trainers>`;
}
