// dist/plimsoll-calculator.js: one script tag, then <plimsoll-calculator> anywhere in the page.

import { inlinedAssets } from './assets-inlined.ts';
import { useAssets } from './assets.ts';
import { defineElement } from './element.ts';

useAssets(inlinedAssets);
defineElement();
