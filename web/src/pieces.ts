// The chart of memory, the commands that start a runtime, and the measured cases near an answer: what later.ts brings in when a fold opens.

import './texts-later.ts';
import { defineCurve } from './views/curve.ts';
import { defineEvidence } from './views/evidence.ts';
import { defineLaunch } from './views/launch.ts';

defineCurve();
defineEvidence();
defineLaunch();
