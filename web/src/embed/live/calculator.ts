// <plimsoll-live>: the calculator within a tag of a foreign page. It follows the tag's attributes, keeps what is locked, and
// tells the tag of every answer.

import { html, nothing } from 'lit';
import { stages } from '../../views/stages.ts';
import { PlimsollCalculator } from '../../app/element.ts';
import { shown } from '../../files/shown.mjs';
import '../../languages/texts-later.ts';
import type { Unit } from '../../languages/format.ts';
import { preferred } from '../../languages/i18n.ts';
import { fromRequest, request } from '../../state/request.ts';
import { initialState, mostCompared, type State, toLink } from '../../state/state.ts';
import { calculatorStyles } from '../../styles/index.ts';
import { headline } from '../../engine/reply.ts';
import type { Request } from '../../engine/wire.d.ts';
import type { Attributes, Shown, Told } from '../answers.ts';
import { engine } from './asked.ts';
import { followed, held, stateOf, valueIn } from './attributes.ts';
import { comparedStates } from './compared.ts';
import { lostOf } from './lost.ts';
import { type Size, sizeView } from './sizes.ts';
import { guestStyles, partOf } from './styles.ts';

const isOn = (attribute: string | undefined): boolean => attribute !== undefined && attribute !== 'false';

type Teller = (event: 'plimsoll-change' | 'plimsoll-error', detail: Told) => void;

export class LiveCalculator extends PlimsollCalculator implements Shown {
  static override styles = [...guestStyles.before, ...calculatorStyles, ...guestStyles.after];
  static override properties = {
    ...PlimsollCalculator.properties,
    size: { type: String, reflect: true },
    controls: { attribute: false },
    reconcile: { type: Boolean },
  };

  declare size: Size;
  /** Names of the fields that a small box has controls for; undefined for the usual ones. */
  declare controls: readonly string[] | undefined;
  declare reconcile: boolean;

  told: Teller = () => undefined;
  tag = '';
  /** What configurations of a comparison are called, in their order. */
  names: readonly string[] = [];

  /** What the markup asks for, which is what locked fields have. */
  private authored: State = initialState();
  private fault: string | undefined;
  private lost: readonly string[] = [];
  private counted = 0;
  private refused = '';

  constructor() {
    super();
    this.size = 'full';
    this.controls = undefined;
    this.reconcile = false;
    this.asking.loading = engine();
  }

  follow(attributes: Attributes): void {
    const { state, mistakes, fault, lost } = stateOf(attributes);
    this.size = attributes['size'] as Size;
    this.controls = attributes['controls']?.split(/[\s,]+/).filter(Boolean);
    this.locked = attributes['locked'] ?? null;
    this.lang = attributes['lang'] ? preferred([attributes['lang']]) : '';
    this.unit = (attributes['unit'] === 'GB' ? 'GB' : 'GiB') satisfies Unit;
    this.time = isOn(attributes['time']);
    this.reconcile = isOn(attributes['reconcile']);
    this.fault = fault;
    this.lost = lost;
    this.mistakes = mistakes;
    if (this.size !== 'full') this.stage = stages.whole;
    if (this.size === 'compare') this.compare(attributes);
    else {
      this.state = followed(this.state, this.authored, state);
      this.authored = state;
    }
    if (fault !== undefined) this.told('plimsoll-error', { request: {}, error: { code: 'not_a_request', where: 'request', what: fault } });
  }

  private compare(attributes: Attributes): void {
    const { states, names, fault, lost } = comparedStates(attributes);
    this.names = names;
    this.lost = lost;
    this.fault = fault;
    const last = states.at(-1);
    if (!last) return this.told('plimsoll-error', { request: {}, error: { code: 'not_a_request', where: 'requests', what: fault ?? '' } });
    this.authored = this.state = last;
    this.pins = states.slice(0, Math.min(states.length, mostCompared) - 1).map((state, at) => ({ state, name: names[at] ?? '' }));
  }

  /** Of what a reader picks among a model's files, a log is shown where they are. */
  override takeLog(text: string | File): void {
    this.reconcile = true;
    super.takeLog(text);
  }

  propose(asked: object): void {
    this.state = fromRequest(asked as Request);
    this.lost = lostOf(asked, this.state);
  }

  get hash(): string {
    return toLink(this.state);
  }

  value(name: string): string | number | boolean | undefined {
    return valueIn(this.state, name);
  }

  /** The tag tells of answers, and of what changed with each. */
  protected override tell(): void {}

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('state') || changed.has('locked')) this.state = held(this.state, this.authored, this.locked);
    super.willUpdate(changed);
  }

  override updated(): void {
    super.updated();
    if (this.comes) return;
    const { answered, answer, error } = this.asking;
    for (const [selector, name] of partOf) for (const one of this.renderRoot.querySelectorAll(selector)) one.part.add(name);
    const refused = error ? `${error.code} ${error.where ?? ''} ${error.what}` : '';
    if (answered === this.counted && refused === this.refused) return;
    [this.counted, this.refused] = [answered, refused];
    const asked = JSON.parse(request(this.state, 'rows')) as object;
    if (error) this.told('plimsoll-error', { request: asked, error });
    else if (answer) this.told('plimsoll-change', { request: asked, reply: answer });
  }

  private inside() {
    if (this.size === 'full') return super.render();
    const { answer, error } = this.asking;
    return html`<div class="summary small ${error ? 'stale' : ''}" data-total=${answer ? headline(answer).bytes : ''}>
      ${sizeView(this, this.size, answer)}
    </div>`;
  }

  /** What its page asks for and it cannot. */
  private lostView() {
    return this.lost.length > 0
      ? html`<p class="banner" role="note">${this.texts.t('tag.lost', { fields: shown(this.lost.join(', ')) })}</p>`
      : nothing;
  }

  override render() {
    return html`<slot name="heading"></slot
      >${this.lostView()}${this.fault === undefined ? this.inside() : html`<p class="error" role="alert">${this.fault}</p>`}<slot
        name="footer"
      ></slot>`;
  }
}
