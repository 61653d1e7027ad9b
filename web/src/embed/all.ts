// dist/plimsoll-calculator.all.js: the tags with everything they need, in one script.

import { live } from './live/live.ts';
import { defineTags } from './tags.ts';

defineTags(() => Promise.resolve(live));
