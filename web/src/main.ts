import { defineApp } from './app.ts';
import { fetchedAssets } from './assets-fetched.ts';
import { useAssets } from './assets.ts';
import { bringTexts, offerTexts } from './i18n.ts';
import { offerHub } from './online.ts';
import { languageOf } from './state.ts';

useAssets(fetchedAssets);
offerHub(() => import('./hub.ts'));
offerTexts({ en: () => import('./locales/en.json'), 'zh-CN': () => import('./locales/zh-CN.json') });

// The engine and the presets are on their way while the words are fetched.
void fetchedAssets.first?.();
void fetchedAssets.tables();
void bringTexts(languageOf(location.hash)).then(defineApp);
