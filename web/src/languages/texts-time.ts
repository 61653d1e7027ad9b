// The texts of how long passes take.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/time.json', { eager: true, import: 'default' }));
