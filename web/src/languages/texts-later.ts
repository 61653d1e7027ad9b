// The texts of the pieces that come later: each of those imports this.

import { addTexts } from './i18n.ts';
import en from '../locales-later/en.json';
import zh from '../locales-later/zh-CN.json';

addTexts({ en, 'zh-CN': zh });
