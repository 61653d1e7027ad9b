// All languages inside: for what asks no server.

import { haveTexts } from './i18n.ts';
import en from './locales/en.json';
import zh from './locales/zh-CN.json';

haveTexts('en', en);
haveTexts('zh-CN', zh);
