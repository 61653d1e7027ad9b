// <plimsoll-wizard>: for those who come without a configuration: three doors, two questions behind each, then the form, filled.

import '../../languages/texts-choosing.ts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { Guide, places, uses } from '../../answers/guide.ts';
import type { Calculator } from '../../app/calculator.ts';
import { assets } from '../../engine/assets.ts';
import type { Key } from '../../languages/i18n.ts';
import { wizardStyles } from '../../styles/choosing/wizard.ts';
import { defineCombobox, type Item } from '../form/combobox.ts';
import { deviceItems, modelItems } from '../form/lists.ts';

export type Door = 'card' | 'model' | 'tune';
export const doors: readonly Door[] = ['card', 'model', 'tune'];

type Question = 'device' | 'model' | 'use' | 'place';

const questions: Record<Door, readonly [Question, Question]> = {
  card: ['device', 'use'],
  model: ['model', 'place'],
  tune: ['model', 'device'],
};

export class Wizard extends LitElement {
  static override styles = wizardStyles;
  static override properties = {
    lang: { type: String },
    calculator: { attribute: false },
    door: { state: true },
    step: { state: true },
    said: { state: true },
    busy: { state: true },
    failed: { state: true },
  };

  declare calculator: Calculator;
  declare door: Door | undefined;
  declare step: number;
  declare said: Partial<Record<Question, string>>;
  declare busy: boolean;
  declare failed: boolean;
  private dialog = createRef<HTMLDialogElement>();

  constructor() {
    super();
    this.step = 0;
    this.said = {};
    this.busy = false;
    this.failed = false;
  }

  private get question(): Question | undefined {
    return this.door && questions[this.door][this.step];
  }

  /** Opens before a door, or behind it. */
  async show(door?: Door): Promise<void> {
    this.door = door;
    this.step = 0;
    this.failed = false;
    const { values } = this.calculator.state;
    this.said = { device: String(values['device.preset'] ?? ''), model: String(values['model.preset'] ?? '') };
    await this.updateComplete;
    this.dialog.value?.showModal();
    await this.calculator.models.list();
    this.requestUpdate();
  }

  private enter(door: Door): void {
    this.door = door;
    this.step = 0;
    this.refocus();
  }

  private back(): void {
    if (this.step === 0) this.door = undefined;
    this.step = 0;
    this.refocus();
  }

  /** The button that had the focus goes with its question. */
  private refocus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[data-first], input')?.focus());
  }

  private answer(question: Question, value: string): void {
    this.said = { ...this.said, [question]: value };
    if (this.step === 0) {
      this.step = 1;
      this.refocus();
    } else void this.fill();
  }

  private async fill(): Promise<void> {
    const { calculator: c, door } = this;
    this.busy = true;
    this.failed = false;
    try {
      await Promise.all([assets().complete(), c.models.list()]);
      const guide = new Guide(await c.asking.loaded(), c.tables!, c.models.entries);
      const { device = '', model = '', use, place } = this.said;
      if (door === 'card')
        c.state = await guide.forCard(
          device,
          uses.find((one) => one === use)!,
        );
      if (door === 'model')
        c.state = await guide.forModel(
          model,
          places.find((one) => one === place)!,
        );
      if (door === 'tune') c.state = await guide.forTuning(model, device);
      c.announced = c.texts.t('wizard.filled');
      this.dialog.value?.close();
    } catch {
      this.failed = true; // without a network what was not loaded yet stays away
    } finally {
      this.busy = false;
    }
  }

  private listQuestion(question: 'device' | 'model'): TemplateResult {
    const { calculator: c } = this;
    const { t } = c.texts;
    const items: Item[] = question === 'device' ? deviceItems(c) : modelItems(c);
    const label = t(`wizard.ask.${question}`);
    return html`<label for="wizard-${question}">${label}</label>
      <plimsoll-combobox
        name="wizard-${question}"
        label=${label}
        kind=${question === 'device' ? 'devices' : 'models'}
        empty=${t('form.nothing_found')}
        coming=${t('form.loading')}
        .value=${this.said[question]}
        .items=${items}
        @choose=${(event: CustomEvent<string>) => (this.said = { ...this.said, [question]: event.detail })}
      ></plimsoll-combobox>
      <p class="actions">
        ${this.backView()}
        <button type="button" class="go" ?disabled=${!this.said[question] || this.busy} @click=${() => this.answer(question, this.said[question]!)}>
          ${t(this.step === 0 ? 'wizard.next' : 'wizard.fill')}
        </button>
      </p>`;
  }

  private choices(question: 'use' | 'place'): TemplateResult {
    const { t } = this.calculator.texts;
    const all: readonly string[] = question === 'use' ? uses : places;
    return html`<p id="wizard-question" class="asked">${t(`wizard.ask.${question}`)}</p>
      <ul class="choices" aria-labelledby="wizard-question">
        ${all.map(
          (one, at) =>
            html`<li>
              <button type="button" data-choice=${one} ?data-first=${at === 0} ?disabled=${this.busy} @click=${() => this.answer(question, one)}>
                <strong>${t(`wizard.${question}.${one}` as Key)}</strong>
                <span>${t(`wizard.${question}.${one}.hint` as Key)}</span>
              </button>
            </li>`,
        )}
      </ul>
      <p class="actions">${this.backView()}</p>`;
  }

  private backView(): TemplateResult {
    return html`<button type="button" ?disabled=${this.busy} @click=${() => this.back()}>${this.calculator.texts.t('wizard.back')}</button>`;
  }

  private doorsView(): TemplateResult {
    const { t } = this.calculator.texts;
    return html`<ul class="choices">
      ${doors.map(
        (door, at) =>
          html`<li>
            <button type="button" data-door=${door} ?data-first=${at === 0} @click=${() => this.enter(door)}>
              <strong>${t(`wizard.door.${door}`)}</strong><span>${t(`wizard.door.${door}.hint`)}</span>
            </button>
          </li>`,
      )}
    </ul>`;
  }

  private questionView(): TemplateResult {
    const { question } = this;
    if (!question) return this.doorsView();
    return question === 'device' || question === 'model' ? this.listQuestion(question) : this.choices(question);
  }

  override render() {
    if (!this.calculator) return nothing;
    const { t } = this.calculator.texts;
    const title = this.door ? t(`wizard.door.${this.door}`) : t('wizard.title');
    return html`<dialog ${ref(this.dialog)} aria-labelledby="wizard-title">
      <div class="head">
        <h2 id="wizard-title">${title}</h2>
        <button type="button" class="close" @click=${() => this.dialog.value?.close()}>${t('examples.close')}</button>
      </div>
      ${this.door ? html`<p class="step">${t('wizard.step', { step: this.step + 1 })}</p>` : html`<p>${t('wizard.intro')}</p>`} ${this.questionView()}
      <p class="state" role="status">${this.busy ? t('ways.searching') : nothing}${this.failed ? t('wizard.failed') : nothing}</p>
    </dialog>`;
  }
}

export function defineWizard(): void {
  defineCombobox();
  if (!customElements.get('plimsoll-wizard')) customElements.define('plimsoll-wizard', Wizard);
}
