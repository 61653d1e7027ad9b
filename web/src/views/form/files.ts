// The model from files: config.json as text, the picker, the hub where it is offered, and how reading goes.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Calculator } from '../../app/calculator.ts';
import { hubOffered, loadHub } from '../../state/online.ts';
import { foundIn, notLoaded } from '../../state/arriving/reading.ts';
import { linkOmitsTensors } from '../../state/state.ts';
import { errorText, errorView } from './field.ts';

/** While files are read, and what went wrong with them: shown whatever the model came from before. */
export function readingView(c: Calculator): TemplateResult | typeof nothing {
  const { progress, failure } = c.reading;
  const { t } = c.texts;
  if (progress) {
    const { file, files, done, read, wanted } = progress;
    const so = { file, files, done, read: c.format.bytes(read), wanted: c.format.bytes(wanted) };
    return html`<div class="reading">
      <progress aria-label=${t('files.reading')} max=${wanted || nothing} value=${wanted > 0 ? read : nothing}></progress>
      <p>${files > 0 ? t('files.progress', so) : t('files.reading')}</p>
      <button type="button" @click=${() => c.reading.stop()}>${t('files.stop')}</button>
    </div>`;
  }
  if (!failure)
    return c.reading.runtime === undefined ? nothing : html`<p class="hint file-runtime">${t('files.runtime', { runtime: c.reading.runtime })}</p>`;
  return html`<div class="refused-files" role="alert">
    <p>${failure.where ? html`<strong>${failure.where}</strong> ` : nothing}${errorText(c, failure)}</p>
    <p class="hint">${t('files.unchanged')}</p>
    <button type="button" @click=${() => c.reading.close()}>${t('files.close')}</button>
  </div>`;
}

/** What the weights' files said is part of the model until it is taken out. */
function tensorsView(c: Calculator): TemplateResult | typeof nothing {
  if (c.state.values['model.tensors'] === undefined) return nothing;
  const { t } = c.texts;
  return html`<div class="tensors" data-field="model.tensors">
    <p>${t('files.tensors')}${linkOmitsTensors(c.state) && c.link ? html` <strong>${t('files.not_in_link')}</strong>` : nothing}</p>
    <button type="button" @click=${() => c.set('model.tensors', undefined)}>${t('files.without')}</button>
    ${errorView(c, 'model.tensors')}
  </div>`;
}

function hubView(c: Calculator): TemplateResult | typeof nothing {
  if (!hubOffered()) return nothing;
  const load = (event: Event) => {
    if (!(event.target as HTMLDetailsElement).open) return;
    loadHub().catch(() => c.reading.fail(notLoaded));
  };
  return html`<details class="hub" @toggle=${load}>
    <summary>${c.texts.t('hub.title')}</summary>
    <plimsoll-hub .calculator=${c} lang=${c.texts.language}></plimsoll-hub>
  </details>`;
}

export function filesView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  const wrong = c.mistake('model.config') !== undefined;
  const pick = (event: Event) => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = ''; // the same file may be picked again
    if (files.length > 0) c.takeFiles(() => foundIn(files));
  };
  return html`<div class="field json" data-field="model.config">
      <label for="model-config">${t('field.model.config')}</label>
      <textarea
        id="model-config"
        rows="7"
        spellcheck="false"
        autocomplete="off"
        placeholder=${t('form.config_placeholder')}
        ?disabled=${c.isLocked('model.config')}
        aria-invalid=${wrong ? 'true' : nothing}
        aria-describedby=${wrong ? 'model-config-error' : nothing}
        .value=${live(String(c.state.values['model.config'] ?? ''))}
        @input=${(event: Event) => c.write('model.config', (event.target as HTMLTextAreaElement).value)}
      ></textarea>
      ${errorView(c, 'model.config')}
      <label class="file"
        ><input type="file" multiple accept=".json,.safetensors,.gguf,application/json" @change=${pick} /><span>${t('form.pick_file')}</span></label
      >
      <p class="hint">${t('files.hint')}</p>
    </div>
    ${tensorsView(c)} ${hubView(c)}`;
}
