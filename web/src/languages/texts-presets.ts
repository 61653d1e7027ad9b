// What presets say in other languages, for the pages that show presets: it comes with the language.

import { addPresetTexts, type PresetTexts } from './i18n.ts';

addPresetTexts(import.meta.glob<PresetTexts>('./*/presets.json', { import: 'default' }));
