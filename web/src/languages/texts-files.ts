// The texts of a model's files: what they hold, and what is wrong with them.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/files.json', { eager: true, import: 'default' }));
