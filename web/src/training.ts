// What later.ts brings in when the training tab opens: its form, and what is told of a training alone.

import './texts-later.ts';

export { withoutOtherFrameworks } from './layout.ts';
export { clusterView } from './views/cluster.ts';
export { contributorsView } from './views/contributors.ts';
export { stepsView } from './views/steps.ts';
export { trainersView } from './views/trainers.ts';
export { trainingForm } from './views/training-form.ts';
