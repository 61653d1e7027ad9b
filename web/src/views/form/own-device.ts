// <plimsoll-own-device>: the machine that one has. Its graphics card is looked up on a click and offered, never taken by
// itself; a whole machine sets the device and how many there are; and what other programs hold has its usual values.

import '../../languages/texts-later.ts';
import { html, LitElement, nothing } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { graphicsNamed } from '../../finding/graphics.ts';
import { assets, type Machines } from '../../engine/assets.ts';
import { shown } from '../../files/shown.mjs';
import { bytesIn } from '../../languages/format.ts';
import type { Key } from '../../languages/i18n.ts';
import { cardsNamed } from '../../state/graphics.mjs';
import { counts, type State } from '../../state/state.ts';
import { fieldView } from './field.ts';

const others = 'device.used_by_others_bytes';

class OwnDevice extends LitElement {
  static override properties = {
    calculator: { attribute: false },
    state: { attribute: false },
    named: { state: true },
    machines: { state: true },
  };

  declare calculator: Calculator;
  /** Handed in so that a change of it draws anew. */
  declare state: State;
  /** What the browser named; undefined before it was asked. */
  declare named: string[] | undefined;
  declare machines: Machines | undefined;

  protected override createRenderRoot() {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void assets()
      .machines()
      .then((machines) => (this.machines = machines))
      .catch(() => undefined); // without a network the rest is here all the same
  }

  private async lookUp(): Promise<void> {
    this.named = await graphicsNamed();
  }

  private take(device: string, count?: number): void {
    const c = this.calculator;
    c.choose({ device: 'preset' });
    c.set('device.preset', device);
    if (count === undefined) return;
    const field = c.state.task === 'training' ? 'training.devices' : 'devices';
    c.set(field, count > 1 ? count : undefined);
  }

  private cardView() {
    const { texts, tables, format } = this.calculator;
    const found = this.named && cardsNamed(this.named, tables?.devices ?? []);
    const name = this.named?.map(shown)[0];
    return html`<div class="own-card">
      <button type="button" aria-describedby="own-promise" @click=${() => void this.lookUp()}>${texts.t('own.look_up')}</button>
      <p class="hint" id="own-promise">${texts.t('own.promise')}</p>
      <div role="status">
        ${found && found.length === 0 ? html`<p>${name ? texts.t('own.unknown', { name }) : texts.t('own.unnamed')}</p>` : nothing}
        ${
          found?.length
            ? html`<p>${texts.t('own.named', { name: name! })}</p>
                ${found.map(
                  ({ id, name: device, memory }) =>
                    html`<button type="button" class="offer" @click=${() => this.take(id)}>
                      ${texts.t('own.take', { device, memory: `${format.count(memory.value)} ${memory.unit}` })}
                    </button>`,
                )}`
            : nothing
        }
      </div>
    </div>`;
  }

  private machineView() {
    const { machines = [] } = this.machines ?? {};
    if (machines.length === 0) return nothing;
    const { texts } = this.calculator;
    const choose = (event: Event) => {
      const select = event.target as HTMLSelectElement;
      const machine = machines.find(({ id }) => id === select.value);
      if (machine) this.take(machine.device, machine.count);
      select.value = ''; // what it stands for is in the form now
    };
    return html`<div class="field choice">
      <label for="own-machine">${texts.t('own.machine')}</label>
      <select id="own-machine" @change=${choose}>
        <option value="">${texts.t('own.choose')}</option>
        ${machines.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
      </select>
    </div>`;
  }

  private othersView() {
    const c = this.calculator;
    if (!counts(c.state, others)) return nothing;
    const usual = (this.machines?.others ?? []).map(({ id, bytes }) => ({ id, bytes: Math.round(bytes.value * bytesIn('GiB')) }));
    const held = c.state.values[others];
    const pick = (id: string, bytes: number | undefined) =>
      html`<button type="button" aria-pressed=${held === bytes} @click=${() => c.set(others, bytes)}>
        ${c.texts.t(`own.others.${id}` as Key)}
      </button>`;
    return html`${fieldView(c, others)}
      <div class="usual" role="group" aria-label=${c.texts.t('own.usual')}>
        ${pick('none', undefined)}${usual.map(({ id, bytes }) => pick(id, bytes))}
      </div>`;
  }

  override render() {
    return html`${this.cardView()} ${this.machineView()} ${this.othersView()}`;
  }
}

customElements.define('plimsoll-own-device', OwnDevice);
