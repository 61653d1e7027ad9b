import { fetchedAssets } from '../engine/assets-fetched.ts';
import { useAssets } from '../engine/assets.ts';
import { nextTask } from '../engine/pauses.ts';
import { defineApp } from './app.ts';
import { learn, preferred } from '../languages/i18n.ts';
import { offerCases } from '../accuracy/evidence/nearest-offered.ts';
import { offerHub, offerKeeping } from './online.ts';

useAssets(fetchedAssets);
offerHub(() => import('../files/hub.ts'));
if ('serviceWorker' in navigator) offerKeeping(() => import('./offline/page.ts'));
offerCases(() => import('../accuracy/evidence/nearest-fetched.ts').then(({ fetchedCases }) => fetchedCases()));
// a page in English that turns into another language looks broken
void learn(preferred()).then(nextTask).then(defineApp);
