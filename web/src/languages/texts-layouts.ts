// The texts of the search over layouts.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/layouts.json', { eager: true, import: 'default' }));
