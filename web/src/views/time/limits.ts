// <plimsoll-limits>: the largest batch within a latency, and the fewest devices for so many tokens a second. The engine searches when it is
// asked by hand, since it answers many requests for it; what it finds is a button that takes it.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { timed } from '../../answers/asking/timed.ts';
import type { Calculator } from '../../app/calculator.ts';
import type { SolveReply } from '../../engine/wire.d.ts';
import type { Format } from '../../languages/format.ts';
import { request } from '../../state/request.ts';
import type { State } from '../../state/state.ts';
import { timeStyles } from '../../styles/answer/time.ts';
import { foundWithin, type Limit, limitedQuestion, limitsOf, soughtWithin, type Within } from '../../time/limiting.mjs';
import { Question } from '../choosing/question.ts';
import { whyText } from './said.ts';
import { positive, typedView } from './typed.ts';

/** What was asked last, and the answer when it is there. */
interface Asked {
  limit: Limit;
  found?: Within | undefined;
  /** Why the engine refused. */
  refused?: string;
}

export class TimeLimits extends LitElement {
  static override styles = timeStyles;
  static override properties = {
    calculator: { attribute: false },
    state: { attribute: false },
    format: { attribute: false },
    typed: { state: true },
    asked: { state: true },
  };

  declare calculator: Calculator;
  declare state: State;
  /** Of the language: what is shown changes with it. */
  declare format: Format;
  declare typed: Record<Limit, string>;
  declare asked: Asked | undefined;

  private readonly question = new Question(this);

  constructor() {
    super();
    this.typed = { latency: '', speed: '' };
  }

  /** What was found is of the form as it was. */
  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('state') || !this.asked) return;
    this.asked = undefined;
    this.question.text = '';
  }

  private seek(limit: Limit, value: number): void {
    const { calculator: c, state } = this;
    if (c.mistakes.size > 0) return;
    const asked = JSON.parse(request(state, 'none')) as object;
    this.asked = { limit };
    this.question.text = ''; // the same once more is asked once more
    this.question.put(JSON.stringify(limitedQuestion(asked, limit, value)), 0, async (text) => {
      const engine = await c.asking.loaded();
      await timed(engine);
      if (!this.question.wants(text)) return;
      const reply = engine.solve(text) as SolveReply;
      const found = foundWithin(reply);
      this.asked = { limit, found, ...('error' in reply && { refused: reply.error.what }) };
    });
  }

  private inputView(limit: Limit): TemplateResult {
    const { t } = this.calculator.texts;
    const value = positive(this.typed[limit]);
    const write = (text: string) => (this.typed = { ...this.typed, [limit]: text });
    const submit = (event: Event) => {
      event.preventDefault();
      if (value !== undefined) this.seek(limit, value);
    };
    return html`<form class="limit" @submit=${submit}>
      ${typedView(this.calculator, limit, t(`time.limits.${limit}`), this.typed[limit], write)}
      <button type="submit" data-seek=${limit} ?disabled=${value === undefined}>${t(`time.limits.seek.${limit}`)}</button>
    </form>`;
  }

  private foundView({ limit, found, refused }: Asked): TemplateResult {
    const { calculator: c, format } = this;
    const { t } = c.texts;
    if (refused !== undefined) return html`<p data-refused>${t('time.limits.refused', { why: whyText(c, refused) })}</p>`;
    if (!found) return html`<p>${t('time.computing')}</p>`;
    const { value, next, untold } = found;
    const id = soughtWithin(limit, this.state.task);
    if (value === null) return html`<p data-found="none">${t(`time.limits.none.${limit}`)}</p>`;
    const said = t(`time.limits.found.${limit}`, { value: format.count(value) });
    const take = () => {
      c.set(id, value);
      c.announced = said;
    };
    return html`<p data-found=${value}>
      <button type="button" data-take=${limit} ?disabled=${c.isLocked(id)} @click=${take}>${said}</button>
      ${untold ? t('time.limits.untold', { first: format.count(untold.first), last: format.count(untold.last) }) : nothing}
      ${next ? t(`time.limits.next.${next.why}`, { value: format.count(next.value) }) : nothing}
    </p>`;
  }

  override render() {
    const { calculator: c } = this;
    const { t } = c.texts;
    return html`<section class="limits" aria-labelledby="limits-title">
      <h3 id="limits-title">${t('time.limits')}</h3>
      <p class="about">${t('time.limits.about')}</p>
      <div class="typed">${limitsOf[this.state.task].map((limit) => this.inputView(limit))}</div>
      <div role="status">${this.question.failed ? this.question.missedView(c) : this.asked ? this.foundView(this.asked) : nothing}</div>
    </section>`;
  }
}

export function defineLimits(): void {
  if (!customElements.get('plimsoll-limits')) customElements.define('plimsoll-limits', TimeLimits);
}
