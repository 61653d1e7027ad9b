// The page of measured cases, one file: it opens from disk as from a server, and asks for nothing.

import { board } from 'virtual:plimsoll-evidence';
import { defineAccuracy } from '../accuracy/element.ts';
import { addTexts, learn, preferred } from '../languages/i18n.ts';

addTexts(import.meta.glob<Record<string, string>>('../languages/*/accuracy.json', { eager: true, import: 'default' }));
void learn(preferred()).then(() => defineAccuracy(JSON.parse(board)));
