// The last configurations: noted when an answer stands for a while, and listed, each a button that opens it.

import '../../languages/texts-choosing.ts';
import { html, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { type Recent, Recents } from '../../state/recent.ts';
import { fromLink } from '../../state/state.ts';
import { titleOf } from './naming.ts';

/** Milliseconds that an answer stands before its configuration is one that was meant. */
const rest = 1500;

const recents = new Recents(() => globalThis.localStorage);
let resting: ReturnType<typeof setTimeout> | undefined;

/** Notes the configuration in the form, once it is left alone. */
export function remember(c: Calculator): void {
  clearTimeout(resting);
  const { state } = c;
  resting = setTimeout(() => {
    const { answer, error, idle } = c.asking;
    if (c.state !== state || !answer || error || !idle) return;
    recents.add(state, answer.model?.name ?? '');
    c.requestUpdate();
  }, rest);
}

function entryView(c: Calculator, { link, model }: Recent): TemplateResult {
  const { state } = fromLink(link);
  const name = titleOf(c, state, model || undefined);
  const open = () => {
    c.state = state;
    c.announced = c.texts.t('recent.opened', { name });
  };
  return html`<li><button type="button" class="entry" @click=${open}>${name}</button></li>`;
}

export function recentView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  const { all } = recents;
  const clear = () => {
    recents.clear();
    c.announced = t('recent.cleared');
    c.requestUpdate();
  };
  if (all.length === 0) return html`<p class="hint">${t('recent.none')}</p>`;
  return html`<ol class="recents" aria-label=${t('recent.title')}>
      ${all.map((one) => entryView(c, one))}
    </ol>
    <p class="hint">${t('recent.kept')} <button type="button" class="link" @click=${clear}>${t('recent.clear')}</button></p>`;
}
