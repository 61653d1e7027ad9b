// The layouts of a reply, one row each, sorted by whichever column is asked. A layout's name is the button that takes it.

import { html, nothing, type TemplateResult } from 'lit';
import type { PlanAnswer, PlanLayout } from '../../engine/wire.d.ts';
import { type Point, pointsOf, within } from '../../layouts/brushing.mjs';
import { valueName } from '../form/field.ts';
import { duration } from '../time/said.ts';
import type { Layouts } from './layouts.ts';
import { degreesOf, deviceNameOf, furtherOf, isOnSeveral, nameOf, sharedBy } from './naming.ts';

export interface Order {
  /** A column; empty for the order of the ranks. */
  by: string;
  down: boolean;
}

interface Column {
  id: string;
  cell: (layout: PlanLayout) => string | TemplateResult;
  value: (layout: PlanLayout) => number | string | undefined;
  figure?: true;
}

/** A sign for each verdict, so that no colour is needed. */
const signs: Readonly<Record<string, string>> = { fits: '✓', tight: '≈', waits: '…' };

const verdicts = Object.keys(signs);

function badge(view: Layouts, verdict: string): TemplateResult {
  return html`<span class="badge ${verdict.replaceAll(' ', '-')}"
    ><span aria-hidden="true">${signs[verdict] ?? '✗'}</span> ${view.calculator.texts.name('verdict', verdict)}</span
  >`;
}

/** Figures first: who divides what is told behind them, where a narrow screen scrolls. */
function columnsOf(view: Layouts): Column[] {
  const { calculator: c, format, state } = view;
  const percent = (share = 0) => format.percent(share, 1);
  const atOnce = ({ sequences }: PlanLayout) => (sequences === undefined ? '' : format.count(Math.floor(sequences)));
  const recompute = ({ request: { training } }: PlanLayout): string =>
    training?.checkpointing ? valueName(c, 'training.checkpointing', training.checkpointing) : '';
  const batch = ({ micro_batch: size = 1, accumulation = 1 }: PlanLayout) => `${size} × ${accumulation}`;
  const secondsOf = ({ step, token }: PlanLayout) => step ?? token;
  const seconds = (layout: PlanLayout): string => {
    const time = secondsOf(layout);
    if (!time) return '';
    return time.seconds === undefined ? `≥ ${duration(c, time.roof)}` : duration(c, time.seconds);
  };
  const device = (layout: PlanLayout): string => deviceNameOf(view, layout);
  const on: Column[] = isOnSeveral(view) ? [{ id: 'on', cell: device, value: device }] : [];
  const isTimed = view.reply?.layouts.some((layout) => secondsOf(layout) !== undefined) === true;
  const fastest = (layout: PlanLayout) => secondsOf(layout)?.seconds ?? secondsOf(layout)?.roof;
  const timed: Column[] = isTimed ? [{ id: state.task === 'training' ? 'step' : 'token', cell: seconds, value: fastest, figure: true }] : [];
  const needs: Column[] = [
    { id: 'bytes', cell: ({ process }) => format.bytes(process), value: ({ process }) => process, figure: true },
    { id: 'left', cell: ({ free_bytes: free }) => format.bytes(free), value: ({ free_bytes: free }) => free, figure: true },
    { id: 'verdict', cell: ({ verdict }) => badge(view, verdict), value: ({ verdict }) => verdicts.indexOf(verdict) },
  ];
  const spread: Column[] = [
    { id: 'between', cell: ({ sent_between: sent }) => format.bytes(sent), value: ({ sent_between: sent }) => sent, figure: true },
    { id: 'devices', cell: ({ devices }) => format.count(devices), value: ({ devices }) => devices, figure: true },
  ];
  if (state.task === 'inference')
    return [...on, { id: 'sequences', cell: atOnce, value: ({ sequences }) => sequences, figure: true }, ...timed, ...needs, ...spread];
  return [
    ...on,
    ...timed,
    { id: 'micro_batch', cell: batch, value: ({ micro_batch: size }) => size, figure: true },
    { id: 'recompute', cell: recompute, value: recompute },
    ...needs,
    { id: 'twice', cell: ({ recompute }) => percent(recompute), value: ({ recompute }) => recompute, figure: true },
    { id: 'waits', cell: ({ bubble }) => percent(bubble), value: ({ bubble }) => bubble, figure: true },
    ...spread,
    { id: 'who', cell: sharedBy, value: sharedBy },
    { id: 'further', cell: (layout) => furtherOf(view, layout), value: (layout) => furtherOf(view, layout) },
  ];
}

function sorted(view: Layouts, points: readonly Point[], columns: readonly Column[]): Point[] {
  const { by, down } = view.order;
  const value = by === 'layout' ? (layout: PlanLayout) => degreesOf(view, layout) : columns.find(({ id }) => id === by)?.value;
  const byRank = (one: Point, other: Point): number => {
    const at = one.layout.rank.findIndex((each, place) => each !== other.layout.rank[place]);
    return at < 0 ? 0 : one.layout.rank[at]! - other.layout.rank[at]!;
  };
  return points.toSorted((one, other) => {
    const [a, b] = [value?.(one.layout) ?? 0, value?.(other.layout) ?? 0];
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
    return (down ? -order : order) || byRank(one, other);
  });
}

const arrows = { ascending: ' ▴', descending: ' ▾', none: '' };

function headView(view: Layouts, id: string, figure = false): TemplateResult {
  const { by, down } = view.order;
  const sortedBy = down ? 'descending' : 'ascending';
  const sort = by === id ? sortedBy : 'none';
  return html`<th scope="col" class=${figure ? 'figure' : ''} aria-sort=${sort}>
    <button type="button" data-sort=${id} @click=${() => (view.order = { by: id, down: by === id && !down })}>
      ${view.calculator.texts.t(`layouts.column.${id}` as 'layouts.column.layout')}<span aria-hidden="true">${arrows[sort]}</span>
    </button>
  </th>`;
}

function rowView(view: Layouts, { key, layout, front }: Point, columns: readonly Column[]): TemplateResult {
  const { t } = view.calculator.texts;
  const name = nameOf(view, layout);
  const drawn = view.drawn === layout;
  // a click anywhere in the row takes it; keys have the button
  const take = (event: Event) => (event.target as HTMLElement).closest('.actions') ?? view.take(layout);
  return html`<tr data-layout=${key} data-bytes=${layout.process} class=${drawn ? 'chosen' : ''} @click=${take}>
    <th scope="row">
      <button type="button" class="take" aria-label=${`${t('layouts.take')}: ${name}`}>${degreesOf(view, layout)}</button>
      ${front ? html`<abbr title=${t('layouts.unbeaten')}>◆<span class="hidden"> ${t('layouts.unbeaten')}</span></abbr>` : nothing}
    </th>
    ${columns.map(({ id, cell, figure }) => html`<td data-column=${id} class=${figure ? 'figure' : ''}>${cell(layout)}</td>`)}
    <td class="actions">
      <button type="button" data-act="pin" ?disabled=${view.full} aria-label=${`${t('layouts.pin')}: ${name}`} @click=${() => view.pin(layout)}>
        ${t('layouts.pin')}
      </button>
      <button type="button" data-act="draw" aria-pressed=${drawn} aria-label=${`${t('layouts.draw')}: ${name}`} @click=${() => (view.drawn = layout)}>
        ${t('layouts.draw')}
      </button>
    </td>
  </tr>`;
}

/** The table of what the brush leaves. */
export function tableView(view: Layouts, reply: PlanAnswer): TemplateResult {
  const { t } = view.calculator.texts;
  const all = pointsOf(reply);
  const left = all.filter(({ layout }) => within(layout, view.measure, view.brush));
  const columns = columnsOf(view);
  const shown = t('layouts.shown', { shown: left.length, all: all.length });
  return html`<p class="hint" role="status">${shown} ${t('layouts.click')}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('layouts.table')}>
      <table>
        <caption class="hidden">
          ${t('layouts.table')}
        </caption>
        <thead>
          <tr>
            ${headView(view, 'layout')} ${columns.map(({ id, figure }) => headView(view, id, figure))}
            <th scope="col">${t('layouts.column.more')}</th>
          </tr>
        </thead>
        <tbody>
          ${sorted(view, left, columns).map((point) => rowView(view, point, columns))}
        </tbody>
      </table>
    </div>`;
}
