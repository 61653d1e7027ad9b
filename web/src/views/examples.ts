// What articles say: their figures beside ours, and why they differ. Opening one loads its question into the form.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { assets } from '../engine/assets.ts';
import { isLanguage, type Texts, textsIn } from '../languages/i18n.ts';
import { fromRequest } from '../state/request.ts';
import { examplesStyles } from '../styles/index.ts';
import type { Example, ExampleFigure } from '../engine/wire.d.ts';
import { sourceView } from './answer/explanation.ts';

/** Whether two figures are the same as far as the first is printed: 131.5 is 131.46, 4,718,592 is not 4,722,432. */
function same(article: number, ours: number): boolean {
  const decimals = /\.(\d+)$/.exec(String(article))?.[1]?.length ?? 0;
  return Math.abs(article - ours) <= 0.5 * 10 ** -decimals && (decimals > 0 || Math.round(ours) === article);
}

export class ExampleList extends LitElement {
  static override styles = examplesStyles;
  static override properties = { lang: { type: String }, examples: { state: true } };

  declare examples: readonly Example[];
  private dialog = createRef<HTMLDialogElement>();

  constructor() {
    super();
    this.examples = [];
  }

  private get texts(): Texts {
    return textsIn(isLanguage(this.lang) ? this.lang : 'en', () => this.requestUpdate());
  }

  async show(): Promise<void> {
    const examples = await assets().examples();
    await this.updateComplete;
    this.dialog.value?.showModal();
    this.examples = examples.toSorted((a, b) => a.order - b.order);
  }

  private open(example: Example): void {
    if (!example.request) return;
    this.dispatchEvent(new CustomEvent('open-example', { detail: fromRequest(example.request) }));
    this.dialog.value?.close();
  }

  /** The article's figure against ours: the same as printed, or by how much of ours it differs. */
  private verdict({ article, ours, agrees }: ExampleFigure, number: Intl.NumberFormat): TemplateResult | typeof nothing {
    const { t, language } = this.texts;
    if (!article || !ours) return nothing;
    if (same(article.value, ours.value)) return html`<span class="agrees">${t('examples.agrees')}</span>`;
    const share = Math.abs(article.value - ours.value) / Math.abs(ours.value);
    const percent = new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 2 });
    const apart = Number.isFinite(share) ? percent.format(share) : number.format(Math.abs(article.value - ours.value));
    return html`<span class=${agrees ? 'near' : 'differs'}>${t('examples.differs', { apart })}</span>`;
  }

  private figureView(example: Example, figure: ExampleFigure, index: number) {
    const { language } = this.texts;
    const number = new Intl.NumberFormat(language, { maximumFractionDigits: 6 });
    const value = (one: { value: number } | undefined) => (one ? `${number.format(one.value)}` : '–');
    const verdict = this.verdict(figure, number);
    return html`<tr>
      <th scope="row">${this.texts.preset('examples', example.id, `compare.${index}.what`, figure.what)}</th>
      <td>${value(figure.article)}</td>
      <td>${value(figure.ours)}</td>
      <td class="unit">${this.texts.name('figure_unit', figure.unit)} ${verdict}</td>
    </tr>`;
  }

  private exampleView(example: Example) {
    const { t } = this.texts;
    const say = (place: string, english: string) => this.texts.preset('examples', example.id, place, english);
    const from = [example.article.from].flat().map((key) => example.sources[key]);
    return html`<article>
      <h3>${say('title', example.title)}</h3>
      <p class="claim">
        <span class="label">${t('examples.claim')}</span> ${say('article.claim', example.article.claim)}
        ${example.article.formula ? html`<code>${example.article.formula}</code>` : nothing}
      </p>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <td></td>
              <th scope="col">${t('examples.article')}</th>
              <th scope="col">${t('examples.ours')}</th>
              <td></td>
            </tr>
          </thead>
          <tbody>
            ${example.compare.map((figure, index) => this.figureView(example, figure, index))}
          </tbody>
        </table>
      </div>
      <p>${say('why', example.why)}</p>
      <p class="from">
        ${from.map((source) => (source ? html`<span>${source.title} ${source.url ? sourceView(source.url) : nothing}</span>` : nothing))}
      </p>
      ${example.request ? html`<button type="button" @click=${() => this.open(example)}>${t('examples.load')}</button>` : nothing}
    </article>`;
  }

  override render() {
    const { t } = this.texts;
    return html`<dialog ${ref(this.dialog)} aria-labelledby="examples-title">
      <div class="head">
        <h2 id="examples-title">${t('examples.title')}</h2>
        <button type="button" class="close" @click=${() => this.dialog.value?.close()}>${t('examples.close')}</button>
      </div>
      <p>${t('examples.intro')}</p>
      ${this.examples.map((example) => this.exampleView(example))}
    </dialog>`;
  }
}

export function defineExamples(): void {
  if (!customElements.get('plimsoll-examples')) customElements.define('plimsoll-examples', ExampleList);
}
