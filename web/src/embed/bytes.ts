// <plimsoll-bytes model="llama-3-8b" context="8192" show="kv_cache">1 GiB</plimsoll-bytes>: a number in a sentence. What stands
// within was written by its author or when the page was built; the engine's own answer takes its place, and opens to its formula.

import { type Figure, valueOf, written } from './figure.mjs';
import type { Answers, Attributes } from './answers.ts';
import { observed, type Propertied, upgrade, type Written } from './properties.ts';

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: inline; white-space: nowrap }
  button { all: unset; cursor: help; font: inherit; text-decoration: underline dotted; text-underline-offset: 0.2em }
  button:focus-visible { outline: 2px solid var(--plimsoll-sea, var(--sea, currentColor)); outline-offset: 2px }
  [popover] {
    max-width: min(40rem, 92vw); max-height: 60vh; overflow: auto; padding: 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere;
    color: var(--plimsoll-ink, var(--ink, CanvasText)); background: var(--plimsoll-card, var(--card, Canvas));
    border: 1px solid var(--plimsoll-edge, var(--edge, currentColor)); border-radius: 8px; direction: ltr; text-align: start;
    font: max(12px, 0.8125rem)/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; letter-spacing: normal; word-spacing: normal;
  }
`);

/** What stands for the answer as a whole: what the device holds. */
const whole = 'total.device';

/** @param tag that asks, so that the engine may lie where its attributes say */
export type Asking = (tag: Element) => Promise<Answers>;

let asking: Asking;

type Replies = Map<object, object>;

export class PlimsollBytes extends HTMLElement implements Propertied {
  static readonly observedAttributes = observed;

  private button = document.createElement('button');
  private formula = document.createElement('div');
  /** Counts questions: an answer that comes late is dropped. */
  private asked = 0;
  private value: number | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    this.button.type = 'button';
    this.button.part.add('number');
    this.button.setAttribute('aria-haspopup', 'dialog');
    this.button.setAttribute('aria-expanded', 'false');
    this.button.append(document.createElement('slot'));
    this.formula.popover = 'auto';
    this.formula.tabIndex = 0;
    this.formula.part.add('formula');
    this.formula.setAttribute('role', 'note');
    root.append(this.button, this.formula);
    this.button.addEventListener('click', () => void this.open());
    this.formula.addEventListener('toggle', () => this.button.setAttribute('aria-expanded', String(this.formula.matches(':popover-open'))));
  }

  connectedCallback(): void {
    upgrade(this);
    seen.observe(this);
  }

  attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    if (before !== text && this.isConnected && name !== 'theme' && this.asked > 0) void this.answer();
  }

  private get attributeTexts(): Attributes {
    return Object.fromEntries([...this.attributes].map(({ name, value }) => [name, value]));
  }

  /** What the attributes ask for. */
  private async figure(answers: Answers): Promise<Figure> {
    const json = (name: string): object | undefined => (this.hasAttribute(name) ? (JSON.parse(this.getAttribute(name)!) as object) : undefined);
    const request = json('request') ?? answers.requestOf(this.attributeTexts);
    const row = this.getAttribute('row') ?? (this.getAttribute('show') ?? whole).replaceAll('.', '/');
    const figure: Figure = { request, row, unit: this.getAttribute('unit') ?? 'GiB' };
    const against = json('against');
    if (against) figure.against = against;
    if (this.hasAttribute('digits')) figure.digits = Number(this.getAttribute('digits'));
    return figure;
  }

  private get language(): string {
    return this.closest('[lang]')?.getAttribute('lang') || 'en';
  }

  /** Writes the engine's own answer in place of what was written. What cannot be answered is told as an event, and the text stays. */
  async answer(): Promise<void> {
    const turn = ++this.asked;
    let request: object = {};
    try {
      const answers = await asking(this);
      const figure = await this.figure(answers);
      request = figure.request;
      const replies: Replies = new Map();
      for (const one of [figure.request, figure.against]) if (one) replies.set(one, await answers.estimate(one));
      if (turn !== this.asked) return;
      this.take(figure, replies);
      this.say('plimsoll-change', { request, reply: replies.get(request) });
    } catch (error) {
      if (turn !== this.asked) return;
      this.dataset['error'] = '';
      this.say('plimsoll-error', { request, error: { code: 'bytes', what: error instanceof Error ? error.message : String(error) } });
    }
  }

  private take(figure: Figure, replies: Replies): void {
    this.value = valueOf(figure, (request: object) => replies.get(request));
    const text = written(figure, this.value, this.language);
    if (text !== this.textContent) this.textContent = text;
    if (!this.formula.matches(':popover-open')) this.formula.textContent = '';
    delete this.dataset['error'];
    this.dataset['live'] = '';
  }

  private say(event: 'plimsoll-change' | 'plimsoll-error', detail: object): void {
    this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true }));
  }

  /** The number itself, in bytes or as the unit has it; undefined until it is answered. */
  get bytes(): number | undefined {
    return this.value;
  }

  current(): undefined {
    return undefined;
  }

  write(name: string, value: Written): void {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  private async open(): Promise<void> {
    try {
      const answers = await asking(this);
      const { request, row } = await this.figure(answers);
      this.formula.textContent = [...(await answers.explain(request, row)), '', JSON.stringify(request)].join('\n');
    } catch (error) {
      this.formula.textContent = error instanceof Error ? error.message : String(error);
    }
    this.formula.showPopover();
  }
}

/** Answered when it comes into view: a page that nobody scrolls asks for little. */
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    void (target as PlimsollBytes).answer();
  }
});

export function defineBytes(answers: Asking): void {
  asking = answers;
  customElements.define('plimsoll-bytes', PlimsollBytes);
}
