import { inlinedAssets } from './assets-inlined.ts';
import { useAssets } from './assets.ts';
import { defineApp } from './app.ts';

useAssets(inlinedAssets);
defineApp();
