// guide/engine.js: the whole engine with its presets, for figures that are answered as they are read.

import { answers } from '../embed/live/asked.ts';

window.plimsollGuide = answers;
