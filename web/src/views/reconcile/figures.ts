// The figures of a log: what each counts, ours beside it, the difference, what explains it, and what is left.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { ComparedFigure, LogFigure, RefusedFigure } from '../../engine/wire.d.ts';
import type { Key } from '../../languages/i18n.ts';
import { failureIn } from '../../reconcile/failing.mjs';
import { errorText } from '../form/field.ts';
import { amount, counterName, oursName } from './naming.ts';
import type { Shown } from './shown.ts';

/** What a part of a difference was computed from: `A less B`, `no` row of ours, or one counter. */
function partName(c: Calculator, by: string): string {
  if (by.startsWith('no ')) return c.texts.t('reconcile.part.none', { ours: oursName(c, by.slice(3)) });
  const [theirs, mine] = by.split(' less ');
  if (mine === undefined) return counterName(c, by);
  const ours = mine === 'our weights' ? c.texts.name('row', 'weights') : oursName(c, mine);
  return c.texts.t('reconcile.part', { theirs: counterName(c, theirs!), ours });
}

const signed = (c: Calculator, memory: boolean, value: number): string => `${value > 0 ? '+' : ''}${amount(c, memory, value)}`;

/** What a figure is besides what it counts: of which device, expected, or said again. */
function marks(c: Calculator, { device, estimate, restated }: LogFigure): string {
  const { t } = c.texts;
  const place = typeof device === 'number' ? t('reconcile.device', { device }) : (device ?? '');
  return [place, estimate ? t('reconcile.expected') : '', restated ? t('reconcile.again') : ''].filter(Boolean).join(' · ');
}

function figureView(c: Calculator, figure: LogFigure): TemplateResult {
  const mark = marks(c, figure);
  return html`<th scope="row" role="rowheader">
    <strong>${counterName(c, figure.counter)}</strong> ${mark ? html`<span class="mark">${mark}</span>` : nothing}
    <span class="counts">${c.texts.t(`counts.${figure.counter}` as Key)}</span>
    <code class="line">${figure.line.trim()}</code>
  </th>`;
}

/** Bytes to the last one: what is left over is rounded for nobody. */
const exactly = (c: Calculator, memory: boolean, value: number): string =>
  memory ? c.texts.t('reconcile.bytes', { count: c.format.count(value) }) : c.format.count(value);

function besideView(shown: Shown, one: ComparedFigure): TemplateResult {
  const { c, log } = shown;
  const { t } = c.texts;
  const figure = log.figures[one.figure]!;
  const memory = figure.bytes !== undefined;
  const sum = [one.figure, ...(one.with ?? [])].reduce((all, at) => all + (log.figures[at]?.bytes ?? log.figures[at]?.value ?? 0), 0);
  const cell = (label: Key, content: unknown) => html`<td role="cell" data-label=${t(label)}>${content}</td>`;
  const { ours, difference, explained, unexplained, within } = one;
  return html`<tr role="row" data-counter=${figure.counter} data-difference=${difference} data-unexplained=${unexplained}>
    ${figureView(c, figure)}
    ${cell(
      'reconcile.printed',
      html`${amount(c, memory, sum)}
      ${one.with?.length ? html`<span class="mark">${t('reconcile.sum', { count: one.with.length + 1 })}</span>` : nothing}`,
    )}
    ${cell(
      'reconcile.ours',
      html`<span>${amount(c, memory, ours.low)} … ${amount(c, memory, ours.high)}</span> <span class="mark">${oursName(c, ours.of ?? '')}</span>`,
    )}
    ${cell(
      'reconcile.difference',
      html`<span>${signed(c, memory, difference)}</span>
        <span class="badge ${within ? 'fits' : 'tight'}">${t(within ? 'reconcile.within' : 'reconcile.outside')}</span>`,
    )}
    ${cell(
      'reconcile.explained',
      explained.length === 0
        ? t('reconcile.nothing')
        : html`<ul>
            ${explained.map(({ by, bytes }) => html`<li>${signed(c, true, bytes)} <span class="mark">${partName(c, by)}</span></li>`)}
          </ul>`,
    )}
    ${cell('reconcile.unexplained', exactly(c, memory, unexplained))}
  </tr>`;
}

const heads = [
  'reconcile.figure',
  'reconcile.printed',
  'reconcile.ours',
  'reconcile.difference',
  'reconcile.explained',
  'reconcile.unexplained',
] as const;

function tableView(shown: Shown, compared: readonly ComparedFigure[]): TemplateResult | typeof nothing {
  const { t } = shown.c.texts;
  if (compared.length === 0) return html`<p class="hint">${t('reconcile.none_equal')}</p>`;
  return html`<table class="beside" role="table">
    <caption class="hidden">
      ${t('reconcile.figures')}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${heads.map((head) => html`<th scope="col" role="columnheader">${t(head)}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${compared.map((one) => besideView(shown, one))}
    </tbody>
  </table>`;
}

function othersView(c: Calculator, figures: readonly LogFigure[], open: boolean): TemplateResult | typeof nothing {
  if (figures.length === 0) return nothing;
  return html`<details ?open=${open}>
    <summary>${c.texts.t('reconcile.others', { count: figures.length })}</summary>
    <ul class="figures">
      ${figures.map((figure) => {
        const mark = marks(c, figure);
        return html`<li data-figure=${figure.counter}>
          <span><strong>${counterName(c, figure.counter)}</strong> ${mark ? html`<span class="mark">${mark}</span>` : nothing}</span>
          <span>${amount(c, figure.bytes !== undefined, figure.bytes ?? figure.value)}</span>
          <span class="counts">${c.texts.t(`counts.${figure.counter}` as Key)}</span>
        </li>`;
      })}
    </ul>
  </details>`;
}

function refusedView(c: Calculator, refused: readonly RefusedFigure[] = []): TemplateResult | typeof nothing {
  if (refused.length === 0) return nothing;
  return html`<p class="hint">${c.texts.t('reconcile.refused')}</p>
    <ul class="refused">
      ${refused.map(
        ({ counter, value, why }) => html`<li>${counterName(c, counter)} ${c.format.count(value)}: ${c.texts.t(`reconcile.refused.${why}`)}</li>`,
      )}
    </ul>`;
}

export function figuresView(shown: Shown): TemplateResult | typeof nothing {
  const { c, log, held } = shown;
  const { t } = c.texts;
  if (log.figures.length === 0) return html`<p>${t('reconcile.no_figures')}</p>`;
  const compared = held && 'compared' in held ? held.compared : [];
  const beside = new Set(compared.flatMap(({ figure, with: more = [] }) => [figure, ...more]));
  const others = log.figures.filter((_, at) => !beside.has(at));
  return html`<section aria-labelledby="figures-title" data-held=${held ? 'yes' : 'no'}>
    <h3 id="figures-title">${t('reconcile.figures')}</h3>
    ${held && 'failure' in held ? html`<p class="error">${t('reconcile.refusal')} ${errorText(c, held.failure)}</p>` : nothing}
    ${compared.length > 0 && failureIn(log.figures) ? html`<p class="hint">${t('reconcile.at_failure')}</p>` : nothing}
    ${held && 'compared' in held ? tableView(shown, compared) : nothing} ${othersView(c, others, compared.length === 0)}
    ${refusedView(c, log.refused)}
  </section>`;
}
