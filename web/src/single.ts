import { inlinedAssets } from './assets-inlined.ts';
import { useAssets } from './assets.ts';
import { defineApp } from './app.ts';
import { nearest } from 'virtual:plimsoll-nearest-inlined';
import { type Nearest, offerCases } from './nearest-offered.ts';

useAssets(inlinedAssets);
offerCases(async () => JSON.parse(nearest) as Nearest);
defineApp();
