// <plimsoll-reconcile>: what a tool printed, pasted or in files, held against the form. What reads it comes with the first text.

import '../../languages/texts-later.ts';
import '../../languages/texts-reconcile.ts';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { assets } from '../../engine/assets.ts';
import type { Answer, Failure } from '../../engine/reply.ts';
import type { ReconcileReply } from '../../engine/wire.d.ts';
import type { Format } from '../../languages/format.ts';
import { readLog } from '../../reconcile/asking.ts';
import { readFile } from '../../reconcile/snapshot/filing.ts';
import { SnapshotError } from '../../reconcile/snapshot/kept.mjs';
import { failureIn } from '../../reconcile/failing.mjs';
import {
  asked,
  type Held,
  held,
  isOfAnotherTask,
  type Offer,
  offered,
  offeredModels,
  type Open,
  requestWith,
  withLog,
} from '../../reconcile/holding.ts';
import { notLoaded } from '../../state/arriving/reading.ts';
import type { State } from '../../state/state.ts';
import { reconcileStyles } from '../../styles/reconcile/box.ts';
import { Question } from '../choosing/question.ts';
import { retryView } from '../retry.ts';
import { failureView } from './failure.ts';
import { figuresView } from './figures.ts';
import { inputView } from './input.ts';
import { keep, Kept, keptOf } from './kept.ts';
import { measuringView } from './measuring.ts';
import { toolName } from './naming.ts';
import { openView } from './open.ts';
import { rowView } from './row.ts';
import type { Shown } from './shown.ts';
import { damageView, progressView, snapshotView } from './snapshot.ts';
import { statedView } from './stated.ts';

/** Milliseconds that a hand rests before what it typed is read, or asked. */
const rest = 250;

/** Where a model says nothing of its longest context. */
const usualLimit = 131_072;

export class Reconcile extends LitElement {
  static override styles = reconcileStyles;
  static override properties = {
    calculator: { attribute: false },
    format: { attribute: false },
    pasted: { attribute: false },
    form: { attribute: false },
    answer: { attribute: false },
    ways: { attribute: false },
    held: { state: true },
    offers: { state: true },
    failure: { state: true },
    damage: { state: true },
  };

  declare calculator: Calculator;
  /** Of the language and the unit: what is shown changes with it. */
  declare format: Format;
  /** A text that came from outside the box. */
  declare pasted: string | File | undefined;
  /** What the calculator shows: what is held against it changes with it. */
  declare form: State;
  declare answer: Answer | undefined;
  declare ways: object | undefined;
  declare held: Held | undefined;
  declare offers: ReadonlyMap<Open, Offer>;
  declare failure: Failure | undefined;
  /** Why a file is no snapshot. */
  declare damage: SnapshotError | undefined;

  private readonly question = new Question(this);
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.offers = new Map();
  }

  private get kept(): Kept {
    return keptOf(this.calculator);
  }

  override willUpdate(): void {
    const { calculator: c } = this;
    const { pasted } = this;
    this.pasted = c.pasted = undefined;
    if (pasted instanceof File) void this.readFile(pasted);
    else if (pasted !== undefined) void this.read(pasted, true);
    this.ask();
  }

  /** Takes a text. @param arrived whether it came from outside the box, so that its reader is brought here */
  private async read(text: string, arrived = false): Promise<void> {
    const mine = this.begun(text);
    if (arrived) void this.updateComplete.then(() => this.scrollIntoView({ block: 'nearest' }));
    if (text.trim() === '') return;
    void this.calculator.models.list(); // the text names one
    await readLog(text, assets()).then(
      (log) => (mine.log = log),
      () => (this.failure = notLoaded),
    );
    if (this.kept !== mine) return; // another text came meanwhile
    this.requestUpdate();
    if (mine.log) this.calculator.announced = this.toolText(mine.log);
  }

  /** Another text takes the place of the one before. */
  private begun(text: string): Kept {
    clearTimeout(this.typing);
    const mine = keep(this.calculator, new Kept(text));
    this.held = this.failure = this.damage = undefined;
    this.offers = new Map();
    this.question.text = ''; // what was asked before was of another text
    this.requestUpdate();
    return mine;
  }

  /** Takes a snapshot of memory: it may be large, and is read portion by portion. */
  private async readFile(file: File): Promise<void> {
    const mine = this.begun('');
    const wanted = (share: number): boolean => {
      if (Math.round((mine.share ?? -1) * 100) !== Math.round(share * 100)) this.requestUpdate();
      mine.share = share;
      return this.kept === mine;
    };
    try {
      mine.log = await readFile(file, wanted);
      if (mine.log) this.calculator.announced = this.toolText(mine.log);
    } catch (fault) {
      if (!(fault instanceof SnapshotError)) throw fault;
      if (this.kept === mine) this.damage = fault;
    }
    mine.share = undefined;
    this.requestUpdate();
  }

  private typed(text: string): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => void this.read(text), rest);
  }

  /** Asks the engine where anything has changed that it answers. */
  private ask(): void {
    const { calculator: c } = this;
    const { log, taken, sure } = this.kept;
    if (!log || !sure || log.figures.length === 0 || c.mistakes.size > 0 || isOfAnotherTask(log, c.state)) {
      this.held = undefined;
      if (log && !sure && c.mistakes.size === 0) this.askModels(log);
      return;
    }
    const state = withLog(c.tables, c.state, taken);
    this.question.put(requestWith(state, taken), this.held ? rest : 0, async (text) => {
      const wanted = () => this.question.wants(text) && this.kept.log === log;
      const asking = { engine: await c.asking.loaded(), tables: c.tables, log, taken };
      const found = await held(asking, state);
      if (!wanted()) return;
      this.held = found;
      const limit = c.model?.context ?? usualLimit;
      // of a request that failed the figures are of no peak: values that agree with them would be wrong
      const tried = failureIn(log.figures) || state.task === 'training' ? [] : (Object.keys(asked) as Open[]);
      for (const open of tried) {
        if (!log.open?.includes(open)) continue;
        const offer = await offered(asking, state, open, limit, wanted);
        if (!wanted()) return;
        this.offers = new Map(this.offers).set(open, offer);
      }
    });
  }

  /** Which presets have the shape that a log states: asked once of each text. */
  private askModels(log: ReconcileReply): void {
    const { calculator: c, kept } = this;
    if (kept.models !== undefined || !log.open?.includes('model')) return;
    kept.models = [];
    const wanted = (): boolean => this.kept === kept && this.isConnected;
    const state = withLog(c.tables, c.state, kept.taken);
    const found = async () => {
      const asking = { engine: await c.asking.loaded(), tables: c.tables, log, taken: kept.taken };
      kept.models = await offeredModels(asking, state, await assets().models(), wanted);
      this.requestUpdate();
    };
    void found().catch(() => (kept.models = undefined)); // without a network nothing is offered
  }

  private toolText({ tool, version, figures }: ReconcileReply): string {
    const { t } = this.calculator.texts;
    const name = tool === null ? t('reconcile.unknown') : `${toolName(this.calculator, tool)} ${version ?? ''}`.trim();
    return `${name} · ${t('reconcile.count', { count: this.format.count(figures.length) })}`;
  }

  private logView(log: ReconcileReply): TemplateResult {
    const { calculator: c, offers, kept } = this;
    const { taken, sure } = kept;
    const shown: Shown = { c, log, taken, sure, offers, models: kept.models ?? [], held: this.held, state: withLog(c.tables, c.state, taken) };
    const toggle = (field: string) => {
      kept.toggle(field);
      this.requestUpdate();
    };
    const confirm = () => {
      kept.confirmed = true;
      this.requestUpdate();
    };
    return html`<p class="tool"><strong>${this.toolText(log)}</strong></p>
      ${failureView(shown)} ${statedView(shown, toggle)} ${openView(shown, confirm)} ${snapshotView(shown)} ${figuresView(shown)}
      ${rowView(shown, () => this.requestUpdate())}`;
  }

  override render() {
    const { calculator: c, failure } = this;
    const { log, text } = this.kept;
    const input = inputView(c, text, {
      typed: (typed) => this.typed(typed),
      whole: (whole) => void this.read(whole),
      file: (file) => void this.readFile(file),
    });
    return html`${input} ${failure ? retryView(c, failure, () => void this.read(this.kept?.text ?? '')) : nothing} ${progressView(c, this.kept.share)}
    ${damageView(c, this.damage)} ${log ? this.logView(log) : nothing} ${measuringView(c)}`;
  }
}

/** What a tool printed, held against the form of a calculator. */
export const reconcileView = (c: Calculator): TemplateResult => {
  if (!customElements.get('plimsoll-reconcile')) customElements.define('plimsoll-reconcile', Reconcile);
  const { pasted, format, state, asking, later } = c;
  return html`<plimsoll-reconcile
    .calculator=${c}
    .format=${format}
    .pasted=${pasted}
    .form=${state}
    .answer=${asking.answer}
    .ways=${later.got.ways}
  ></plimsoll-reconcile>`;
};
