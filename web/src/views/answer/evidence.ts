// <plimsoll-evidence>: how do you know? The measured cases nearest to the answer, what was measured, what we say, and whether it was inside.

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Format } from '../../languages/format.ts';
import { type Asked, cases, errorOf, type Found, isInside, linkTo, type Measured, nearest } from '../../answers/evidence/nearest.ts';
import { notLoaded } from '../../state/arriving/reading.ts';
import type { Answer, Failure } from '../../engine/reply.ts';
import { headline } from '../../engine/reply.ts';
import { runtimeOf } from '../../state/runtimes.ts';
import { evidenceStyles } from '../../styles/pieces.ts';
import { retryView } from '../retry.ts';

/** A runtime that loads GGUF files runs llama.cpp; any other is held against its own cases. */
function runtimeAsked(c: Calculator): string {
  const runtime = runtimeOf(c.tables, c.state);
  return runtime?.weights?.includes('gguf') ? 'llama.cpp' : (runtime?.id ?? 'transformers');
}

function asked(c: Calculator, answer: Answer): Asked {
  const { task } = c.state;
  const of = task === 'training' ? String(c.state.values['training.method'] ?? 'full') : runtimeAsked(c);
  const count = answer.devices?.reduce((sum, device) => sum + device.count, 0) ?? 1;
  return { task, of, many: count > 1, family: c.model?.family, bytes: headline(answer).bytes };
}

export class Evidence extends LitElement {
  static override styles = evidenceStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    all: { state: true },
    failure: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  declare all: Measured[] | undefined;
  declare failure: Failure | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    this.failure = undefined;
    await cases().then(
      (all) => (this.all = all),
      () => (this.failure = notLoaded),
    );
  }

  override shouldUpdate(changed: PropertyValues): boolean {
    return changed.size > 0 && this.calculator !== undefined;
  }

  private row(one: Measured): TemplateResult {
    const { format } = this;
    const { t, maybe } = this.calculator.texts;
    const error = errorOf(one);
    const sign = error > 0 ? '+' : '−';
    return html`<tr data-inside=${isInside(one)}>
      <th scope="row">
        <strong>${one.model}</strong> <span class="more">${one.name}</span>
        <span class="source" lang="en">${one.url ? html`<a href=${one.url} rel="noreferrer">${one.source}</a>` : one.source}</span>
      </th>
      <td data-name=${t('how.head.counter')}>${maybe(`how.${one.counter}`) ?? one.counter}</td>
      <td data-name=${t('how.head.said')}>${format.bytes(one.said)}</td>
      <td data-name=${t('how.head.ours')}>${format.bytes(one.ours)}</td>
      <td data-name=${t('how.head.error')}>
        ${one.said === one.ours ? '0' : Math.abs(error) < 0.0005 ? `< ${format.percent(0.001, 1)}` : `${sign}${format.percent(Math.abs(error), 1)}`}
        <span class="mark ${isInside(one) ? 'in' : 'out'}">${t(isInside(one) ? 'how.inside' : 'how.outside')}</span>
      </td>
    </tr>`;
  }

  private list({ tier, cases, count, median, inside }: Found, of: Asked): TemplateResult {
    const { texts } = this.calculator;
    const { t } = texts;
    const said = { count: this.format.count(count), median: this.format.percent(median, 1), inside: this.format.percent(inside, 1) };
    return html`<p>${t(`how.${tier}`, { family: of.family ?? '' })} ${t('how.came_out', said)}</p>
      <div class="scroll" tabindex="0" role="group" aria-label=${t('how.nearest')}>
        <table class="figures">
          <caption>
            ${t('how.nearest')}
          </caption>
          <thead>
            <tr>
              ${(['case', 'counter', 'said', 'ours', 'error'] as const).map((head) => html`<th scope="col">${t(`how.head.${head}`)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${cases.map((one) => this.row(one))}
          </tbody>
        </table>
      </div>
      <p><a class="all" href=${linkTo(of, tier, texts.language)}>${t('how.all', { count: said.count })}</a></p>`;
  }

  override render() {
    const { calculator: c, answer, all, failure } = this;
    const { t } = c.texts;
    if (failure) return retryView(c, failure, () => void this.load());
    if (!all) return html`<p>${t('fold.loading')}</p>`;
    const of = asked(c, answer);
    const found = nearest(all, of);
    return found ? this.list(found, of) : nothing;
  }
}

export function defineEvidence(): void {
  if (!customElements.get('plimsoll-evidence')) customElements.define('plimsoll-evidence', Evidence);
}
