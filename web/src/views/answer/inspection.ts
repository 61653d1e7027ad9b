// What the files hold: architecture, parameters and bytes by part, types, layers, and where config and weights disagree.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import type { Difference, Inspection, Tensors } from '../../files/inspection.ts';
import { noteText } from './explanation.ts';
import { type Column, table } from './table.ts';

/** Figures of tensors; an index alone tells of them nothing but how many there are. */
function figures<T extends Tensors>(c: Calculator, rows: readonly T[]): Column<T>[] {
  const { t } = c.texts;
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const counted = { title: t('inspection.tensors'), cell: (row: T) => c.format.count(row.count) };
  if (total === 0) return [counted];
  return [
    counted,
    { title: t('inspection.parameters'), cell: (row) => c.format.count(row.parameters) },
    { title: t('rows.size'), cell: (row) => c.format.bytes(row.bytes) },
    { title: t('rows.share'), cell: (row) => c.format.percent(row.bytes, total) },
  ];
}

function headView(c: Calculator, found: Inspection): TemplateResult {
  const { t } = c.texts;
  const { architecture, parameters, checkpoint, files = [] } = found;
  const active = parameters && parameters.active !== parameters.total ? t('inspection.active', { count: c.format.count(parameters.active) }) : '';
  return html`<dl class="facts">
    ${
      architecture
        ? html`<div>
            <dt>${t('inspection.architecture')}</dt>
            <dd><code>${architecture}</code></dd>
          </div>`
        : nothing
    }
    ${
      parameters
        ? html`<div>
            <dt>${t('inspection.parameters')}</dt>
            <dd data-parameters=${parameters.total}>${c.format.count(parameters.total)} ${active}</dd>
          </div>`
        : nothing
    }
    ${
      checkpoint
        ? html`<div>
            <dt>${t('inspection.stored')}</dt>
            <dd>
              ${t('inspection.tensor_count', { count: c.format.count(checkpoint.count) })}${
                checkpoint.bytes ? html`, <span data-stored=${checkpoint.bytes}>${c.format.bytes(checkpoint.bytes)}</span>` : nothing
              }
            </dd>
          </div>`
        : nothing
    }
    <div>
      <dt>${t('inspection.files')}</dt>
      <dd>
        ${files
          .slice(0, 4)
          .map(({ name }) => name)
          .join(', ')}${files.length > 4 ? t('inspection.and_more', { count: files.length - 4 }) : nothing}
      </dd>
    </div>
  </dl>`;
}

/** Where a difference lies; `layer 3` and `layers 0-31` carry numbers. */
function placeText(c: Calculator, where: string): string {
  const [, first, last] = /^layers? (\d+)(?:-(\d+))?$/.exec(where) ?? [];
  if (first === undefined) return c.texts.sentence('inspection.where', where);
  return last === undefined ? c.texts.t('inspection.where.layer', { first }) : c.texts.t('inspection.where.layers', { first, last });
}

function differencesView(c: Calculator, differences: readonly Difference[] = []): TemplateResult | typeof nothing {
  if (differences.length === 0) return nothing;
  const { t } = c.texts;
  return html`<div class="warning" role="alert">
    <h3>${t('inspection.differences')}</h3>
    <p>${t('inspection.differences_text')}</p>
    <ul>
      ${differences.map(
        ({ where, config, file, why }) =>
          html`<li>
            ${t('inspection.difference', { where: placeText(c, where), config: c.format.count(config), file: c.format.count(file) })}
            ${why ? c.texts.sentence('inspection.why', why) : nothing}
          </li>`,
      )}
    </ul>
  </div>`;
}

function adapterView(c: Calculator, { adapter }: Inspection): TemplateResult | typeof nothing {
  if (!adapter) return nothing;
  const { t } = c.texts;
  const kind = adapter.use_dora ? 'DoRA' : adapter.kind.toUpperCase() === 'LORA' ? 'LoRA' : adapter.kind;
  return html`<p class="adapter">
    ${
      adapter.block_size
        ? t('inspection.rotation', { block: c.format.count(adapter.block_size) })
        : t('inspection.adapter', { kind, rank: c.format.count(adapter.rank), alpha: c.format.count(adapter.alpha) })
    }
    ${adapter.targets.length > 0 ? html`<code>${adapter.targets.join(', ')}</code>` : nothing}
    ${adapter.base_model ? t('inspection.adapter_of', { name: adapter.base_model }) : nothing}
  </p>`;
}

function tablesView(c: Calculator, found: Inspection): unknown[] {
  const { t, name } = c.texts;
  const { parameters, parts = [], types = [] } = found;
  const byPart = Object.entries(parameters?.by_part ?? {}).map(([part, count]) => ({ part, count }));
  const purpose = (row: { purpose: string }) => (row.purpose === 'parameter' ? '' : ` (${name('purpose', row.purpose)})`);
  return [
    table(t('inspection.by_part'), byPart, { title: t('rows.part'), cell: ({ part }) => name('part', part) }, [
      { title: t('inspection.parameters'), cell: ({ count }) => c.format.count(count) },
      { title: t('rows.share'), cell: ({ count }) => c.format.percent(count, parameters!.total) },
    ]),
    table(t('inspection.parts'), parts, { title: t('rows.part'), cell: (row) => name('part', row.part) + purpose(row) }, figures(c, parts)),
    table(t('inspection.types'), types, { title: t('inspection.type'), cell: ({ type }) => type }, figures(c, types)),
  ];
}

function layersView(c: Calculator, { per_layer: layers = [] }: Inspection): TemplateResult | typeof nothing {
  if (layers.length === 0) return nothing;
  const { t, name } = c.texts;
  const cell = ({ part, layer }: { part: string; layer?: number }) =>
    `${name('part', part)}, ${layer === undefined ? t('inspection.outside') : t('inspection.where.layer', { first: layer })}`;
  return html`<details class="per-layer">
    <summary>${t('inspection.per_layer')}</summary>
    ${table(t('inspection.per_layer'), layers, { title: t('inspection.layer'), cell }, figures(c, layers), true)}
  </details>`;
}

export function inspectionView(c: Calculator): TemplateResult | typeof nothing {
  const { found, left } = c.reading;
  if (!found) return nothing;
  const { t } = c.texts;
  return html`<section class="inspection" aria-labelledby="inspection-title">
    <div class="head">
      <h2 id="inspection-title">${t('inspection.title')}</h2>
      <button type="button" @click=${() => c.reading.close()}>${t('files.close')}</button>
    </div>
    ${headView(c, found)} ${differencesView(c, found.differences)} ${adapterView(c, found)}
    <div class="tables">${tablesView(c, found)}</div>
    ${layersView(c, found)}
    ${
      found.notes?.length
        ? html`<ul class="notes">
            ${found.notes.map((note) => html`<li>${noteText(c, note)}</li>`)}
          </ul>`
        : nothing
    }
    ${left.length > 0 ? html`<p class="hint">${t('inspection.left', { files: left.slice(0, 8).join(', ') + (left.length > 8 ? ' …' : '') })}</p>` : nothing}
  </section>`;
}
