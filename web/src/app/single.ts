import { inlinedAssets } from '../engine/assets-inlined.ts';
import { useAssets } from '../engine/assets.ts';
import { defineApp } from './app.ts';
import { nearest } from 'virtual:plimsoll-nearest-inlined';
import { type Nearest, offerCases } from '../answers/evidence/nearest-offered.ts';

useAssets(inlinedAssets);
offerCases(async () => JSON.parse(nearest) as Nearest);
defineApp();
