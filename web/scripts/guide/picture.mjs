// @ts-check
// A chapter's picture: bars of what the engine answers, or of the bits of numbers. The build draws it; bars of answers are laid anew in the
// page (web/src/guide/pictures.ts).

import { answered } from '../../src/embed/figure.mjs';
import { barsOf, rowsOf } from '../../src/guide/scenes/bars.mjs';
import { largest } from '../../src/guide/scenes/stage.mjs';
import { attributes, escaped } from './html.mjs';
import { lane, legend, line, spare } from './lane.mjs';
import { colours } from './sources.mjs';

/** @typedef {import('./markdown.mjs').Context} Context */

/** Bars of requests: each bar has the same rows, of one phase where one is named. @param {any} drawn @param {Context} context @param {(figure: any, context: Context) => string} live */
function bars({ request, rows, bars: all }, context, live) {
  const { figures, estimate, language, words } = context;
  const requests = all.map((/** @type {any} */ bar) => figures.request(bar.request ?? request, bar.with));
  const asked = { requests, rows, phases: all.map((/** @type {any} */ { phase }) => phase ?? null) };
  const lanes = barsOf(
    asked,
    requests.map((/** @type {any} */ one) => answered(one, estimate(one))),
  );
  const own = colours();
  const shown = rows.map((/** @type {string} */ row, /** @type {number} */ at) => {
    const id = /** @type {string} */ (row.split('/').at(-1));
    return { row, colour: own[row] || spare[at % spare.length], name: words[`row.${id}`] ?? words[`part.${id}`] ?? id };
  });
  const colour = Object.fromEntries(shown.map((/** @type {any} */ { row, colour: one }) => [row, one]));
  const most = largest([{ lanes }]);
  const lines = lanes.map((one, at) => {
    const there = rowsOf(asked, at).filter((_, place) => one.stacks[0]?.[place]?.amount !== 0);
    return line(all[at][language], live({ request: requests[at], row: there.join(' + '), unit: 'GiB' }, context), lane(one, most, colour));
  });
  return { body: lines.join('\n') + legend(shown), asked };
}

/** The bits of a number's type: sign, exponent, fraction, or the bits of an integer. @param {any} drawn @param {Context} context */
function bits({ bars: all }, { words, language }) {
  const names = ['sign', 'exponent', 'fraction', 'integer'];
  const colour = { sign: 7, exponent: 6, fraction: 1, integer: 4 };
  const lanes = all.map((/** @type {any} */ { bits: of }) => ({
    id: '',
    stacks: [
      of.flatMap((/** @type {number} */ count, /** @type {number} */ at) => Array.from({ length: count }, () => ({ row: names[at], amount: 1 }))),
    ],
  }));
  const most = largest([{ lanes }]);
  const lines = all.map((/** @type {any} */ bar, /** @type {number} */ at) =>
    line(bar[language], escaped(bar.bits.filter(Boolean).join(' + ')), lane(lanes[at], most, colour)),
  );
  const entries = Object.entries(colour).map(([name, one]) => ({ colour: one, name: words[`guide.bits.${name}`] ?? name }));
  return lines.join('\n') + legend(entries);
}

/** @param {Context} context @param {(figure: any, context: Context) => string} live */
export function picture(context, live) {
  const drawn = context.figures.picture;
  const { body, asked } = drawn.kind === 'bits' ? { body: bits(drawn, context), asked: undefined } : bars(drawn, context, live);
  const marks = attributes({ class: `picture${drawn.kind === 'bits' ? ' bits' : ''}`, 'data-picture': asked });
  return `<figure${marks}><figcaption>${escaped(drawn.caption[context.language])}</figcaption>${body}</figure>\n`;
}
