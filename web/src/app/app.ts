// The site: header, calculator, examples. It keeps the link, the language and the theme.

import { html, LitElement, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { assets } from '../engine/assets.ts';
import { acceptDrops } from '../files/dropping.ts';
import { defineElement, type PlimsollCalculator } from './element.ts';
import type { Unit } from '../languages/format.ts';
import { bringFinder } from '../views/form/combobox.ts';
import { isLanguage, type Language, languages, learn, preferred, type Texts, textsIn } from '../languages/i18n.ts';
import { hubOffered } from './online.ts';
import { initialState, type Pin, type State, fromLink, toLink } from '../state/state.ts';
import { appStyles } from '../styles/index.ts';
import type { Door, Wizard } from '../views/choosing/wizard.ts';
import { doorsView } from '../views/doors.ts';
import type { ExampleList } from '../views/examples.ts';
import { mark } from '../views/mark.ts';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Few look at the figures of articles: what shows them comes when one asks, or touches the page. */
const exampleList = () => import('../views/examples.ts');

class PlimsollApp extends LitElement {
  static override styles = appStyles;
  static override properties = {
    language: { state: true },
    theme: { state: true },
    unit: { state: true },
    state: { state: true },
    pins: { state: true },
    fresh: { state: true },
    ready: { type: Boolean, reflect: true },
  };

  declare language: Language;
  declare theme: Theme;
  declare unit: Unit;
  declare state: State;
  declare pins: readonly Pin[];
  /** Whether its reader came without a configuration: then the doors of the wizard stand open. */
  declare fresh: boolean;
  /** Set when everything is here and the network may go. */
  declare ready: boolean;

  private calculator = createRef<PlimsollCalculator>();
  private examples = createRef<ExampleList>();
  private wizard = createRef<Wizard>();
  private leaving = new AbortController();
  private writing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.ready = false;
    this.fresh = location.hash.length < 2;
    this.state = initialState();
    this.pins = [];
    this.readLink();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', () => this.readLink(), { signal: this.leaving.signal });
    // where nothing has the focus, keys come to the window alone
    addEventListener('keydown', (event) => this.calculator.value?.travelling.keyed(event), { signal: this.leaving.signal });
    const rest = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 500));
    rest(() => void this.complete());
    // who touches the page stays: the other languages and what articles say come, so that they can be read without a network
    const further = () => [
      assets().examples(),
      exampleList(),
      bringFinder(),
      this.calculator.value?.later.bring('recent'),
      ...Object.keys(languages).map((one) => learn(one)),
    ];
    const stay = () => void Promise.all(further()).catch(() => undefined);
    for (const touch of ['pointerdown', 'keydown'] as const) addEventListener(touch, stay, { once: true, signal: this.leaving.signal });
  }

  override firstUpdated(): void {
    acceptDrops(window, this.calculator.value!, this.leaving.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leaving.abort();
  }

  private async complete(): Promise<void> {
    await assets().complete();
    this.ready = true;
  }

  private readLink(): void {
    const { state, view, pins } = fromLink(location.hash);
    this.state = state;
    this.pins = pins;
    this.language = isLanguage(view['lang']) ? view['lang'] : preferred();
    this.theme = themes.find((theme) => theme === view['theme']) ?? 'auto';
    this.unit = view['unit'] === 'GB' ? 'GB' : 'GiB';
  }

  /** Only what differs from what this browser would choose by itself: another reader's browser chooses for them. */
  private get view(): Record<string, string> {
    return {
      ...(this.language !== preferred() && { lang: this.language }),
      ...(this.theme !== 'auto' && { theme: this.theme }),
      ...(this.unit !== 'GiB' && { unit: this.unit }),
    };
  }

  private get texts(): Texts {
    return textsIn(this.language, () => this.requestUpdate());
  }

  private get link(): string {
    const hash = toLink(this.state, this.view, this.pins);
    return `${location.href.split('#')[0]}${hash ? `#${hash}` : ''}`;
  }

  private writeLink(): void {
    if (location.href !== this.link) history.replaceState(null, '', this.link);
  }

  private changed(): void {
    const calculator = this.calculator.value!;
    this.state = calculator.state;
    this.pins = calculator.pins;
    this.unit = calculator.unit;
  }

  override updated(): void {
    document.documentElement.lang = this.language;
    document.documentElement.dataset['theme'] = this.theme;
    document.title = this.texts.t('app.title');
    // Browsers bound how often a page may write its address; a slider would pass that bound in seconds.
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.writeLink(), 250);
  }

  /** Brings the questions in and asks them. Without a network they stay away, and the next click tries again. */
  private async guide(door?: Door): Promise<void> {
    const { defineWizard } = await import('../views/choosing/wizard.ts');
    defineWizard();
    const wizard = this.wizard.value!;
    wizard.calculator = this.calculator.value!;
    await wizard.show(door);
  }

  /** The figures of articles. */
  private async quote(): Promise<void> {
    (await exampleList()).defineExamples();
    await this.examples.value!.show();
  }

  private choice<T extends string>(name: string, label: string, options: Record<T, string>, value: T, choose: (value: T) => void) {
    return html`<label class="choice"
      ><span class="hidden">${label}</span>
      <select name=${name} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as T)}>
        ${Object.entries<string>(options).map(([id, text]) => html`<option value=${id} .selected=${id === value}>${text}</option>`)}
      </select>
    </label>`;
  }

  override render() {
    const { texts } = this;
    const { t } = texts;
    const themeNames = Object.fromEntries(themes.map((theme) => [theme, t(`theme.${theme}`)])) as Record<Theme, string>;
    return html`
      <header>
        <h1>${mark}<span>Plimsoll</span></h1>
        <p>${t('app.tagline')}</p>
        <nav aria-label=${t('app.settings')}>
          <button type="button" @click=${() => this.guide().catch(() => undefined)}>${t('wizard.open')}</button>
          <button type="button" @click=${() => this.quote().catch(() => undefined)}>${t('examples.open')}</button>
          ${this.choice('language', t('app.language'), languages, this.language, (language) => (this.language = language))}
          ${this.choice('theme', t('app.theme'), themeNames, this.theme, (theme) => (this.theme = theme))}
        </nav>
      </header>
      <main>
        ${
          this.fresh
            ? doorsView(
                texts,
                (door) => void this.guide(door).catch(() => undefined),
                () => (this.fresh = false),
              )
            : nothing
        }
        <plimsoll-calculator
          ${ref(this.calculator)}
          lang=${this.language}
          .unit=${this.unit}
          .time=${true}
          .state=${this.state}
          .pins=${this.pins}
          .link=${() => this.link}
          @plimsoll-change=${() => this.changed()}
        ></plimsoll-calculator>
      </main>
      <footer>
        <p>${t(hubOffered() ? 'app.promise_online' : 'app.promise')}</p>
        <p><a href=${`accuracy.html#${new URLSearchParams(this.view)}`}>${t('app.accuracy')}</a></p>
        <p><a href=${this.language === 'en' ? 'reference.html' : `reference.${this.language}.html`}>${t('app.reference')}</a></p>
        <p><a href=${`guide/${this.language}/index.html`}>${t('app.guide')}</a></p>
        <p>${this.calculator.value?.asking.engine ? `Plimsoll ${this.calculator.value.asking.engine.version}` : nothing}</p>
      </footer>
      <plimsoll-wizard ${ref(this.wizard)} lang=${this.language}></plimsoll-wizard>
      <plimsoll-examples
        ${ref(this.examples)}
        lang=${this.language}
        @open-example=${(event: CustomEvent<State>) => (this.state = event.detail)}
      ></plimsoll-examples>
    `;
  }
}

export function defineApp(): void {
  defineElement();
  customElements.define('plimsoll-app', PlimsollApp);
}
