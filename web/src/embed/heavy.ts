// dist/plimsoll-engine.js: what the loader brings, once for all tags of a page.

import { live } from './live/live.ts';

window.plimsollLive = live;
