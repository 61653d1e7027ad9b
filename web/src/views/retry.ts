// What did not come is said at its place, with a button that tries again.

import { html, type TemplateResult } from 'lit';
import type { Calculator } from '../app/calculator.ts';
import type { Failure } from '../engine/reply.ts';
import { errorText } from './form/field.ts';

export const retryView = (c: Pick<Calculator, 'texts'>, failure: Failure, again: () => void): TemplateResult =>
  html`<p class="missed" role="alert">${errorText(c, failure)} <button type="button" @click=${again}>${c.texts.t('page.again')}</button></p>`;

/** In place of a piece that is under way, or did not come. */
export const notHereYet = (c: Pick<Calculator, 'texts' | 'later'>): TemplateResult =>
  c.later.failure ? retryView(c, c.later.failure, () => c.later.again()) : html`<p>${c.texts.t('fold.loading')}</p>`;
