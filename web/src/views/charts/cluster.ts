// <plimsoll-cluster>: the devices of a training, a cell for each class of equal ones, filled as full as they are. A cell
// opens to what is on it; the same numbers stand in a table.

import { html, LitElement, nothing, svg, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { devicesOfSquare, levels, square, squares } from '../../charts/cells.ts';
import { colourOf, percent, stack } from '../../charts/scale.ts';
import type { Format } from '../../languages/format.ts';
import { type Answer, bytesOf, type Row } from '../../engine/reply.ts';
import { clusterStyles } from '../../styles/training/cluster.ts';
import { becauseView, classTable, type DeviceClass, nameOf } from '../answer/devices.ts';
import { deviceName } from '../answer/summary.ts';
import { table } from '../answer/table.ts';

/** What a cell is called that is not a device's. */
const hostCell = 'host';

class Cluster extends LitElement {
  static override styles = clusterStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    opened: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** The class whose rows are shown. */
  declare opened: string | undefined;

  private name({ device }: DeviceClass): string {
    return this.answer.devices!.length === 1 ? this.calculator.texts.t('cluster.every') : nameOf(this.calculator, device);
  }

  private cell(id: string, title: string, said: TemplateResult, picture: TemplateResult | typeof nothing) {
    const open = this.opened === id;
    const toggle = () => (this.opened = open ? undefined : id);
    return html`<li>
      <button type="button" class="cell" data-cell=${id} aria-expanded=${open} aria-controls="rows" @click=${toggle}>
        <span class="title"><span class="twist" aria-hidden="true"></span> ${title}</span> ${picture} ${said}
      </button>
    </li>`;
  }

  private classCell(one: DeviceClass, each: number) {
    const { calculator: c, answer, format } = this;
    const { t } = c.texts;
    const bytes = bytesOf(one);
    const share = answer.fit && bytes / answer.fit.usable_bytes;
    const fullest = answer.devices!.length > 1 && one.device === answer.total.device;
    const said = html`<span class="figures"
        ><strong>${format.bytes(bytes)}</strong>
        ${share === undefined ? nothing : html`<span class="share">${t(share > 1 ? 'cluster.over' : 'cluster.full', { share: format.percent(share, 1) })}</span>`}</span
      >
      <span class="count">${one.count === 1 ? t('cluster.one') : t('cluster.count', { count: format.count(one.count) })}</span>
      ${fullest ? html`<span class="mark">${t('devices.fullest')}</span>` : nothing}`;
    return this.cell(one.device, this.name(one), said, squares(one.count / each, share));
  }

  private hostCell() {
    const { answer, format } = this;
    const { t } = this.calculator.texts;
    const { host } = answer;
    if (!host?.rows?.length) return nothing;
    const of = answer.devices!.length > 1 ? t('cluster.for_one') : t('cluster.host_of', { count: format.count(answer.devices![0]!.count) });
    const said = html`<span class="figures"><strong>${format.bytes(host.bytes)}</strong></span> <span class="count">${of}</span>`;
    return this.cell(hostCell, t('cluster.host'), said, nothing);
  }

  private rowsOf(title: string, rows: readonly Pick<Row, 'id' | 'bytes'>[], bytes: number) {
    const { calculator: c, format } = this;
    const { t, name } = c.texts;
    const parts = rows.filter((row) => row.bytes > 0);
    return html`<h3>${title}</h3>
      <svg class="bar" width="100%" height="16" aria-hidden="true">
        ${stack(parts).map(({ id, from, bytes: size }) => svg`<rect class="part ${colourOf(id)}" x=${percent(from, bytes)} width=${percent(size, bytes)} height="16"></rect>`)}
      </svg>
      <p class="legend" aria-hidden="true">
        ${parts.map(({ id }) => html`<span><span class="swatch ${colourOf(id)}"></span> ${name('row', id)}</span>`)}
      </p>
      ${table(
        title,
        parts,
        { title: t('rows.part'), cell: ({ id }) => name('row', id) },
        [
          { title: t('rows.size'), cell: (row) => format.bytes(row.bytes) },
          { title: t('rows.share'), cell: (row) => format.percent(row.bytes, bytes) },
        ],
        true,
      )}`;
  }

  /** What is on a device of the class that stands open. */
  private openedRows() {
    const { answer, opened } = this;
    const { t, name } = this.calculator.texts;
    if (opened === hostCell && answer.host?.rows?.length) return this.rowsOf(t('cluster.host_rows'), answer.host.rows, answer.host.bytes);
    const one = answer.devices!.find(({ device }) => device === opened);
    if (!one?.rows) return nothing;
    const title = t('cluster.rows', { device: this.name(one) });
    return html`${this.rowsOf(title, one.rows, bytesOf(one))}
    ${one.phase ? html`<p class="hint">${t('cluster.phase', { phase: name('phase', one.phase) })}</p>` : nothing}`;
  }

  /** What the colours mean, in words. */
  private legend(each: number) {
    const { calculator: c, answer, format } = this;
    const { t } = c.texts;
    const said = each === 1 ? t('cluster.each') : t('cluster.group', { count: format.count(each) });
    if (!answer.fit) return html`<p class="hint">${said}</p>`;
    const texts = levels.map((end, at) => {
      if (at === 0) return `≤ ${100 * end} %`;
      return end === Infinity ? '> 100 %' : `${100 * levels[at - 1]!} – ${100 * end} %`;
    });
    const capacity = t('cluster.scale', { bytes: format.bytes(answer.fit.usable_bytes), device: deviceName(c) });
    return html`<p class="hint">${said} ${capacity}</p>
      <p class="legend">${texts.map((text, at) => html`<span>${square(levels[at] === Infinity ? 2 : levels[at])} ${text}</span>`)}</p>`;
  }

  override render() {
    const { calculator: c, answer } = this;
    const devices = answer.devices ?? [];
    const each = devicesOfSquare(devices.map(({ count }) => count));
    return html`<ul class="cells ${devices.length === 1 ? 'single' : ''}">
        ${devices.map((one) => this.classCell(one, each))} ${this.hostCell()}
      </ul>
      <div id="rows" class="opened" role="status">${this.openedRows()}</div>
      ${this.legend(each)} ${becauseView(c, answer)}
      <details>
        <summary>${c.texts.t('curve.table')}</summary>
        ${classTable(c, answer)}
      </details>`;
  }
}

/** Nothing where there is one device alone; undefined of another task. */
export function clusterView(c: Calculator, answer: Answer) {
  if (c.state.task !== 'training') return undefined;
  if ((answer.devices ?? []).reduce((sum, { count }) => sum + count, 0) < 2) return nothing;
  if (!customElements.get('plimsoll-cluster')) customElements.define('plimsoll-cluster', Cluster);
  return html`<section class="timeline cluster" aria-labelledby="cluster-title">
    <h2 id="cluster-title">${c.texts.t('cluster.title')}</h2>
    <plimsoll-cluster .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-cluster>
  </section>`;
}
