// The site: header, calculator, examples. It keeps the link, the language and the theme.

import { html, LitElement, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import { assets } from '../engine/assets.ts';
import { acceptDrops } from '../state/arriving/dropping.ts';
import { defineElement, type PlimsollCalculator } from './element.ts';
import { nextFrame, nextTask } from '../engine/pauses.ts';
import type { Unit } from '../languages/format.ts';
import { bringFinder } from '../views/form/combobox.ts';
import { isLanguage, type Language, languages, learn, preferred, type Texts, textsIn } from '../languages/i18n.ts';
import { hubOffered, keepPage } from '../state/online.ts';
import { fields } from '../state/fields.ts';
import { notLoaded } from '../state/arriving/reading.ts';
import { initialState, type Pin, type State, toLink, type Unread } from '../state/state.ts';
import { shown } from '../files/shown.mjs';
import { appStyles } from '../styles/index.ts';
import type { Door, Wizard } from '../views/choosing/wizard.ts';
import { doorsView } from '../views/doors.ts';
import type { ExampleList } from '../views/examples.ts';
import { headerView, type Theme, themes } from '../views/header.ts';
import { retryView } from '../views/retry.ts';
import { Address } from './address.ts';

const isTheme = (text: unknown): text is Theme => themes.some((theme) => theme === text);

/** What a link says beside the state, and whether it can be followed. */
const readable: Record<string, ((text: string) => boolean) | undefined> = {
  lang: isLanguage,
  theme: isTheme,
  unit: (text) => ['GB', 'GiB'].includes(text),
  layouts: (text) => /^\d+x\d+\.\w+\./.test(text), // read in full by what comes later
};
/** What is shown of what could not be read: so many, and so many letters of each. */
const [mostUnread, longest] = [8, 60];
const cut = (text: string): string => shown(text.length > longest ? `${text.slice(0, longest)}…` : text);

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
    sought: { state: true },
    fresh: { state: true },
    unread: { state: true },
    missed: { state: true },
    whole: { state: true },
    ready: { type: Boolean, reflect: true },
  };

  declare language: Language;
  declare theme: Theme;
  declare unit: Unit;
  declare state: State;
  declare pins: readonly Pin[];
  /** What was asked of a search over layouts. */
  declare sought: string | undefined;
  /** Whether its reader came without a configuration: then the doors of the wizard stand open. */
  declare fresh: boolean;
  /** What the link says and nobody could read. */
  declare unread: Unread;
  /** What did not come when it was asked for, once more. */
  declare missed: (() => void) | undefined;
  /** Whether what stands around the calculator is made, too: a frame after it. */
  declare whole: boolean;
  /** Set when everything is here and the network may go. */
  declare ready: boolean;

  private calculator = createRef<PlimsollCalculator>();
  private examples = createRef<ExampleList>();
  private wizard = createRef<Wizard>();
  private leaving = new AbortController();
  private writing: ReturnType<typeof setTimeout> | undefined;
  private address = new Address();

  constructor() {
    super();
    this.ready = this.whole = false;
    this.fresh = location.hash.length < 2;
    this.state = initialState();
    this.pins = [];
    this.missed = undefined;
    this.readLink();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // who does not see the first answer (plugins/head.ts) never has two answers in one page
    if (document.documentElement.dataset.first === 'no') document.getElementById('first')?.remove();
    addEventListener('popstate', () => this.readLink(), { signal: this.leaving.signal });
    // where nothing has the focus, keys come to the window alone
    addEventListener('keydown', (event) => this.calculator.value?.travelling.keyed(event), { signal: this.leaving.signal });
    const rest = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 500));
    rest(() => void this.complete().catch(() => undefined));
    // who touches the page stays: the other languages and what articles say come, so that they can be read without a network
    const further = () => [
      assets().examples(),
      this.calculator.value?.asking.engine?.learnSources(),
      exampleList(),
      bringFinder(),
      this.calculator.value?.later.bring('recent'),
      ...Object.keys(languages).map((one) => learn(one)),
    ];
    const stay = () => void Promise.all(further()).catch(() => undefined);
    for (const touch of ['pointerdown', 'keydown'] as const) addEventListener(touch, stay, { once: true, signal: this.leaving.signal });
  }

  /** Its first view is a task of its own. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }

  override firstUpdated(): void {
    acceptDrops(window, this.calculator.value!, this.leaving.signal);
    void nextFrame().then(() => (this.whole = true));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leaving.abort();
  }

  private async complete(): Promise<void> {
    await assets().complete();
    this.ready = true;
    await keepPage();
  }

  private readLink(): void {
    const { state, view, pins, unread, visited } = this.address.read();
    this.calculator.value?.travelling.part();
    this.state = state;
    this.pins = pins;
    this.sought = view['layouts'];
    this.unread = [...unread, ...Object.entries(view).filter(([key, text]) => !readable[key]?.(text))];
    if (visited) return; // who goes back keeps the language that they read
    this.language = isLanguage(view['lang']) ? view['lang'] : preferred();
    this.theme = isTheme(view['theme']) ? view['theme'] : 'auto';
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

  get texts(): Texts {
    return textsIn(this.language, () => this.requestUpdate());
  }

  private get link(): string {
    const hash = toLink(this.state, { ...this.view, ...(this.sought && { layouts: this.sought }) }, this.pins);
    return `${location.href.split('#')[0]}${hash ? `#${hash}` : ''}`;
  }

  private writeLink(): void {
    this.address.write(this.link, this.state, this.calculator.value!.travelling.changes);
  }

  private changed(): void {
    const calculator = this.calculator.value!;
    this.state = calculator.state;
    this.pins = calculator.pins;
    this.sought = calculator.sought;
    this.unit = calculator.unit;
  }

  override updated(): void {
    this.dress();
    // Browsers bound how often a page may write its address; a slider would pass that bound in seconds.
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.writeLink(), 250);
  }

  /** The document's language, theme and title. Set anew they would cost a browser's styles and the page's icon, though nothing changes. */
  private dress(): void {
    const { documentElement } = document;
    const title = this.texts.t('app.title');
    if (documentElement.lang !== this.language) documentElement.lang = this.language;
    if (documentElement.dataset['theme'] !== this.theme) documentElement.dataset['theme'] = this.theme;
    if (document.title !== title) document.title = title;
  }

  /** What is asked for by hand. Without a network it may stay away, which is said, with a way to try again. */
  private tried(work: () => Promise<unknown>): void {
    this.missed = undefined;
    work().catch(() => (this.missed = () => this.tried(work)));
  }

  /** Another language comes when it is first spoken. */
  private speak(language: Language): void {
    this.language = language;
    this.tried(async () => {
      await learn(language);
      if (this.texts.language !== this.language) throw new Error('it did not come');
    });
  }

  /** Brings the questions in and asks them. */
  private async guide(door?: Door): Promise<void> {
    const { defineWizard } = await import('../views/choosing/wizard.ts');
    defineWizard();
    const wizard = this.wizard.value!;
    wizard.calculator = this.calculator.value!;
    await wizard.show(door);
  }

  /** What the link says and nobody could read, by the names that the form has for it. */
  private unreadView() {
    const { t, maybe } = this.texts;
    if (this.unread.length === 0) return nothing;
    const said = this.unread.slice(0, mostUnread).map(([key, text]) => {
      const known = fields.find((one) => one.key === key);
      const name = known ? (maybe(`field.${known.id}`) ?? key) : key;
      return t('link.said', { name: cut(name), value: cut(text) });
    });
    return html`<p class="unread" role="alert">
      ${t('link.unread', { parts: said.join(t('link.and')) })}
      <button type="button" @click=${() => (this.unread = [])}>${t('files.close')}</button>
    </p>`;
  }

  /** The figures of articles. */
  private async quote(): Promise<void> {
    (await exampleList()).defineExamples();
    await this.examples.value!.show();
  }

  private header() {
    return headerView(this.texts, this.language, this.theme, {
      guide: () => this.tried(() => this.guide()),
      examples: () => this.tried(() => this.quote()),
      language: (language) => this.speak(language),
      theme: (theme) => (this.theme = theme),
    });
  }

  private footer() {
    const { t } = this.texts;
    return html`<footer>
      <p>${t(hubOffered() ? 'app.promise_online' : 'app.promise')}</p>
      <p><a href=${`accuracy.html#${new URLSearchParams(this.view)}`}>${t('app.accuracy')}</a></p>
      <p><a href=${this.language === 'en' ? 'reference.html' : `reference.${this.language}.html`}>${t('app.reference')}</a></p>
      <p><a href=${`guide/${this.language}/index.html`}>${t('app.guide')}</a></p>
      <p>${this.calculator.value?.asking.engine ? `Plimsoll ${this.calculator.value.asking.engine.version}` : nothing}</p>
      <plimsoll-offline lang=${this.language}></plimsoll-offline>
    </footer>`;
  }

  override render() {
    const { texts } = this;
    return html`
      ${this.whole ? this.header() : nothing}
      <main>
        ${
          this.fresh && this.whole
            ? doorsView(
                texts,
                (door) => this.tried(() => this.guide(door)),
                () => (this.fresh = false),
              )
            : nothing
        }
        ${this.missed ? retryView(this, notLoaded, this.missed) : nothing} ${this.unreadView()}
        <plimsoll-calculator
          ${ref(this.calculator)}
          lang=${this.language}
          .unit=${this.unit}
          .time=${true}
          .state=${this.state}
          .pins=${this.pins}
          .sought=${this.sought}
          .link=${() => this.link}
          @plimsoll-change=${() => this.changed()}
          @plimsoll-drawn=${() => document.getElementById('first')?.remove()}
        ></plimsoll-calculator>
      </main>
      ${this.whole ? this.footer() : nothing}
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
