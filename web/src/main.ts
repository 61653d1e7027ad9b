import { fetchedAssets } from './assets-fetched.ts';
import { useAssets } from './assets.ts';
import { defineApp } from './app.ts';
import { learn, preferred } from './i18n.ts';
import { offerCases } from './nearest-offered.ts';
import { offerHub } from './online.ts';

useAssets(fetchedAssets);
offerHub(() => import('./hub.ts'));
offerCases(() => import('./nearest-fetched.ts').then(({ fetchedCases }) => fetchedCases()));
// a page in English that turns into another language looks broken
void learn(preferred()).then(defineApp);
