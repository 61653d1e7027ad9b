// What later.ts brings in when the training tab opens: its form, and what is told of a training alone.

import '../languages/texts-later.ts';

export { withoutOtherFrameworks } from '../state/layout.ts';
export { clusterView } from '../views/charts/cluster.ts';
export { contributorsView } from '../views/answer/contributors.ts';
export { stepsView } from '../views/charts/steps.ts';
export { trainersView } from '../views/copying/trainers.ts';
export { trainingForm } from '../views/form/training-form.ts';
