// @ts-check
// A scene as a page carries it: a stage that the script plays, and stills of it for who wants no motion, has no script, or prints.

import { figureOf, framesOf, fullestOf, laneKey, sentence, stillsOf, wordsIn } from '../../src/guide/scenes/scene.mjs';
import { largest } from '../../src/guide/scenes/stage.mjs';
import { attributes, escaped } from './html.mjs';
import { lane, legend, line, spare } from './lane.mjs';
import { colours } from './sources.mjs';

/** @typedef {import('./markdown.mjs').Context} Context */
/** @typedef {import('../../src/guide/scenes/scene.mjs').Frame} Frame */

/** A colour for each row; what is free has none. @param {Frame[]} frames */
function colouring(frames) {
  const own = colours();
  const rows = [...new Set(frames[0]?.lanes.flatMap(({ stacks }) => stacks.flat().map(({ row }) => row)))];
  const taken = new Set(rows.map((row) => own[row]).filter(Boolean));
  const left = spare.filter((colour) => !taken.has(colour));
  return Object.fromEntries(rows.map((row, at) => [row, row === 'free' ? 0 : own[row] || (left[at % left.length] ?? 8)]));
}

/** @param {Frame} frame @param {import('../../src/guide/scenes/stage.mjs').Scale} most @param {Record<string, number>} colour @param {Context} context */
const lanes = (frame, most, colour, { words, language }) =>
  frame.lanes.map((one) => line(words[laneKey(one.id, words)] ?? one.id, escaped(figureOf(one, words, language)), lane(one, most, colour))).join('');

/** @param {Record<string, string>} words @param {number} rests where the stage stands @param {number} count */
function controls(words, rests, count) {
  const button = (/** @type {string} */ name, /** @type {string} */ text) => `<button type="button" data-do="${name}">${escaped(text)}</button>`;
  const play = `<button${attributes({ type: 'button', 'data-do': 'play', 'data-play': words['scene.play'], 'data-pause': words['scene.pause'] })}>${escaped(words['scene.play'])}</button>`;
  const at = `<span${attributes({ 'data-at': rests, 'data-text': words['scene.at'] })}>${escaped(words['scene.at']?.replace('{at}', String(rests + 1)).replace('{all}', String(count)))}</span>`;
  return `<div class="controls" role="group"${attributes({ 'aria-label': words['scene.controls'] })}>${play}${button('back', words['scene.back'] ?? '')}${button('step', words['scene.step'] ?? '')} ${at}</div>`;
}

/** Names of rows as the legend has them: of a scene of one kind of thing there is none. @param {Record<string, number>} colour @param {Frame[]} frames @param {any} scene @param {Context} context */
function legendOf(colour, frames, scene, { words }) {
  const there = new Set(
    frames.flatMap(({ lanes: all }) => all.flatMap(({ stacks }) => stacks.flat().flatMap(({ row, amount }) => (amount > 0 ? [row] : [])))),
  );
  const entries = Object.entries(colour).filter(([row, one]) => one > 0 && there.has(row));
  if (scene.legend === false || entries.length < 2) return '';
  const nameOf = (/** @type {string} */ row) => words[`row.${row.split('/').at(-1)}`] ?? words[`part.${row.split('/').at(-1)}`] ?? row;
  return legend(entries.map(([row, one]) => ({ colour: one, name: nameOf(row) })));
}

/** @param {string} name @param {Context} context */
export function sceneHtml(name, context) {
  const { words, language, estimate, figures } = context;
  const { scene, caption, drawn: options } = figures.scene(name, language);
  const frames = framesOf(scene, scene.requests.map(estimate));
  const most = largest(frames);
  const colour = colouring(frames);
  const at = fullestOf(frames);
  const rests = /** @type {Frame} */ (frames[at]);
  const stills = stillsOf(frames.length)
    .map((at) => {
      const frame = /** @type {Frame} */ (frames[at]);
      return `<li data-frame="${at}"><p data-say>${escaped(sentence(frame, words, language))}</p>${lanes(frame, most, colour, context)}</li>`;
    })
    .join('\n');
  const data = { ...scene, words: wordsIn(frames, words) };
  return `<figure class="picture scene"${attributes({ 'data-scene': data })}><figcaption>${escaped(caption)}</figcaption>
<div class="stage">${controls(words, at, frames.length)}<p class="said" data-say>${escaped(sentence(rests, words, language))}</p>${lanes(rests, most, colour, context)}</div>
<ol class="stills">${stills}</ol>${legendOf(colour, frames, options, context)}</figure>\n`;
}
