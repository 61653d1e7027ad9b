// The tags, as the package's `element` and `loader` register them. Every attribute is a property as well.

import type { Reply, Request } from '../engine/wire.d.ts';

/** What events tell in `detail`: what was asked, with the reply or the refusal. */
export interface PlimsollTold {
  request: Request;
  reply?: Reply;
  error?: { code: string; where?: string; what: string; hint?: string };
}

type Written = string | number | boolean | null | undefined;

interface Asking extends HTMLElement {
  /** A request as JSON text; an object is taken too. */
  get request(): string;
  set request(request: string | object | null | undefined);
  /** Attributes of the form's fields, in camel case: `context`, `gpuLayers`, and the tag's own. */
  task: Written;
  model: Written;
  device: Written;
  runtime: Written;
  context: Written;
  sequences: Written;
  weights: Written;
  theme: Written;
  unit: Written;
}

export interface PlimsollTag extends Asking {
  size: Written;
  controls: Written;
  locked: Written;
  time: Written;
  reconcile: Written;
  kind: Written;
  get requests(): string;
  set requests(requests: string | readonly object[] | null | undefined);
  /** Resolves with the answer or the refusal, once there is one. */
  answered(): Promise<PlimsollTold>;
  /** The engine's reply to a request of one's own; it changes nothing that is shown. */
  estimate(request: object): Promise<Reply>;
  /** The formulas of a row, as lines of text. */
  explain(row: string): Promise<string[]>;
  /** The state as the calculator's own link says it. */
  link(): string;
}

export interface PlimsollBytesTag extends Asking {
  show: Written;
  row: Written;
  digits: Written;
  /** The number itself; undefined until it is answered. */
  readonly bytes: number | undefined;
  answer(): Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap {
    'plimsoll-calculator': PlimsollTag;
    'plimsoll-chart': PlimsollTag;
    'plimsoll-compare': PlimsollTag;
    'plimsoll-bytes': PlimsollBytesTag;
  }
  interface HTMLElementEventMap {
    'plimsoll-change': CustomEvent<PlimsollTold>;
    'plimsoll-error': CustomEvent<PlimsollTold>;
  }
}
