// @ts-check
// A picture of the guide that moves: frames read off the engine's replies. The build draws them still, the page plays them, and
// the tests read both; so a kind of scene is a function from replies to frames, and nothing else.

import { written } from '../../embed/figure.mjs';
import { allocator } from './kinds/allocator.mjs';
import { appear } from './kinds/appear.mjs';
import { gather } from './kinds/gather.mjs';
import { layers } from './kinds/layers.mjs';
import { moments } from './kinds/moments.mjs';
import { pages } from './kinds/pages.mjs';
import { readings } from './kinds/readings.mjs';
import { segments } from './kinds/segments.mjs';
import { settings } from './kinds/settings.mjs';
import { sum } from './kinds/sum.mjs';
import { window } from './kinds/window.mjs';

/** @typedef {{ row: string, amount: number, of?: string }} Part amount: bytes, or what else the lane counts; of: the expression of figure.mjs that it was read by */
/** @typedef {{ id: string, columns?: boolean, stacks: Part[][], bytes?: number, tokens?: number }} Lane one stack lying down, or many standing side by side; what it comes to is written above */
/** @typedef {{ bytes: number } | { count: number } | { word: string } | string} Value */
/** @typedef {{ say: { key: string, values: Record<string, Value> }, lanes: Lane[] }} Frame every frame of a scene has the same lanes with as many parts */
/** @typedef {{ kind: string, requests: any[], names?: string[], rows?: string[], phase?: string, phases?: string[], rule?: number }} Scene names: what each request shows, in the reader's language */

/** @type {Record<string, (scene: Scene, replies: any[]) => Frame[]>} */
export const kinds = { allocator, appear, gather, layers, moments, pages, readings, segments, settings, sum, window };

/** The frames of a scene. @param {Scene} scene @param {any[]} replies to its requests, in their order @returns {Frame[]} */
export function framesOf(scene, replies) {
  for (const { error } of replies) if (error) throw new Error(`${error.where}: ${error.what}`);
  const kind = kinds[scene.kind];
  if (!kind) throw new Error(`no kind of scene is called ${scene.kind}`);
  return kind(
    scene,
    replies.map((reply, at) => ({ ...reply, request: scene.requests[at] })),
  );
}

/** Which frames stand for all where nothing moves: the first, the last, and others between them. @param {number} count @param {number} [most] */
export function stillsOf(count, most = 6) {
  if (count <= most) return Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: most }, (_, at) => Math.round((at * (count - 1)) / (most - 1)));
}

/** The fullest frame, which stands until a reader plays: what frames have in lanes without free parts. @param {Frame[]} frames */
export function fullestOf(frames) {
  const full = frames.map(({ lanes }) =>
    lanes.flatMap(({ stacks }) => stacks.flat()).reduce((all, { row, amount: of }) => (row === 'free' ? all : all + of), 0),
  );
  return full.indexOf(Math.max(...full));
}

/** Bytes in the unit that leaves the fewest zeros. @param {number} value @param {string} language */
export function amount(value, language) {
  const unit = value >= 2 ** 30 ? 'GiB' : value >= 2 ** 20 ? 'MiB' : value >= 2 ** 10 ? 'KiB' : 'bytes';
  return written({ request: null, row: '', unit }, value, language);
}

/** @param {Value} value @param {Record<string, string>} words @param {string} language */
function told(value, words, language) {
  if (typeof value === 'string') return value;
  if ('word' in value) return words[value.word] ?? value.word;
  if ('count' in value) return written({ request: null, row: '', unit: 'count' }, value.count, language);
  return amount(value.bytes, language);
}

/** What a frame says, in words. @param {Frame} frame @param {Record<string, string>} words @param {string} language */
export const sentence = ({ say }, words, language) =>
  Object.entries(say.values).reduce((text, [hole, value]) => text.replaceAll(`{${hole}}`, told(value, words, language)), words[say.key] ?? say.key);

/** Texts that a scene needs: those of its sentences, lanes and parts. @param {Frame[]} frames @param {Record<string, string>} all */
export function wordsIn(frames, all) {
  const values = frames.flatMap(({ say }) => Object.values(say.values));
  const keys = [
    ...frames.map(({ say }) => say.key),
    ...values.flatMap((value) => (typeof value === 'object' && 'word' in value ? [value.word] : [])),
    ...frames.flatMap(({ lanes }) => lanes.map(({ id }) => laneKey(id, all))),
    'scene.tokens',
  ];
  return Object.fromEntries([...new Set(keys)].flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])));
}

/** What a lane is called by. @param {string} id @param {Record<string, string>} words */
export const laneKey = (id, words) => [`scene.lane.${id}`, `row.${id}`, `part.${id}`].find((key) => words[key] !== undefined) ?? id;

/** What stands above a lane, at its end. @param {Lane} lane @param {Record<string, string>} words @param {string} language */
export function figureOf({ bytes, tokens }, words, language) {
  if (tokens !== undefined) return (words['scene.tokens'] ?? '').replace('{count}', told({ count: tokens }, words, language));
  return bytes === undefined ? '' : amount(bytes, language);
}
