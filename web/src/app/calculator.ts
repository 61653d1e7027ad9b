// What the views may read of the calculator and ask of it. The element is one; the views know no other side of it.

import type { LitElement, nothing, TemplateResult } from 'lit';
import type { Asking } from '../answers/asking/asking.ts';
import type { ModelEntry, Tables } from '../engine/assets.ts';
import type { FieldId, Value } from '../state/fields.ts';
import type { Format, Unit } from '../languages/format.ts';
import type { Texts } from '../languages/i18n.ts';
import type { Models } from '../state/models.ts';
import type { Found, Reading } from '../state/arriving/reading.ts';
import type { Answer, Failure } from '../engine/reply.ts';
import type { Travelling } from '../state/history.ts';
import type { Pin, State } from '../state/state.ts';
import type { EncodingPreset } from '../engine/wire.d.ts';

type View = (c: Calculator, answer: Answer) => TemplateResult | typeof nothing | undefined;

/** Views that come when they are first asked for, by the piece that they come in. */
export interface Pieces {
  /** Elements, which stand by themselves once they are here. */
  pieces?: object;
  training?: {
    withoutOtherFrameworks: (state: State) => State;
    trainingForm: (c: Calculator) => TemplateResult;
    clusterView: View;
    contributorsView: View;
    stepsView: View;
    trainersView: View;
  };
  possible?: { possibleView: (c: Calculator, answer: Answer) => TemplateResult };
  recent?: { remember: (c: Calculator) => void; recentView: (c: Calculator) => TemplateResult };
  fits?: { fitsView: (c: Calculator) => TemplateResult };
  layouts?: { layoutsView: (c: Calculator) => TemplateResult };
  ways?: { waysView: (c: Calculator, answer: Answer, brief?: boolean) => TemplateResult };
  reconcile?: { reconcileView: (c: Calculator) => TemplateResult };
  time?: { timeLine: (c: Calculator) => TemplateResult; timeView: (c: Calculator) => TemplateResult };
  comparison?: { comparisonView: (c: Calculator) => TemplateResult };
  encodings?: typeof import('../views/finding/encodings.ts');
  devices?: { deviceListView: (c: Calculator) => TemplateResult };
  /** <plimsoll-own-device>. */
  own?: object;
  why?: { whyView: (c: Calculator, path: string) => TemplateResult | typeof nothing };
  storage?: { storageBody: (c: Calculator, encoding: EncodingPreset, answer: Answer) => TemplateResult };
  inspection?: { inspectionView: (c: Calculator) => TemplateResult | typeof nothing };
}

export interface Later {
  /** Those that are here. */
  readonly got: Pieces;
  readonly failure: Failure | undefined;
  /** Whether one was asked for and stayed away. */
  misses(name: keyof Pieces): boolean;
  /** Brings one in. Without a network it stays away, and the next asking tries again. */
  bring(name: keyof Pieces): Promise<void>;
  /** Brings one in that nobody asked for by hand: what stayed away waits until somebody does. */
  want(name: keyof Pieces): void;
  /** Brings in what stayed away. */
  again(): void;
}

export interface Calculator extends LitElement {
  unit: Unit;
  /** Whether times are told beside memory: on the site, and where an element asks for it. */
  time: boolean;
  /** Whether an element's page lets its readers hold a log against the answer. */
  readonly reconcile?: boolean;
  locked: string | null;
  state: State;
  readonly tables: Tables | undefined;
  readonly models: Models;
  /** Paths of the rows that stand open. */
  open: ReadonlySet<string>;
  /** Names of the folds that stand open. */
  unfolded: ReadonlySet<string>;
  /** The pieces that come when a fold asks for them. */
  readonly later: Later;
  /** Text that is no number, by field: the engine is not asked while there is any. */
  mistakes: ReadonlyMap<FieldId, string>;
  /** What a tool printed, on its way to what reads it. */
  pasted: string | File | undefined;
  /** Configurations that are put aside, to be compared with. */
  pins: readonly Pin[];
  readonly travelling: Travelling;
  copied: string;
  /** Whether the explanation of the weights' encoding stands open. */
  explaining: boolean;
  /** Said to a screen reader. */
  announced: string;
  /** What was asked of a search over layouts, as a link carries it (layouts/linking.mjs). */
  sought: string | undefined;
  /** Gives the link to this state; only the site has one. */
  link: (() => string) | undefined;

  /** How far the first view stands: one of `stages` (views/stages.ts). */
  readonly stage: number;
  readonly asking: Asking;
  readonly texts: Texts;
  readonly format: Format;
  /** The chosen preset. */
  readonly model: ModelEntry | undefined;
  /** The request behind what is shown, as the command line would be asked it. */
  readonly request: string;

  /** Tries again what did not come. */
  again(): void;
  isLocked(id: FieldId): boolean;
  /** What is wrong with a field: text that is no number, or what the engine said of it. */
  mistake(id: FieldId): Failure | undefined;
  set(id: FieldId, value: Value | undefined): void;
  /** Takes what was typed; what is no number stays in the field, with its error. */
  write(id: FieldId, text: string): void;
  choose(part: Partial<Pick<State, 'task' | 'model' | 'device'>>): void;
  toggle(path: string): void;
  /** Files on their way in, and what they held. */
  readonly reading: Reading;
  /** Files that are dropped, picked, pasted or fetched become the model. */
  takeFiles(find: (signal: AbortSignal) => Found | Promise<Found>): void;
}
