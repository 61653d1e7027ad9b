import { fetchedAssets } from './assets-fetched.ts';
import { useAssets } from './assets.ts';
import { defineApp } from './app.ts';
import { offerHub } from './online.ts';

useAssets(fetchedAssets);
offerHub(() => import('./hub.ts'));
defineApp();
