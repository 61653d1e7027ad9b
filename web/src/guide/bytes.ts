// <plimsoll-bytes request="{…}" row="kv_cache" unit="GiB">1 GiB</plimsoll-bytes>: a number in a sentence. What stands within
// was written when the page was built; the engine's own answer takes its place, and opens to its formula.

import { type Figure, valueOf, written } from './figure.mjs';
import { live } from './live.ts';

const style = new CSSStyleSheet();
style.replaceSync(`
  :host { display: inline; white-space: nowrap }
  button { all: unset; cursor: help; border-bottom: 1px dotted currentColor; font: inherit }
  button:focus-visible { outline: 2px solid var(--sea); outline-offset: 2px }
  [popover] {
    max-width: min(40rem, 92vw); max-height: 60vh; overflow: auto; padding: 0.6rem 0.8rem; white-space: pre-wrap; overflow-wrap: anywhere;
    color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: var(--radius-control);
    font: 0.8125rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace;
  }
`);

export class PlimsollBytes extends HTMLElement {
  private button = document.createElement('button');
  private formula = document.createElement('div');

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    this.button.type = 'button';
    this.button.append(document.createElement('slot'));
    this.formula.popover = 'auto';
    this.formula.tabIndex = 0;
    this.formula.setAttribute('role', 'note');
    root.append(this.button, this.formula);
    this.button.addEventListener('click', () => void this.explain());
  }

  connectedCallback(): void {
    seen.observe(this);
  }

  /** What the attributes ask for. */
  get figure(): Figure {
    const json = (name: string): object | undefined => (this.hasAttribute(name) ? (JSON.parse(this.getAttribute(name)!) as object) : undefined);
    const figure: Figure = { request: json('request'), row: this.getAttribute('row') ?? 'total', unit: this.getAttribute('unit') ?? 'GiB' };
    const against = json('against');
    if (against) figure.against = against;
    if (this.hasAttribute('digits')) figure.digits = Number(this.getAttribute('digits'));
    return figure;
  }

  private get language(): string {
    return this.closest('[lang]')?.getAttribute('lang') ?? 'en';
  }

  /** Writes the engine's own answer in place of what the build wrote. */
  async answer(): Promise<void> {
    const engine = await live();
    const { figure } = this;
    const replies = new Map<object, object>();
    for (const request of [figure.request, figure.against]) if (request) replies.set(request, await engine.estimate(request));
    const text = written(
      figure,
      valueOf(figure, (request: object) => replies.get(request)),
      this.language,
    );
    if (text !== this.textContent) this.textContent = text;
    this.dataset['live'] = '';
  }

  private async explain(): Promise<void> {
    const engine = await live();
    const { request, row } = this.figure;
    this.formula.textContent = [...(await engine.explain(request, row)), '', JSON.stringify(request)].join('\n');
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

export const defineBytes = (): void => customElements.define('plimsoll-bytes', PlimsollBytes);
