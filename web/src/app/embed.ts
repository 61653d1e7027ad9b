// dist/plimsoll-calculator.js: one script tag, then <plimsoll-calculator> anywhere in the page.

import { inlinedAssets } from '../engine/assets-inlined.ts';
import { useAssets } from '../engine/assets.ts';
import { defineElement } from './element.ts';

useAssets(inlinedAssets);
defineElement();
