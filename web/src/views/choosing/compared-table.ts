// The rows of several configurations, aligned by id: bytes, differences to the first, and the symbols that make them.

import { html, nothing, type TemplateResult } from 'lit';
import type { Compared } from '../../answers/comparing.mjs';
import { colourOf } from '../../charts/scale.ts';
import { fieldAt, field, pathOf } from '../../state/fields.ts';
import { fieldName, saidValue } from './naming.ts';
import type { Column, Comparison } from './comparison.ts';

type Line = Compared['rows'][number];

/** Reasons of one row that are named at once. */
const most = 3;

const depthOf = ({ id }: Line): number => id.split('.').length - 1;
const differs = ({ bytes }: Line): boolean => bytes.some((each) => each !== bytes[0]);

function cell(view: Comparison, bytes: readonly number[], at: number): TemplateResult {
  const { format } = view;
  const more = bytes[at]! - bytes[0]!;
  const difference = at === 0 || more === 0 ? nothing : html` <small>${more > 0 ? '+' : '−'}${format.bytes(Math.abs(more))}</small>`;
  return html`<td data-bytes=${bytes[at]!}>${format.bytes(bytes[at]!)}${difference}</td>`;
}

/** The symbols of a row's formula that are not the same everywhere, such as `KV heads 8 → 2`. */
function reasons(view: Comparison, line: Line): TemplateResult | typeof nothing {
  const { calculator: c, format } = view;
  if (line.differs.length === 0) return nothing;
  const said = ({ symbol, values }: Line['differs'][number]) =>
    html`<li title=${symbol} data-symbol=${symbol}>
      ${c.texts.name('symbols', symbol)} ${values.map((value) => (value === null ? '–' : format.count(value))).join(' → ')}
    </li>`;
  const rest = line.differs.length - most;
  return html`<ul>
    ${line.differs.slice(0, most).map(said)}${rest > 0 ? html`<li>${c.texts.t('comparison.more', { count: rest })}</li>` : nothing}
  </ul>`;
}

function lineView(view: Comparison, line: Line): TemplateResult {
  const { texts } = view.calculator;
  const depth = depthOf(line);
  const name = line.id.split('.').at(-1)!;
  return html`<tr data-compared-row=${line.id} class=${differs(line) ? 'level-' + Math.min(depth, 3) : `same level-${Math.min(depth, 3)}`}>
    <th scope="row">
      ${depth === 0 ? html`<span class="swatch ${colourOf(line.id)}" aria-hidden="true"></span> ` : nothing}${texts.name(depth === 0 ? 'row' : 'part', name)}
    </th>
    ${line.bytes.map((_, at) => cell(view, line.bytes, at))}
    <td class="why">${reasons(view, line)}</td>
  </tr>`;
}

/** What one answer assumed and another did not, or assumed otherwise. */
function assumedView(view: Comparison, assumptions: Compared['assumptions']): TemplateResult | typeof nothing {
  const { calculator: c } = view;
  if (assumptions.length === 0) return nothing;
  const nameOf = (path: string): string => {
    const id = fieldAt(path, view.state.task);
    return id && pathOf(field(id)) === path ? fieldName(c, id) : c.texts.name('symbols', path);
  };
  const said = (path: string, value: unknown): string => {
    const id = fieldAt(path, view.state.task);
    if (value === null) return '–';
    if (typeof value === 'object') return JSON.stringify(value);
    if (typeof value === 'number') return view.format.count(value);
    return id ? saidValue(c, id, value) : String(value);
  };
  return html`<h3>${c.texts.t('comparison.assumed')}</h3>
    <dl class="settings">
      ${assumptions.map(
        ({ field, values }) =>
          html`<div data-assumed=${field}>
            <dt>${nameOf(field)}</dt>
            <dd>${values.map((value) => said(field, value)).join(' → ')}</dd>
          </div>`,
      )}
    </dl>`;
}

/** @param columns those that have an answer */
export function comparedTable(view: Comparison, compared: Compared, columns: readonly Column[]): TemplateResult {
  const { t } = view.calculator.texts;
  const all = compared.process.every((bytes) => bytes !== null) ? (compared.process as number[]) : compared.total;
  const lines = compared.rows.filter((line) => view.whole || differs(line));
  const toggle = (event: Event) => (view.whole = (event.target as HTMLInputElement).checked);
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${t('comparison.title')}>
      <table>
        <caption>
          ${t('comparison.intro', { name: columns[0]?.name ?? '' })}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t('comparison.part')}</th>
            ${columns.map(({ name }) => html`<th scope="col" class="bytes">${name}</th>`)}
            <th scope="col">${t('comparison.why')}</th>
          </tr>
        </thead>
        <tbody>
          ${lines.map((line) => lineView(view, line))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">${t('comparison.total')}</th>
            ${all.map((_, at) => cell(view, all, at))}
            <td class="why">${lines.length === 0 ? t('comparison.equal') : nothing}</td>
          </tr>
        </tfoot>
      </table>
    </div>
    <label class="whole"><input type="checkbox" .checked=${view.whole} @change=${toggle} /> ${t('comparison.all')}</label>
    ${assumedView(view, compared.assumptions)}`;
}
