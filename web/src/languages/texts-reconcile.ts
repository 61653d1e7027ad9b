// The texts of what a tool printed: the box and its parts, and how to measure it.

import { addTexts } from './i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('./*/reconcile.json', { eager: true, import: 'default' }));
addTexts(import.meta.glob<Record<string, string>>('./*/measuring.json', { eager: true, import: 'default' }));
