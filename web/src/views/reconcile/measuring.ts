// How to measure it oneself: lines to copy for what is chosen in the form, each with what it will show and what it leaves out.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Key } from '../../languages/i18n.ts';
import { fits, type Snippet, snippets } from '../../reconcile/measuring.ts';
import { against } from '../../reconcile/asking.ts';
import { runtimeOf } from '../../state/runtimes.ts';
import { sourceView } from '../answer/explanation.ts';
import { valueOf } from '../form/field.ts';
import { copyView } from './copying.ts';
import { counterName, oursName } from './naming.ts';

/** What decides which lines are of use: the task, the tool, and whose device it is. */
function chosen(c: Calculator) {
  const { task, device, values } = c.state;
  const vendor = device === 'preset' ? c.tables?.devices.find(({ id }) => id === values['device.preset'])?.vendor : undefined;
  const framework = valueOf(c, 'training.parallel.framework');
  return { task, vendor, tool: task === 'inference' ? runtimeOf(c.tables, c.state)?.id : typeof framework === 'string' ? framework : undefined };
}

function snippetView(c: Calculator, { id, shows, code, source }: Snippet): TemplateResult {
  const { t } = c.texts;
  const told = shows.map((counter) => {
    const of = against.get(counter);
    return of === undefined ? counterName(c, counter) : t('measuring.shows.ours', { counter: counterName(c, counter), ours: oursName(c, of) });
  });
  return html`<li data-snippet=${id}>
    ${copyView(c, t(`measuring.${id}` as Key), code.join('\n'))}
    <p>${t('measuring.shows', { what: told.join('; ') })}</p>
    <p>${t('measuring.leaves', { what: t(`measuring.${id}.leaves` as Key) })}</p>
    <p class="sources">${sourceView(`${source.title} <${source.url}>`)}</p>
  </li>`;
}

/** Lines that measure what the form says, folded until they are asked for. */
export function measuringView(c: Calculator): TemplateResult | typeof nothing {
  const now = chosen(c);
  const own = snippets.filter((one) => fits(one, now));
  const { t } = c.texts;
  return html`<details class="measuring">
    <summary>${t('measuring.title')}</summary>
    <p class="hint">${t('measuring.intro')}</p>
    <ul>
      ${own.map((one) => snippetView(c, one))}
    </ul>
  </details>`;
}
