// dist/plimsoll-calculator.js: one small script tag, then <plimsoll-calculator> and its kin anywhere in the page.

import { bring } from './bring.ts';
import { defineTags } from './tags.ts';

defineTags(bring);
