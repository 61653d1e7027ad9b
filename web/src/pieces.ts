// What later.ts brings in.

import { defineCurve } from './views/curve.ts';
import { defineLaunch } from './views/launch.ts';

defineCurve();
defineLaunch();
