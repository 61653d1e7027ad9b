// <plimsoll-launch>: the command that starts the chosen runtime as it was estimated, to copy.

import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { assets } from '../assets.ts';
import type { Calculator } from '../calculator.ts';
import type { FieldId, Value } from '../fields.ts';
import type { Format } from '../format.ts';
import type { Key } from '../i18n.ts';
import { type Chosen, launchText, namesFile, unsaid } from '../launching.ts';
import type { Answer } from '../reply.ts';
import { optionsOf, runtimeOf } from '../runtimes.ts';
import { copy } from '../sharing.ts';
import { counts } from '../state.ts';
import { launchStyles } from '../styles/pieces.ts';
import type { LaunchText } from '../wire.d.ts';
import { encodingOf } from './storage.ts';

type Values = Chosen['values'];

/** What was chosen and counts; devices without a degree of their own are tensor-parallel ones where there is such a setting. */
function chosenValues({ state, tables }: Calculator): Values {
  const values = Object.fromEntries(Object.entries(state.values).filter(([id]) => counts(state, id as FieldId))) as Values;
  const has = [...optionsOf(runtimeOf(tables, state), 'rare'), ...optionsOf(runtimeOf(tables, state), 'usual')];
  const others = Number(values['parallel.pipeline'] ?? 1) * Number(values['parallel.data'] ?? 1);
  const devices = Number(values['devices'] ?? 1);
  if (has.includes('parallel.tensor') && devices > others) values['parallel.tensor'] ??= devices / others;
  return values;
}

export class Launch extends LitElement {
  static override styles = launchStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    launches: { state: true },
    hub: { state: true },
    copied: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language: the texts change with it. */
  declare format: Format;
  declare launches: Record<string, LaunchText[]> | undefined;
  /** The chosen preset's name on the hub. */
  declare hub: { id: string; name: string | undefined } | undefined;
  declare copied: string;

  private wanted = '';

  constructor() {
    super();
    this.copied = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void assets()
      .launches()
      .then((launches) => (this.launches = launches));
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('answer')) this.copied = '';
    const { state } = this.calculator;
    const id = state.model === 'preset' ? String(state.values['model.preset'] ?? '') : '';
    if (id !== this.wanted) void this.name(id);
  }

  private async name(id: string): Promise<void> {
    this.wanted = id;
    this.hub = undefined;
    const text = id === '' ? undefined : await assets().model(id);
    if (this.wanted === id) this.hub = { id, name: text && (JSON.parse(text) as { hugging_face_id?: string }).hugging_face_id };
  }

  private get chosen(): Chosen {
    const { calculator: c, answer } = this;
    const encoding = encodingOf(c, answer)?.id ?? 'bf16';
    return {
      model: this.hub?.name ?? 'path/to/model',
      encoding: encoding.replace(/^gguf-/, '').toUpperCase(),
      values: chosenValues(c),
      assumed: Object.fromEntries((answer.assumptions ?? []).map(({ field, value }) => [field, value as unknown as Value])) as Values,
    };
  }

  private async take(text: string): Promise<void> {
    await copy(text);
    this.calculator.announced = this.copied = this.calculator.texts.t('launch.copied');
  }

  private textView(one: LaunchText, chosen: Chosen) {
    const { t } = this.calculator.texts;
    const text = launchText(one, chosen);
    const title = one.file ?? (one.language === 'python' ? 'Python' : t('launch.shell'));
    return html`<figure>
      <figcaption>
        <span>${title}</span>
        <button type="button" aria-label=${`${t('launch.copy')}: ${title}`} @click=${() => this.take(text)}>${t('launch.copy')}</button>
      </figcaption>
      <pre tabindex="0"><code>${text}</code></pre>
    </figure>`;
  }

  override render() {
    const { calculator: c } = this;
    const { t } = c.texts;
    const runtime = runtimeOf(c.tables, c.state);
    const texts = runtime && this.launches?.[runtime.id];
    if (!texts) return html`<p>${t('fold.loading')}</p>`;
    const { chosen } = this;
    const settings: FieldId[] = ['weights.encoding', 'inference.kv_encoding', ...optionsOf(runtime, 'usual'), ...optionsOf(runtime, 'rare')];
    const left = unsaid(texts, chosen, settings).map((id) => t(`field.${id}` as Key));
    return html`${texts.map((one) => this.textView(one, chosen))} ${namesFile(texts) ? html`<p class="hint">${t('launch.file')}</p>` : nothing}
      ${left.length > 0 ? html`<p class="hint unsaid">${t('launch.unsaid', { fields: left.join(', ') })}</p>` : nothing}
      <p class="copied" role="status">${this.copied}</p>`;
  }
}

export function defineLaunch(): void {
  if (!customElements.get('plimsoll-launch')) customElements.define('plimsoll-launch', Launch);
}
