import { fetchedAssets } from '../engine/assets-fetched.ts';
import { useAssets } from '../engine/assets.ts';
import { nextTask } from '../engine/pauses.ts';
import { defineApp } from './app.ts';
import { learn, preferred } from '../languages/i18n.ts';
import { offerCases } from '../answers/evidence/nearest-offered.ts';
import { offerGuide, offerHub, offerKeeping } from '../state/online.ts';

useAssets(fetchedAssets);
offerHub(() => import('../state/arriving/hub.ts'));
offerGuide();
if ('serviceWorker' in navigator) offerKeeping(() => import('./offline/page.ts'));
offerCases(() => import('../answers/evidence/nearest-fetched.ts').then(({ fetchedCases }) => fetchedCases()));
// a page in English that turns into another language looks broken
void learn(preferred()).then(nextTask).then(defineApp);
