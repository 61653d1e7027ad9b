// What later.ts brings in when the training tab opens: its form.

import './texts-later.ts';

export { trainingForm } from './views/training-form.ts';
