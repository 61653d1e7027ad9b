// Types of `import 'plimsoll/element'`, which defines the element.

/** `<plimsoll-calculator>`: form and answer. Every field of the form is an attribute, too; the reference lists them. */
export interface PlimsollCalculator extends HTMLElement {
  lang: string;
  /** In which figures are shown: the attribute `unit`. */
  unit: 'GiB' | 'GB';
  /** Whether times are told: the attribute `time`. */
  time: boolean;
  /** Fields that a reader cannot change, apart by spaces or commas; an empty text shows the answer alone: the attribute `locked`. */
  locked: string | null;
  /** The request behind what is shown, as JSON text. */
  readonly request: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'plimsoll-calculator': PlimsollCalculator;
  }
  interface HTMLElementEventMap {
    /** Something that a reader or a script has set: of `<plimsoll-calculator>`, bubbling. */
    'plimsoll-change': CustomEvent;
  }
}
