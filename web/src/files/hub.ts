// <plimsoll-hub>: a model by its name on the Hugging Face hub. Nothing is asked before the button is pressed, and the
// text above it says of whom. The token is a property of this element and of nothing else: no link, no storage.

import { html, LitElement } from 'lit';
import type { Calculator } from '../app/calculator.ts';
import { hubSources, noRepository, repositoryOf } from './hub.mjs';
import { FileError } from './source.mjs';

/** The server that is asked; whoever hosts the page for a mirror names it in index.html, here and in the policy. */
const base = (): string => document.querySelector<HTMLMetaElement>('meta[name="plimsoll-hub"]')?.content ?? 'https://huggingface.co';

/** fetch, but an answer that was redirected to where the page's policy forbids to go says so. */
const policed: typeof fetch = async (url, init) => {
  let forbidden = false;
  const note = () => (forbidden = true);
  document.addEventListener('securitypolicyviolation', note);
  try {
    return await fetch(url, init);
  } catch (error) {
    await new Promise((done) => setTimeout(done)); // the event comes as a task of its own
    if (!forbidden) throw error;
    const { host, pathname } = new URL(String(url));
    const file = decodeURIComponent(pathname.split('/').at(-1)!);
    const what = `${host} sends this file to a host that the page may not ask`;
    const hint = 'download the file and drop it here';
    throw new FileError({ code: 'hub.redirected', where: file, what, hint, values: { file, host } });
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
};

class Hub extends LitElement {
  static override properties = { calculator: { attribute: false }, lang: { type: String }, name: { state: true }, token: { state: true } };

  declare calculator: Calculator;
  declare name: string;
  declare token: string;

  constructor() {
    super();
    this.name = '';
    this.token = '';
  }

  protected override createRenderRoot() {
    return this;
  }

  private ask(): void {
    this.calculator.takeFiles((signal) => {
      const repository = repositoryOf(this.name, base());
      if (repository) return hubSources(repository, { base: base(), token: this.token, fetch: policed, signal });
      throw noRepository(this.name, base());
    });
  }

  private input(id: 'name' | 'token', label: string, more: { type: string; placeholder: string }) {
    const enter = (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      this.ask();
    };
    return html`<div class="field">
      <label for="hub-${id}">${label}</label>
      <input
        id="hub-${id}"
        type=${more.type}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder=${more.placeholder}
        .value=${this[id]}
        @input=${(event: InputEvent) => (this[id] = (event.target as HTMLInputElement).value.trim())}
        @keydown=${enter}
      />
    </div>`;
  }

  override render() {
    const { t } = this.calculator.texts;
    const { host } = new URL(base());
    return html`
      ${this.input('name', t('hub.name'), { type: 'text', placeholder: 'Qwen/Qwen3-8B' })}
      ${this.input('token', t('hub.token'), { type: 'password', placeholder: t('hub.token_placeholder') })}
      <p class="hint" id="hub-promise">${t('hub.promise', { host })}</p>
      <button type="button" aria-describedby="hub-promise" ?disabled=${this.name === ''} @click=${() => this.ask()}>
        ${t('hub.fetch', { host })}
      </button>
    `;
  }
}

customElements.define('plimsoll-hub', Hub);
