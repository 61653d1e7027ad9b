// Memory has a time: the phases of a run, the highest of them marked.

import { html, nothing, type TemplateResult } from 'lit';
import { phasesChart } from '../../charts/phases.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';

export function timelineView(c: Calculator, answer: Answer): TemplateResult | typeof nothing | undefined {
  if ((answer.timeline?.length ?? 0) < 2) return nothing;
  if (c.state.task === 'training' && c.later.got.training) return c.later.got.training.stepsView(c, answer);
  const { t, name } = c.texts;
  return html`<section class="timeline" aria-labelledby="timeline-title">
    <h2 id="timeline-title">${t('timeline.title')}</h2>
    ${phasesChart(answer, c.format, { phase: (id) => name('phase', id), name: (id) => name('row', id), peak: t('timeline.peak') })}
  </section>`;
}
