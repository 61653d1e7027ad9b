// A message that memory ran out: what asked for how much, what was there, need told from fragmentation, and the first ways out.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { LogFigure, ReconcileAdvice } from '../../engine/wire.d.ts';
import type { Key } from '../../languages/i18n.ts';
import { asLarge, failureIn, likelyPhase } from '../../reconcile/failing.mjs';
import { request } from '../../state/request.ts';
import { notHereYet } from '../retry.ts';
import { showTab } from '../tabs.ts';
import { copyView } from './copying.ts';
import { counterName } from './naming.ts';
import type { Shown } from './shown.ts';

/** What joins the pieces that PyTorch's allocator holds, as its documentation writes it. */
const joining = 'export PYTORCH_ALLOC_CONF=expandable_segments:True';

/** Where an estimate has as much, and the phase in which that is likely. */
function placeView({ c, held }: Shown, asked: LogFigure, allocated: number | undefined): TemplateResult | typeof nothing {
  if (!held || !('answer' in held)) return nothing;
  const { t, name } = c.texts;
  const [same] = asLarge(held.answer, asked);
  const phase = likelyPhase(held.answer, allocated);
  return html`${
    same ? html`<p>${t('reconcile.failure.same', { row: same.path.map((id, at) => name(at ? 'part' : 'row', id)).join(' · ') })}</p>` : nothing
  }
  ${phase === undefined ? nothing : html`<p data-phase=${phase}>${t('reconcile.failure.phase', { phase: name('phase', phase) })}</p>`}`;
}

function adviceView({ c }: Shown, { code, bytes }: ReconcileAdvice): TemplateResult {
  const text = c.texts.t(`reconcile.advice.${code}` as Key, { size: c.format.bytes(bytes ?? 0) });
  return html`<li data-advice=${code}>
    ${text}
    ${code === 'fragmentation' ? html`${copyView(c, 'PyTorch', joining)}<span class="hint">${c.texts.t('reconcile.advice.older')}</span>` : nothing}
  </li>`;
}

/** Opens the settings of the user's tool, as the form now says them. */
const showSettings = (c: Calculator): Promise<void> => showTab(c, c.state.task === 'training' ? 'trainers' : 'launch');

/** The first ways out are of what the form says. */
function waysView({ c, state, sure }: Shown): TemplateResult | typeof nothing {
  const answer: Answer | undefined = c.asking.answer;
  if (!sure || request(state, 'none') !== request(c.state, 'none')) return html`<p class="hint">${c.texts.t('reconcile.failure.fill')}</p>`;
  if (!answer?.fit) return nothing;
  void c.later.bring('ways');
  return html`${c.later.got.ways?.waysView(c, answer, true) ?? notHereYet(c)}
    <button type="button" data-act="settings" @click=${() => showSettings(c)}>${c.texts.t('reconcile.failure.settings')}</button>`;
}

/** What follows from memory that ran out; nothing where none did. */
export function failureView(shown: Shown): TemplateResult | typeof nothing {
  const { c, log } = shown;
  const failure = failureIn(log.figures);
  if (!failure) return nothing;
  const { t } = c.texts;
  const { asked, beside } = failure;
  const allocated = beside.find(({ counter }) => counter === 'allocated')?.bytes;
  return html`<section class="failure" aria-labelledby="failure-title" data-asked=${asked.bytes ?? nothing}>
    <h3 id="failure-title">${t('reconcile.failure')}</h3>
    <p>${t('reconcile.failure.asked', { size: c.format.bytes(asked.bytes ?? 0) })}</p>
    <dl>
      ${beside.map(
        ({ counter, bytes = 0 }) =>
          html`<div>
            <dt>${counterName(c, counter)}</dt>
            <dd>${c.format.bytes(bytes)}</dd>
          </div>`,
      )}
    </dl>
    ${placeView(shown, asked, allocated)}
    <ul class="advice">
      ${(log.advice ?? []).map((one) => adviceView(shown, one))}
    </ul>
    ${waysView(shown)}
  </section>`;
}
