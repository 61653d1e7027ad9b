// <plimsoll-accuracy>: the page of measured cases. What is chosen stands in its link; the calculator links to it with what is nearest.

import { html, LitElement, nothing } from 'lit';
import { defineScatter, type Dots } from '../charts/scatter.ts';
import { type Format, formatIn } from '../languages/format.ts';
import { isLanguage, type Language, languages, preferred, type Texts, textsIn } from '../languages/i18n.ts';
import { accuracyStyles } from '../styles/accuracy.ts';
import { mark } from '../views/mark.ts';
import { type Choice, chosen, choiceFrom, type Filter, filters, initialChoice, linkOf, statuses, valueOf } from './choosing.ts';
import { type Board, type Figure, figuresOf } from './evidence.ts';
import { mediansView } from './medians.ts';
import { explainedView } from './explained.ts';
import type { Page } from './page.ts';
import { casesView, caseView } from './table.ts';
import { nameOf, signedOf, sizeOf } from './words.ts';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const colours: Record<string, string> = { buffers: 'c1', logs: 'c4', inference: 'c3', training: 'c5', files: 'c8', saved: 'c6' };

export class PlimsollAccuracy extends LitElement implements Page {
  static override styles = accuracyStyles;
  static override properties = {
    board: { attribute: false },
    choice: { state: true },
    language: { state: true },
    theme: { state: true },
    pointed: { state: true },
    allGroups: { state: true },
  };

  declare board: Board;
  declare choice: Choice;
  declare language: Language;
  declare theme: Theme;
  declare pointed: Figure | undefined;
  declare allGroups: boolean;

  private all: Figure[] = [];
  private shown: { of: Choice; figures: Figure[] } | undefined;
  private plotted: { of: unknown[]; figures: Figure[]; dots: Dots } | undefined;
  private leaving = new AbortController();

  constructor() {
    super();
    this.allGroups = false;
    this.readLink();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.all = figuresOf(this.board);
    addEventListener('hashchange', () => this.readLink(), { signal: this.leaving.signal });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leaving.abort();
  }

  get texts(): Texts {
    return textsIn(this.language, () => this.requestUpdate());
  }

  get format(): Format {
    return formatIn(this.language, 'GiB');
  }

  private readLink(): void {
    const link = new URLSearchParams(location.hash.slice(1));
    const [language, theme] = [link.get('lang'), link.get('theme')];
    this.choice = choiceFrom(link);
    this.language = isLanguage(language) ? language : preferred();
    this.theme = themes.find((one) => one === theme) ?? 'auto';
  }

  private view(): Record<string, string> {
    return { ...(this.language !== preferred() && { lang: this.language }), ...(this.theme !== 'auto' && { theme: this.theme }) };
  }

  /** Another choice begins on its first page. */
  choose(part: Partial<Choice>): void {
    this.choice = { ...this.choice, page: 0, ...part };
  }

  turnTo(page: number): void {
    this.choose({ page });
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('#cases')?.focus());
  }

  showAllGroups(): void {
    this.allGroups = true;
  }

  override updated(): void {
    document.documentElement.lang = this.language;
    document.documentElement.dataset['theme'] = this.theme;
    document.title = this.texts.t('accuracy.title');
    const hash = new URLSearchParams({ ...linkOf(this.choice), ...this.view() }).toString();
    const link = `${location.href.split('#')[0]}${hash && `#${hash}`}`;
    if (location.href !== link) history.replaceState(null, '', link);
  }

  private figures(): Figure[] {
    if (this.shown?.of !== this.choice) this.shown = { of: this.choice, figures: chosen(this.all, this.choice) };
    return this.shown.figures;
  }

  private select(name: string, label: string, options: readonly (readonly [string, string])[], value: string, choose: (value: string) => void) {
    return html`<label class="choice"
      ><span>${label}</span>
      <select name=${name} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
        ${options.map(([id, text]) => html`<option value=${id} .selected=${id === value}>${text}</option>`)}
      </select>
    </label>`;
  }

  /** What may be chosen is what there is of the rest of the choice. */
  private optionsOf(filter: Filter): [string, string][] {
    const { texts } = this;
    const any: [string, string] = ['', texts.t('accuracy.any')];
    if (filter === 'status') return [any, ...Object.keys(statuses).map((id): [string, string] => [id, nameOf(texts, 'status', id)])];
    const there = new Set(chosen(this.all, this.choice, filter).map(valueOf[filter]));
    if (this.choice[filter]) there.add(this.choice[filter]);
    there.delete('');
    const named = [...there].map((id): [string, string] => [id, nameOf(texts, filter, id)]);
    return [any, ...named.sort((a, b) => a[1].localeCompare(b[1], this.language))];
  }

  private form(figures: readonly Figure[]) {
    const { choice, texts, format } = this;
    const { t } = texts;
    return html`<section class="card filters" aria-labelledby="filters">
      <h2 id="filters">${t('accuracy.filters')}</h2>
      <div class="fields">
        ${filters.map((filter) => this.select(filter, t(`accuracy.${filter}`), this.optionsOf(filter), choice[filter], (value) => this.choose({ [filter]: value })))}
        <label class="choice"
          ><span>${t('accuracy.search')}</span>
          <input
            type="search"
            name="q"
            .value=${choice.q}
            placeholder=${t('accuracy.search_hint')}
            @input=${(event: Event) => this.choose({ q: (event.target as HTMLInputElement).value })}
        /></label>
      </div>
      <p role="status" data-count=${figures.length}>
        ${t('accuracy.chosen', { figures: format.count(figures.length), all: format.count(this.all.length) })}
        ${[...filters, 'q' as const].some((name) => choice[name]) ? html`<button type="button" @click=${() => (this.choice = { ...initialChoice(), by: choice.by })}>${t('accuracy.reset')}</button>` : nothing}
      </p>
    </section>`;
  }

  /** The same object as long as nothing in it has changed: another is drawn anew. */
  private dots(figures: readonly Figure[]): { figures: Figure[]; dots: Dots } {
    const of = [figures, this.texts];
    if (this.plotted?.of.every((one, at) => one === of[at])) return this.plotted;
    const drawn = figures.filter(({ unit, said, ours }) => unit === 'bytes' && said > 0 && ours > 0).sort((a, b) => a.said - b.said);
    const { format, texts } = this;
    const dots = {
      x: drawn.map(({ said }) => said),
      y: drawn.map(({ ours }) => ours),
      colour: drawn.map(({ of }) => colours[of.kind] ?? 'c9'),
      xLabel: texts.t('accuracy.across'),
      yLabel: texts.t('accuracy.up'),
      text: (value: number) => format.bytes(value).replace(/\.00/, ''),
    };
    this.plotted = { of, figures: drawn, dots };
    return this.plotted;
  }

  private plot(all: readonly Figure[]) {
    const { texts, format, pointed } = this;
    const { t } = texts;
    const { figures, dots } = this.dots(all);
    if (figures.length === 0) return nothing;
    const kinds = [...new Set(figures.map(({ of }) => of.kind))];
    return html`<section class="card" aria-labelledby="plot">
      <h2 id="plot">${t('accuracy.plot')}</h2>
      <p class="keys">
        ${kinds.map((kind) => html`<span><span class="swatch ${colours[kind] ?? 'c9'}" aria-hidden="true"></span> ${nameOf(texts, 'kind', kind)}</span>`)}
      </p>
      <plimsoll-scatter
        .dots=${dots}
        label=${t('accuracy.plot_said', { count: format.count(figures.length) })}
        data-points=${figures.length}
        @point=${(event: CustomEvent<number>) => (this.pointed = figures[event.detail])}
      ></plimsoll-scatter>
      <div class="read-off">
        ${
          pointed && figures.includes(pointed)
            ? html`<p>
                  <strong>${nameOf(texts, 'metric', pointed.metric)}</strong> ${t('accuracy.said')} ${sizeOf(format, pointed, pointed.said)},
                  ${t('accuracy.ours')} ${sizeOf(format, pointed, pointed.ours)} (${signedOf(format, pointed)})
                </p>
                ${caseView(this, pointed)}`
            : html`<p class="note">${t('accuracy.point')}</p>`
        }
      </div>
    </section>`;
  }

  private missing() {
    const { t } = this.texts;
    return html`<details class="card missing">
      <summary>${t('accuracy.missing')}</summary>
      <p>${t('accuracy.missing_intro')}</p>
      <ul lang="en">
        ${this.board.reasons.map(([reason, count]) => html`<li>${count} × ${reason}</li>`)}
      </ul>
    </details>`;
  }

  override render() {
    const { t } = this.texts;
    const { format } = this;
    const figures = this.figures();
    const view = new URLSearchParams(this.view()).toString();
    return html`<header>
        <h1>${mark}<span>${t('accuracy.heading')}</span></h1>
        <nav aria-label=${t('app.settings')}>
          <a class="button" href=${`index.html${view && `#${view}`}`}>${t('accuracy.calculator')}</a>
          ${this.select('language', t('app.language'), Object.entries(languages), this.language, (value) => (this.language = value as Language))}
          ${this.select(
            'theme',
            t('app.theme'),
            themes.map((one) => [one, t(`theme.${one}`)] as const),
            this.theme,
            (value) => (this.theme = value as Theme),
          )}
        </nav>
      </header>
      <main>
        <p>${t('accuracy.intro', { figures: format.count(this.all.length), cases: format.count(this.board.cases.length) })}</p>
        ${this.form(figures)}
        ${
          figures.length === 0
            ? html`<p class="card">${t('accuracy.nothing')}</p>`
            : [mediansView(this, figures, this.choice), this.plot(figures), casesView(this, figures, this.choice)]
        }
        ${explainedView(this, this.board.explained)} ${this.missing()}
      </main>`;
  }
}

export function defineAccuracy(board: Board): void {
  defineScatter();
  customElements.define('plimsoll-accuracy', PlimsollAccuracy);
  const page = document.createElement('plimsoll-accuracy') as PlimsollAccuracy;
  page.board = board;
  document.body.append(page);
}
