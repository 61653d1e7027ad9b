// The texts of the pieces that come later: each of those imports this.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/later.json', { eager: true, import: 'default' }));
