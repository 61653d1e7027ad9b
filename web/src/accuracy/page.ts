// What the views may read of the page of cases and ask of it. The element is one; the views know no other side of it.

import type { Format } from '../languages/format.ts';
import type { Texts } from '../languages/i18n.ts';
import type { Choice } from './choosing.ts';

export interface Page {
  readonly texts: Texts;
  readonly format: Format;
  /** Whether every group of the medians is shown. */
  readonly allGroups: boolean;
  showAllGroups(): void;
  /** Another choice begins on its first page. */
  choose(part: Partial<Choice>): void;
  turnTo(page: number): void;
}
