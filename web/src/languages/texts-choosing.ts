// The texts of what helps to choose: each of those pieces imports this.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/choosing.json', { eager: true, import: 'default' }));
