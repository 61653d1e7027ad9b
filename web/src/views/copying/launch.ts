// <plimsoll-launch>: the command that starts the chosen runtime as it was estimated, to copy.

import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { assets } from '../../engine/assets.ts';
import { notLoaded } from '../../state/arriving/reading.ts';
import { retryView } from '../retry.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { FieldId, Value } from '../../state/fields.ts';
import type { Format } from '../../languages/format.ts';
import { HubNames } from '../../state/arriving/hub-names.ts';
import type { Key } from '../../languages/i18n.ts';
import { type Chosen, launchText, namesFile, unsaid } from './launching.ts';
import type { Answer } from '../../engine/reply.ts';
import { optionsOf, runtimeOf } from '../../state/runtimes.ts';
import { copy } from '../../state/sharing.ts';
import { counts } from '../../state/state.ts';
import { launchStyles } from '../../styles/pieces.ts';
import type { LaunchText } from '../../engine/wire.d.ts';
import { encodingOf } from '../form/storage.ts';

type Values = Chosen['values'];

const inFileNames = (encoding: string): string => encoding.replace(/^gguf-/, '').toUpperCase();

/** What was chosen and counts: values of a cache are kept as its keys are unless they have a type of their own; devices without a degree of their own share matrices, where the engine assumed so. */
function chosenValues({ state, tables }: Calculator, assumed: Values): Values {
  const values = Object.fromEntries(Object.entries(state.values).filter(([id]) => counts(state, id as FieldId))) as Values;
  const has = [...optionsOf(runtimeOf(tables, state), 'rare'), ...optionsOf(runtimeOf(tables, state), 'usual')];
  const tensor = assumed['parallel.tensor'];
  if (values['inference.draft.model.preset'] !== undefined) values['inference.draft.kind'] ??= 'model';
  const keys = values['inference.kv_encoding'];
  if (keys !== undefined && has.includes('inference.kv_encoding.v')) values['inference.kv_encoding.v'] ??= keys;
  if (has.includes('parallel.tensor') && tensor !== undefined) values['parallel.tensor'] ??= tensor;
  return values;
}

export class Launch extends LitElement {
  static override styles = launchStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    launches: { state: true },
    failed: { state: true },
    copied: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language: the texts change with it. */
  declare format: Format;
  declare launches: Record<string, LaunchText[]> | undefined;
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
      .launches()
      .then(
        (launches) => (this.launches = launches),
        () => (this.failed = true),
      );
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has('answer')) this.copied = '';
  }

  private get chosen(): Chosen {
    const { calculator: c, answer } = this;
    const encoding = encodingOf(c, answer)?.id ?? 'bf16';
    const assumed = Object.fromEntries((answer.assumptions ?? []).map(({ field, value }) => [field, value as unknown as Value])) as Values;
    const draft = this.hub.of(c.state, 'inference.draft.model.preset');
    return {
      model: this.hub.of(c.state, 'model.preset') ?? 'path/to/model',
      encoding: inFileNames(encoding),
      ...(draft !== undefined && { draft }),
      draftEncoding: inFileNames(String(c.state.values['inference.draft.weights.encoding'] ?? assumed['inference.draft.weights.encoding'] ?? 'bf16')),
      values: chosenValues(c, assumed),
      assumed,
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
    if (this.failed) return retryView(this.calculator, notLoaded, () => void this.load());
    if (!texts) return html`<p>${t('fold.loading')}</p>`;
    const { chosen } = this;
    const settings: FieldId[] = ['weights.encoding', 'inference.kv_encoding', ...optionsOf(runtime, 'usual'), ...optionsOf(runtime, 'rare')];
    const own = settings.filter((id) => c.state.values[id] !== undefined);
    const left = unsaid(texts, chosen, own).map((id) => t(`field.${id}` as Key));
    return html`${texts.map((one) => this.textView(one, chosen))} ${namesFile(texts) ? html`<p class="hint">${t('launch.file')}</p>` : nothing}
      ${left.length > 0 ? html`<p class="hint unsaid">${t('launch.unsaid', { fields: left.join(', ') })}</p>` : nothing}
      <p class="copied" role="status">${this.copied}</p>`;
  }
}

export function defineLaunch(): void {
  if (!customElements.get('plimsoll-launch')) customElements.define('plimsoll-launch', Launch);
}
