// @ts-check
// Lanes and legends as pages carry them: of pictures that stand, and of scenes.

import { placesOf, plain, sizes } from '../../src/guide/scenes/stage.mjs';
import { attributes, escaped } from './html.mjs';

/** Colours that rows without one of their own take in turn. */
export const spare = [1, 4, 6, 5, 7, 3, 2, 8, 9, 12];

/** @param {{ colour: number, name: string }[]} entries */
export const legend = (entries) =>
  `<ul class="legend">${entries.map(({ colour, name }) => `<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="part c${colour}" width="10" height="10" /></svg> ${escaped(name)}</li>`).join('')}</ul>`;

/** What stands above a lane, and the lane. @param {string} label @param {string} figure as HTML @param {string} drawn */
export const line = (label, figure, drawn) => `<div class="bar" data-lane><p><span>${escaped(label)}</span> <b>${figure}</b></p>${drawn}</div>`;

/** @param {import('../../src/guide/scenes/scene.mjs').Lane} lane @param {import('../../src/guide/scenes/stage.mjs').Scale} most @param {Record<string, number>} colour of each row */
export function lane(lane, most, colour) {
  const { width, height } = lane.columns ? sizes.standing : sizes.lying;
  const parts = lane.stacks.flat();
  const rects = placesOf(lane, most).map((place, at) => {
    const lies = Object.fromEntries(Object.entries(place).map(([key, value]) => [key, plain(value)]));
    return `<rect${attributes({ class: `part c${colour[parts[at]?.row ?? '']}`, ...lies })} />`;
  });
  const svg = { viewBox: `0 0 ${width} ${height}`, class: lane.columns ? 'standing' : undefined, preserveAspectRatio: 'none', 'aria-hidden': 'true' };
  return `<svg${attributes(svg)}><rect class="ground" width="${width}" height="${height}" />${rects.join('')}</svg>`;
}
