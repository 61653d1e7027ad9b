// The table of parts. Each row opens to its own parts, its formula, and where that comes from.

import { html, nothing, type TemplateResult } from 'lit';
import { colourOf } from '../../charts/scale.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer, Row } from '../../engine/reply.ts';
import { headline } from '../../engine/reply.ts';
import { explanationView } from './explanation.ts';

/** One sign a basis, so that narrow screens keep it too. */
const signs: Record<string, string> = { exact: '=', modelled: '≈', measured: '◦', rule: '~' };

function basisView(c: Calculator, row: Row): TemplateResult {
  const text = c.texts.name('basis', row.basis);
  return html`<span class="basis ${row.basis}" title=${c.texts.maybe(`basis_meaning.${row.basis}`) ?? text}
    ><span aria-hidden="true">${signs[row.basis] ?? ''}</span> <span class="word">${text}</span></span
  >`;
}

interface Place {
  path: string;
  level: number;
  /** Colour of the top-level row that this one belongs to. */
  colour: string;
  total: number;
}

function rowView(c: Calculator, answer: Answer, row: Row, place: Place): TemplateResult {
  const open = c.open.has(place.path);
  const name = c.texts.name(place.level === 0 ? 'row' : 'part', row.id);
  const children = row.rows ?? [];
  const detail = `detail-${place.path.replaceAll(/[^\w]/g, '-')}`;
  return html`<tr class="row level-${Math.min(place.level, 3)}" data-row=${place.path} data-bytes=${row.bytes}>
      <th scope="row">
        <button type="button" aria-expanded=${open} aria-controls=${detail} @click=${() => c.toggle(place.path)}>
          <span class="twist" aria-hidden="true"></span>
          ${place.level === 0 ? html`<span class="swatch ${place.colour}" aria-hidden="true"></span>` : nothing}
          <span>${name}</span>
        </button>
      </th>
      <td class="bytes">${c.format.bytes(row.bytes)}</td>
      <td class="share">${c.format.percent(row.bytes, place.total)}</td>
      <td class="how">${basisView(c, row)}</td>
    </tr>
    ${
      open
        ? html`<tr class="detail" id=${detail}>
              <td colspan="4">${explanationView(c, answer, row, place.path)}</td>
            </tr>
            ${children.map((child) => rowView(c, answer, child, { ...place, path: `${place.path}/${child.id}`, level: place.level + 1 }))}`
        : nothing
    }`;
}

export function rowsView(c: Calculator, answer: Answer): TemplateResult {
  const { t } = c.texts;
  const { bytes } = headline(answer);
  const { reserved, process } = answer.total;
  const measures = [
    [t('rows.allocated'), answer.total.bytes],
    [t('rows.reserved'), reserved?.bytes],
    [t('rows.process'), process?.bytes],
  ] as const;
  return html`<section class="rows" aria-labelledby="rows-title">
    <h2 id="rows-title">${t('rows.title')}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('rows.part')}</th>
          <th scope="col" class="bytes">${t('rows.size')}</th>
          <th scope="col" class="share">${t('rows.share')}</th>
          <th scope="col" class="how"><span class="word">${t('rows.basis')}</span></th>
        </tr>
      </thead>
      <tbody>
        ${(answer.rows ?? []).map((row) => rowView(c, answer, row, { path: row.id, level: 0, colour: colourOf(row.id), total: bytes }))}
      </tbody>
    </table>
    ${
      reserved
        ? html`<dl class="measures">
            ${measures.map(([name, size]) =>
              size === undefined
                ? nothing
                : html`<div>
                    <dt>${name}</dt>
                    <dd>${c.format.bytes(size)}</dd>
                  </div>`,
            )}
          </dl>`
        : nothing
    }
  </section>`;
}
