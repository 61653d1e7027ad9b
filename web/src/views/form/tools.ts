// Above the form: changes taken back and made again, the last configurations, and the one at hand put aside to compare with.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { mostCompared } from '../../state/state.ts';
import { notHereYet } from '../retry.ts';

function wayView(c: Calculator, way: 'undo' | 'redo', sign: string): TemplateResult {
  const { t } = c.texts;
  return html`<button
    type="button"
    data-tool=${way}
    aria-label=${t(`tools.${way}`)}
    title=${t(`tools.${way}.keys`)}
    ?disabled=${!c.travelling.can(way)}
    @click=${() => c.travelling.go(way)}
  >
    <span aria-hidden="true">${sign}</span>
  </button>`;
}

/** Puts the configuration in the form aside; it stays in the form, too. */
function pinView(c: Calculator): TemplateResult {
  const { t } = c.texts;
  const full = c.pins.length >= mostCompared - 1;
  const pin = () => {
    c.pins = [...c.pins, { name: '', state: c.state }];
    c.announced = t('tools.pinned');
  };
  return html`<button type="button" data-tool="pin" title=${t(full ? 'tools.pin.full' : 'tools.pin.title')} ?disabled=${full} @click=${pin}>
    ${t('tools.pin')}
  </button>`;
}

/** The last configurations stand open below the tools. Only the site keeps them: an embedded one is a guest. */
function recentView(c: Calculator): TemplateResult | typeof nothing {
  if (!c.link) return nothing;
  const open = c.unfolded.has('recent');
  const toggle = () => {
    c.unfolded = open ? new Set([...c.unfolded].filter((name) => name !== 'recent')) : new Set([...c.unfolded, 'recent']);
    void c.later.bring('recent');
  };
  return html`<button type="button" data-tool="recent" aria-expanded=${open} aria-controls="recent" @click=${toggle}>
      ${c.texts.t('tools.recent')}
    </button>
    <div id="recent" ?hidden=${!open}>${open ? (c.later.got.recent?.recentView(c) ?? notHereYet(c)) : nothing}</div>`;
}

export function toolsView(c: Calculator): TemplateResult {
  return html`<div class="tools" role="group" aria-label=${c.texts.t('tools.title')}>
    ${wayView(c, 'undo', '↶')} ${wayView(c, 'redo', '↷')} ${pinView(c)} ${recentView(c)}
  </div>`;
}
