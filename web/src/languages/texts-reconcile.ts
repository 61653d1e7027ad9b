// The texts of what a tool printed: the box and its parts.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/reconcile.json', { eager: true, import: 'default' }));
