// <plimsoll-offline>: the page's side of its service worker. It says in the footer when the page opens without a network, and offers a
// new version when one is there. Where workers do not exist, or are refused, it says nothing.

import { html, LitElement, nothing } from 'lit';
import '../../languages/texts-offline.ts';
import { scriptUrl } from '../../engine/script-urls.ts';
import { isLanguage, preferred, textsIn } from '../../languages/i18n.ts';
import { offlineStyles } from './style.ts';
import type { Wish } from './worker.ts';

/** The page's own script, which is called by its content. */
const ownScript = (): string =>
  new URL(document.querySelector<HTMLMetaElement>('meta[name="plimsoll-script"]')?.content ?? '', document.baseURI).href;

const tell = (worker: ServiceWorker | null, wish: Wish): void => worker?.postMessage(wish);

export class Offline extends LitElement {
  static override styles = offlineStyles;
  static override properties = { lang: { type: String }, ready: { type: Boolean, reflect: true }, offered: { state: true } };

  /** Set when the page opens without a network. */
  declare ready: boolean;
  /** Whether a new version is there, and nobody has put the offer away. */
  declare offered: boolean;
  private registration: ServiceWorkerRegistration | undefined;

  constructor() {
    super();
    this.ready = this.offered = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.registration) this.start().catch(() => undefined); // refused: the page is as it was
  }

  private async start(): Promise<void> {
    const { serviceWorker } = navigator;
    const url = scriptUrl(new URL('offline.js', document.baseURI).href);
    const registration = (this.registration = await serviceWorker.register(url, { updateViaCache: 'none' }));
    const look = (): void => void (this.offered ||= !!(registration.active && registration.waiting));
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
    look();
    const { active } = await serviceWorker.ready;
    if (!serviceWorker.controller) tell(active, { page: ownScript() });
    this.ready = true;
  }

  /** The new version takes over, then the page opens anew. Other pages keep the version that they have. */
  private reload(): void {
    const waiting = this.registration?.waiting;
    if (!waiting) return location.reload(); // another page has asked for it before
    waiting.addEventListener('statechange', () => waiting.state === 'activated' && location.reload());
    tell(waiting, { take: 'over' });
  }

  override render() {
    const { t } = textsIn(isLanguage(this.lang) ? this.lang : preferred(), () => this.requestUpdate());
    const offer = html`<p class="offer">
      <span>${t('offline.new')}</span>
      <button type="button" @click=${() => this.reload()}>${t('offline.reload')}</button>
      <button type="button" class="hide" aria-label=${t('offline.later')} @click=${() => (this.offered = false)}>
        <span aria-hidden="true">✕</span>
      </button>
    </p>`;
    return html`${this.ready ? html`<span>${t('offline.ready')}</span>` : nothing}
      <div role="status">${this.offered ? offer : nothing}</div>`;
  }
}

customElements.define('plimsoll-offline', Offline);
