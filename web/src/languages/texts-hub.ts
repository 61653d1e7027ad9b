// The texts of fetching a model by its name.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/hub.json', { eager: true, import: 'default' }));
