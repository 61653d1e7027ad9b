// <plimsoll-hub>: a model by its name on the Hugging Face hub, on ModelScope or in Ollama's library. Nothing is asked before
// the button is pressed, and the text above it says of whom. The token is a property of this element and of nothing else: no
// link, no storage; it is for the Hugging Face hub alone.

import '../../languages/texts-hub.ts';
import { html, LitElement, nothing } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { hubBase } from '../online.ts';
import { type Kind, originOf, sourcesAt } from '../../files/origins.mjs';
import { FileError } from '../../files/source.mjs';

/** Where each sends large files from, as a reader of the policy in index.html would say it. */
const stores: Record<Kind, string> = { hub: '*.hf.co', modelscope: '*.modelscope.cn', ollama: 'r2.cloudflarestorage.com' };

const examples = 'modelscope:Qwen/Qwen3-8B, ollama:qwen3:8b';

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

/** Whether the policy lets the page ask this address itself: what it says of a redirect names the first address as well. */
const mayAsk = (url: string | URL | Request, init?: RequestInit): Promise<boolean> =>
  fetch(url, { ...init, method: 'HEAD', redirect: 'manual' }).then(
    () => true,
    () => false,
  );

/** fetch, but a host that the page's policy forbids to ask says so, be it asked or redirected to. */
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
    if (!(await mayAsk(url, init))) {
      const hint = 'download the files and drop them here';
      throw new FileError({ code: 'hub.not_allowed', where: host, what: `this page may not ask ${host}`, hint, values: { host } });
    }
    const what = `${host} sends this file to a host that the page may not ask`;
    const hint = 'download the file and drop it here';
    throw new FileError({ code: 'hub.redirected', where: file, what, hint, values: { file, host } });
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
};

/** A model that a list names and has no preset of, without a token: a gated one says that it needs one. */
export function fetchModel(calculator: Calculator, name: string): void {
  const origin = originOf(name, { hub: hubBase() });
  calculator.takeFiles((signal) => sourcesAt(origin, { fetch: policed, signal }));
}

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

  private get origin() {
    return originOf(this.name, { hub: hubBase() });
  }

  private ask(): void {
    const { origin } = this;
    const token = origin.kind === 'hub' && origin.base === hubBase() ? this.token : undefined;
    this.calculator.takeFiles((signal) => sourcesAt(origin, { token, fetch: policed, signal }));
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
    const { kind, base: server } = this.origin;
    const host = hostOf(server);
    const withToken = kind === 'hub' && server === hubBase();
    return html`
      ${this.input('name', t('hub.name'), { type: 'text', placeholder: 'Qwen/Qwen3-8B' })}
      <p class="hint">${t('hub.forms', { hub: hostOf(hubBase()), examples })}</p>
      ${withToken ? this.input('token', t('hub.token'), { type: 'password', placeholder: t('hub.token_placeholder') }) : nothing}
      <p class="hint" id="hub-promise">
        ${t('hub.promise', { host, store: stores[kind] })}${withToken ? html` ${t('hub.promise_token', { host })}` : nothing}
      </p>
      <button type="button" aria-describedby="hub-promise" ?disabled=${this.name === ''} @click=${() => this.ask()}>
        ${t('hub.fetch', { host })}
      </button>
    `;
  }
}

customElements.define('plimsoll-hub', Hub);
