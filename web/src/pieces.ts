// The chart of memory and the commands that start a runtime: what later.ts brings in when a fold opens.

import './texts-later.ts';
import { defineCurve } from './views/curve.ts';
import { defineLaunch } from './views/launch.ts';

defineCurve();
defineLaunch();
