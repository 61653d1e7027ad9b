// The chart of memory, the commands that start a runtime, and the measured cases near an answer: what later.ts brings in when a fold opens.

import '../languages/texts-later.ts';
import { defineCurve } from '../views/charts/curve.ts';
import { defineEvidence } from '../views/answer/evidence.ts';
import { defineLaunch } from '../views/copying/launch.ts';

defineCurve();
defineEvidence();
defineLaunch();
