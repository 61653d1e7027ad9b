// <plimsoll-ways>: what would make it fit, the least painful first, or what the room that is left buys. Each is a button.

import '../../languages/texts-choosing.ts';
import '../../languages/texts-later.ts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { type Kind, losesOf, painSources, usualOrder } from '../../answers/ways/pain.ts';
import type { Setting } from '../../answers/ways/changes.ts';
import { type Way, type Ways, WaySearch } from '../../answers/ways/ways.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { Format } from '../../languages/format.ts';
import type { FieldId } from '../../state/fields.ts';
import { request } from '../../state/request.ts';
import type { State } from '../../state/state.ts';
import { waysStyles } from '../../styles/choosing/ways.ts';
import { sourceView } from '../answer/explanation.ts';
import { valueOf } from '../form/field.ts';
import { fieldName, saidValue } from './naming.ts';
import { Question } from './question.ts';

/** Milliseconds that a hand rests before the search begins. */
const rest = 300;

/** Sets that are shown at once. */
const atOnce = 4;

/** Ways that are shown where they are told in brief. */
const inBrief = 3;

/** Layers of a model whose shape is not known: enough for an order of what costs more. */
const usualLayers = 32;

export class WaysOut extends LitElement {
  static override styles = waysStyles;
  static override properties = {
    calculator: { attribute: false },
    answer: { attribute: false },
    format: { attribute: false },
    brief: { type: Boolean },
    found: { state: true },
    order: { state: true },
  };

  declare calculator: Calculator;
  declare answer: Answer;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** The first of them alone, where what they are for is said beside it. */
  declare brief: boolean;
  declare found: Ways | undefined;
  /** What is given up last stands first. */
  declare order: readonly Kind[];

  private readonly question = new Question(this);
  private current = '';

  constructor() {
    super();
    this.order = usualOrder;
    this.brief = false;
  }

  override willUpdate(): void {
    const { state, mistakes } = this.calculator;
    const question = `${this.order.join()} ${request(state, 'none')}`;
    if (mistakes.size > 0) return;
    this.question.put(question, this.found ? rest : 0, (text) => this.ask(text, state));
  }

  private async ask(question: string, state: State): Promise<void> {
    const { calculator: c } = this;
    const engine = await c.asking.loaded();
    const wanted = () => this.question.wants(question);
    if (!wanted()) return;
    if (!c.asking.idle || !c.asking.answer?.fit) {
      this.question.later(rest, () => this.ask(question, state));
      return;
    }
    const layers = c.model?.shape['num_hidden_layers'] ?? usualLayers;
    const own = (id: FieldId): unknown => valueOf(c, id);
    const { tables } = c;
    const asked = { engine, tables, state, answer: c.asking.answer, own, facts: { tables, layers }, order: this.order, wanted };
    const found = await new WaySearch(asked).find();
    if (!found) return;
    this.found = found;
    this.current = question;
    this.requestUpdate();
  }

  private said({ id, value }: Setting): string {
    const { calculator: c } = this;
    const { t } = c.texts;
    if (value === undefined) return t('ways.gone', { name: fieldName(c, id) });
    return value === true ? fieldName(c, id) : t('form.pair', { name: fieldName(c, id), value: saidValue(c, id, value) });
  }

  private take(way: Way, title: string): void {
    const { calculator: c } = this;
    c.state = way.state;
    c.announced = c.texts.t('ways.taken', { change: title });
  }

  private costOf(way: Way): string {
    const { t, maybe } = this.calculator.texts;
    if (this.found?.more) return way.settings.map(({ id }) => maybe(`ways.gains.${id}`) ?? '').join(', ');
    const kinds = [...new Set(way.settings.map(({ id }) => losesOf(id)))];
    return kinds.flatMap((kind) => (kind ? [t(`ways.loses.${kind}`)] : [])).join(', ');
  }

  private wayView(way: Way): TemplateResult {
    const { calculator: c, format } = this;
    const { t, name } = c.texts;
    const title = way.settings.map((setting) => this.said(setting)).join('; ');
    return html`<li data-way=${way.settings.map(({ id }) => id).join(' ')} data-bytes=${way.bytes} data-pain=${way.pain}>
      <p class="change"><strong>${title}</strong> <span class="cost">${this.costOf(way)}</span></p>
      <p class="result"><span>${format.bytes(way.bytes)}</span> <span class="badge ${way.verdict}">${name('verdict', way.verdict)}</span></p>
      <button
        type="button"
        ?disabled=${way.settings.some(({ id }) => c.isLocked(id))}
        aria-label=${`${t('ways.take')}: ${title}`}
        @click=${() => this.take(way, title)}
      >
        ${t('ways.take')}
      </button>
    </li>`;
  }

  private listView(title: string, ways: readonly Way[]): TemplateResult | typeof nothing {
    if (ways.length === 0) return nothing;
    const rest = ways.slice(atOnce);
    const { t } = this.calculator.texts;
    return html`<h3>${title}</h3>
      <ul>
        ${ways.slice(0, atOnce).map((way) => this.wayView(way))}
      </ul>
      ${
        rest.length > 0
          ? html`<details>
              <summary>${t('ways.further', { count: rest.length })}</summary>
              <ul>
                ${rest.map((way) => this.wayView(way))}
              </ul>
            </details>`
          : nothing
      }`;
  }

  /** Puts a kind one place further to the front. */
  private prefer(kind: Kind): void {
    const { calculator: c } = this;
    const at = this.order.indexOf(kind);
    const order = this.order.filter((one) => one !== kind);
    this.order = order.toSpliced(at - 1, 0, kind);
    c.announced = c.texts.t('ways.order.moved', { name: c.texts.t(`ways.kind.${kind}`), place: at });
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`[data-prefer="${this.order[Math.max(1, at - 1)]}"]`)?.focus());
  }

  private orderView(): TemplateResult {
    const { t } = this.calculator.texts;
    const place = (kind: Kind, at: number) => {
      const name = t(`ways.kind.${kind}`);
      const up = html`<button type="button" data-prefer=${kind} aria-label=${t('ways.order.up', { name })} @click=${() => this.prefer(kind)}>
        <span aria-hidden="true">↑</span>
      </button>`;
      return html`<li><span>${name}</span> ${at > 0 ? up : nothing}</li>`;
    };
    return html`<details>
      <summary>${t('ways.order')}</summary>
      <p class="hint">${t('ways.order.hint')}</p>
      <ol>
        ${this.order.map(place)}
      </ol>
      <p class="hint">${t('ways.sources')}</p>
      <ul class="sources">
        ${painSources().map(({ title, url }) => html`<li>${sourceView(`${title} <${url}>`)}</li>`)}
      </ul>
    </details>`;
  }

  override render() {
    const { found, current } = this;
    const { text: question } = this.question;
    const { t } = this.calculator.texts;
    if (this.question.failed) return this.question.missedView(this.calculator);
    if (!found) return html`<p class="hint">${t('ways.searching')}</p>`;
    const { more, ways } = found;
    if (this.brief) {
      const first = more ? html`<p class="hint">${t('ways.brief.fits')}</p>` : this.listView(t('ways.brief'), ways.slice(0, inBrief));
      return html`<div data-complete=${current === question}>${first}</div>`;
    }
    const which = more ? 'more' : 'less';
    const [best, ...others] = more ? [undefined, ...ways] : ways;
    const single = others.filter((way): way is Way => way?.settings.length === 1);
    const several = others.filter((way): way is Way => (way?.settings.length ?? 0) > 1);
    return html`<div class=${current === question ? '' : 'stale'} data-complete=${current === question}>
      <p class="hint">${ways.length > 0 ? t(`ways.intro.${which}`) : t(`ways.none.${which}`)}</p>
      ${best ? this.listView(t('ways.best'), [best]) : nothing} ${this.listView(t('ways.single'), single)}
      ${this.listView(t('ways.several'), several)} ${more ? nothing : this.orderView()}
    </div>`;
  }
}

/** Ways out, or what the room that is left buys. @param brief the first few ways out alone */
export const waysView = (c: Calculator, answer: Answer, brief = false): TemplateResult => {
  if (!customElements.get('plimsoll-ways')) customElements.define('plimsoll-ways', WaysOut);
  return html`<plimsoll-ways .calculator=${c} .answer=${answer} .format=${c.format} .brief=${brief}></plimsoll-ways>`;
};
