// What every tag has in common: what its author wrote within is shown at once, the heavy part is asked for when the tag
// comes into view, and then live answers take its place. Attributes, properties, methods and events are the contract
// (docs/embedding/README.md).

import type { Attributes, Live, Shown, Told } from './answers.ts';
import { defineProperties, fieldAttributes, observed, type Propertied, upgrade, type Written } from './properties.ts';
import { hashOf } from '../library/stale.mjs';
import { themeOf, watchTheme } from './themes.ts';

export type Bring = (tag: Element) => Promise<Live>;

/** Parts that a page may style. */
export const parts = 'summary, form, details, aside, number, verdict, bar, legend, controls, row, heading, footer';

/** Pixels around the window in which a tag counts as seen. */
const near = '200px';

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: block; margin-block: 1em; font-size: var(--plimsoll-font-size, inherit); --plimsoll-em: max(12px, 1em) }
  :host([hidden]) { display: none }
  .waiting {
    margin: 0; padding: 1em; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 10px;
    font: max(12px, 0.9375em)/1.45 system-ui, sans-serif; letter-spacing: normal;
  }
  slot[hidden], .waiting[hidden] { display: none }
`);

/** A length, so that sizes within count from the tag's own type wherever they stand. */
function registerLength(): void {
  try {
    CSS.registerProperty({ name: '--plimsoll-em', syntax: '<length>', inherits: true, initialValue: '16px' });
  } catch {
    // it is there already, or the browser knows no such thing: then sizes count from where they stand
  }
}

export abstract class Guest extends HTMLElement implements Propertied {
  static bring: Bring;
  static readonly observedAttributes = observed;

  protected readonly root = this.attachShadow({ mode: 'open' });
  private readonly written = document.createElement('slot');
  private readonly waiting = document.createElement('p');
  private shown: Shown | undefined;
  private becoming: Promise<Live> | undefined;
  private unwatch: (() => void) | undefined;
  private following = false;
  private last: Told | undefined;
  private listeners: ((told: Told) => void)[] = [];

  constructor() {
    super();
    this.root.adoptedStyleSheets = [style];
    this.waiting.className = 'waiting';
    this.waiting.part.add('waiting');
    this.waiting.hidden = true;
    this.root.append(this.written, this.waiting);
    // what the element within says is told by the tag, with the answer
    this.root.addEventListener('plimsoll-change', (event) => event.stopPropagation());
  }

  connectedCallback(): void {
    upgrade(this);
    this.unwatch ??= watchTheme(() => this.paint());
    this.paint();
    if (!this.shown) this.drawWritten();
    if (this.getAttribute('loading') === 'eager' || !('IntersectionObserver' in window)) void this.awake();
    else seen.observe(this);
  }

  disconnectedCallback(): void {
    seen.unobserve(this);
    this.unwatch?.();
    this.unwatch = undefined;
  }

  attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    if (before === text || !this.isConnected) return;
    if (name === 'theme') this.paint();
    if (!this.shown) return this.drawWritten();
    if (this.following) return;
    this.following = true; // several attributes in one turn are one change
    queueMicrotask(() => {
      this.following = false;
      this.shown?.follow(this.attributeTexts);
    });
  }

  /** What the tag draws: by its name, and by its attributes. */
  protected abstract readonly kindShown: string;

  protected get attributeTexts(): Attributes {
    return { ...Object.fromEntries([...this.attributes].map(({ name, value }) => [name, value])), size: this.kindShown, lang: this.spoken };
  }

  /** The language of the tag, or of the text around it. */
  private get spoken(): string {
    return this.closest('[lang]')?.getAttribute('lang') ?? '';
  }

  private drawWritten(): void {
    const hash = this.dataset['request'];
    const has = [...this.childNodes].some((node) => (node instanceof Element ? !node.slot : node.textContent?.trim()));
    const stale = hash !== undefined && hash !== hashOf([...this.attributes].map(({ name, value }) => [name, value] as const));
    this.written.hidden = stale || !has;
    this.waiting.hidden = !this.written.hidden;
    const said = ['model', 'device', 'runtime'].map((name) => this.getAttribute(name)).filter(Boolean);
    this.waiting.textContent = ['Plimsoll', ...said].join(' · ');
  }

  private paint(): void {
    const theme = themeOf(this);
    if (!this.shown) return;
    if (theme) this.shown.setAttribute('theme', theme);
    else this.shown.removeAttribute('theme');
  }

  /** Brings the heavy part in and draws with it. A failure is told as an event, and what was written stays. */
  async awake(): Promise<Live | undefined> {
    try {
      return await (this.becoming ??= this.become());
    } catch (error) {
      this.becoming = undefined;
      this.drawWritten();
      this.tell('plimsoll-error', { request: {}, error: { code: 'engine', what: error instanceof Error ? error.message : String(error) } });
      return undefined;
    }
  }

  private async become(): Promise<Live> {
    const live = await Guest.bring(this);
    const shown = live.create(this.localName, (event, detail) => this.tell(event, detail));
    shown.setAttribute('exportparts', parts);
    for (const name of ['heading', 'footer']) {
      const slot = Object.assign(document.createElement('slot'), { name, slot: name });
      shown.append(slot);
    }
    this.shown = shown;
    this.paint();
    shown.follow(this.attributeTexts);
    this.root.append(shown);
    return live;
  }

  private tell(event: 'plimsoll-change' | 'plimsoll-error', detail: Told): void {
    if (detail.reply) {
      this.written.remove();
      this.waiting.remove();
    }
    this.last = detail;
    for (const listener of this.listeners.splice(0)) listener(detail);
    this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true }));
  }

  // -- properties

  current(name: string): string | number | boolean | undefined {
    return fieldAttributes.has(name) ? this.shown?.value(name) : undefined;
  }

  /** Whether a script may not change a field; what the markup says always holds. */
  private locks(name: string): boolean {
    const words = this.getAttribute('locked')?.split(/[\s,]+/);
    if (!words) return false;
    return words.every((word) => word === '') || words.includes(name) || words.includes(fieldAttributes.get(name) ?? name);
  }

  write(name: string, value: Written): void {
    if (this.locks(name)) {
      const what = `${name} is locked`;
      this.tell('plimsoll-error', { request: this.asked(), error: { code: 'locked', where: name, what } });
    } else if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  private asked(): object {
    try {
      return JSON.parse(this.request || '{}') as object;
    } catch {
      return {};
    }
  }

  /** The request behind what is shown, as JSON text; set to JSON text or to an object. */
  get request(): string {
    return this.shown?.request || (this.getAttribute('request') ?? '');
  }

  set request(request: string | object | null | undefined) {
    if (request === null || request === undefined) this.removeAttribute('request');
    else if (!this.hasAttribute('locked')) this.setAttribute('request', typeof request === 'string' ? request : JSON.stringify(request));
    else void this.awake().then(() => this.shown?.propose(typeof request === 'string' ? (JSON.parse(request) as object) : request));
  }

  /** The requests of a comparison; set to JSON text or to a list. */
  get requests(): string {
    return this.getAttribute('requests') ?? '';
  }

  set requests(requests: string | readonly object[] | null | undefined) {
    this.write('requests', typeof requests === 'object' && requests !== null ? JSON.stringify(requests) : requests);
  }

  // -- methods

  /** Resolves with what was asked and the reply, or the refusal, once there is one. */
  async answered(): Promise<Told> {
    const comes = this.last ? undefined : new Promise<Told>((done) => this.listeners.push(done));
    void this.awake();
    return this.last ?? (await comes!);
  }

  /** The engine's reply to a request of one's own; it changes nothing that is shown. */
  async estimate(request: object): Promise<object> {
    return (await Guest.bring(this)).estimate(request);
  }

  /** The formulas of a row, as lines of text, for what is shown. */
  async explain(row: string): Promise<string[]> {
    const { request } = await this.answered();
    return (await Guest.bring(this)).explain(request, row);
  }

  /** The state as the calculator's own link says it, without the address. */
  link(): string {
    return this.shown?.hash ?? '';
  }
}

const seen =
  'IntersectionObserver' in globalThis
    ? new IntersectionObserver(
        (entries) => {
          for (const { isIntersecting, target } of entries) {
            if (!isIntersecting) continue;
            seen.unobserve(target);
            void (target as Guest).awake();
          }
        },
        { rootMargin: near },
      )
    : ({ observe: () => undefined, unobserve: () => undefined } as unknown as IntersectionObserver);

/** Gives every tag its properties. @param bring how the heavy part comes */
export function prepareGuests(bring: Bring): void {
  registerLength();
  Guest.bring = bring;
  defineProperties(Guest.prototype);
}
