// What a tag asks of the heavy part, however it comes: one script for all tags of a page.

/** Text by the names of attributes. */
export type Attributes = Readonly<Record<string, string>>;

export interface Answers {
  /** The engine's reply to a request, or its refusal. */
  estimate(request: object): Promise<object>;
  /** The formulas of a figure's rows, as lines of text. */
  explain(request: object, row: string): Promise<string[]>;
  /** What attributes ask for. */
  requestOf(attributes: Attributes): object;
}

/** A reply or refusal, as events tell it. */
export interface Told {
  request: object;
  reply?: object;
  error?: { code: string; where?: string; what: string; hint?: string };
}

/** The element that draws live answers within a tag. */
export interface Shown extends HTMLElement {
  /** The request behind what is shown, as JSON text. */
  readonly request: string;
  /** The state as the calculator's link says it. */
  readonly hash: string;
  /** Takes the tag's attributes anew. */
  follow(attributes: Attributes): void;
  /** Takes a request that a script proposes: what is locked stays. */
  propose(request: object): void;
  /** The value of a field by its attribute's name; undefined where it has none. */
  value(name: string): string | number | boolean | undefined;
}

export interface Live extends Answers {
  /** The element that draws for a tag, and tells it of every answer. */
  create(tag: string, told: (event: 'plimsoll-change' | 'plimsoll-error', detail: Told) => void): Shown;
}
