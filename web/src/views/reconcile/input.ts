// Where a text goes in: typed, pasted, or in files.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Calculator } from '../../app/calculator.ts';
import { snapshotOf, textOf } from '../../state/arriving/arriving.ts';

/** Letters that a field for text bears; a longer text is read and not shown. */
const longestShown = 200_000;

export interface Into {
  /** What is typed goes on for a while. */
  typed: (text: string) => void;
  whole: (text: string) => void;
  /** A snapshot of memory, which is no text. */
  file: (file: File) => void;
}

/** @param text what was taken before */
export function inputView(c: Calculator, text: string, { typed, whole, file: taken }: Into): TemplateResult {
  const { t } = c.texts;
  const long = text.length > longestShown;
  const picked = async (event: Event) => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = ''; // the same file may be picked again
    const kinds = await Promise.all(files.map(snapshotOf));
    const snapshot = files[kinds.findIndex((kind) => kind !== undefined)];
    if (snapshot) taken(snapshot);
    else if (files.length > 0) whole((await Promise.all(files.map(textOf))).join('\n'));
  };
  return html`<div class="input">
    <label for="log">${t('reconcile.text')}</label>
    <textarea
      id="log"
      rows="6"
      spellcheck="false"
      autocomplete="off"
      placeholder=${t('reconcile.placeholder')}
      .value=${live(long ? '' : text)}
      @input=${(event: Event) => typed((event.target as HTMLTextAreaElement).value)}
    ></textarea>
    ${long ? html`<p class="hint">${t('reconcile.long', { size: c.format.bytes(text.length) })}</p>` : nothing}
    <div class="actions">
      <label class="file"><input type="file" multiple @change=${picked} /><span>${t('reconcile.file')}</span></label>
      ${text ? html`<button type="button" data-act="clear" @click=${() => whole('')}>${t('reconcile.clear')}</button>` : nothing}
    </div>
    <p class="hint">${t('reconcile.stays')}</p>
  </div>`;
}
