// The page of measured cases, one file: it opens from disk as from a server, and asks for nothing.

import { board } from 'virtual:plimsoll-evidence';
import { defineAccuracy } from '../accuracy/element.ts';
import { addTexts, learn, preferred } from '../languages/i18n.ts';
import en from '../locales-accuracy/en.json';
import zh from '../locales-accuracy/zh-CN.json';

addTexts({ en, 'zh-CN': zh });
void learn(preferred()).then(() => defineAccuracy(JSON.parse(board)));
