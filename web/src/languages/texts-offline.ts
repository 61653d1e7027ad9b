// The texts of what keeps the page for when there is no network.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/offline.json', { eager: true, import: 'default' }));
