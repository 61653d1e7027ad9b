// The four tags.

import { type Bring, Guest, prepareGuests } from './guest.ts';
import { defineBytes, PlimsollBytes } from './bytes.ts';
import { defineProperties } from './properties.ts';

const sizes = ['full', 'compact', 'row'];

/** Form and answer: in full, in a small box, or on one line. */
class CalculatorTag extends Guest {
  protected get kindShown(): string {
    const size = this.getAttribute('size') ?? 'full';
    return sizes.includes(size) ? size : 'full';
  }
}

/** One picture: the load of the device, or memory against length. */
class ChartTag extends Guest {
  protected get kindShown(): string {
    return this.getAttribute('kind') === 'curve' ? 'curve' : 'bar';
  }
}

/** Two to four requests side by side. */
class CompareTag extends Guest {
  protected readonly kindShown = 'compare';
}

/** Registers the tags that nobody has registered yet. @param bring how the heavy part comes */
export function defineTags(bring: Bring): void {
  prepareGuests(bring);
  const tags = { 'plimsoll-calculator': CalculatorTag, 'plimsoll-chart': ChartTag, 'plimsoll-compare': CompareTag };
  for (const [name, tag] of Object.entries(tags)) if (!customElements.get(name)) customElements.define(name, tag);
  defineProperties(PlimsollBytes.prototype);
  if (!customElements.get('plimsoll-bytes')) defineBytes(bring);
}
