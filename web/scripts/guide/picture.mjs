// @ts-check
// A chapter's picture: bars of what the engine answered, or of the bits of numbers. Drawn when the page is built.

import { answered, read } from '../../src/embed/figure.mjs';
import { escaped } from './html.mjs';
import { colours } from './sources.mjs';

/** @typedef {import('./markdown.mjs').Context} Context */

const wide = 1000;

/** @param {{ width: number, colour: number }[]} parts in thousandths of the whole width */
function strip(parts) {
  let at = 0;
  const cells = parts.map(({ width, colour }) => {
    const cell = `<rect class="part c${colour}" x="${at.toFixed(2)}" width="${width.toFixed(2)}" height="22" />`;
    at += width;
    return cell;
  });
  return `<svg viewBox="0 0 ${wide} 22" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="${wide}" height="22" />${cells.join('')}</svg>`;
}

/** @param {string} label @param {string} figure @param {string} drawn */
const line = (label, figure, drawn) => `<div class="bar"><p><span>${escaped(label)}</span> <b>${figure}</b></p>${drawn}</div>`;

/** @param {{ colour: number, name: string }[]} entries */
export const legend = (entries) =>
  `<ul class="legend">${entries.map(({ colour, name }) => `<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="part c${colour}" width="10" height="10" /></svg> ${escaped(name)}</li>`).join('')}</ul>`;

/** Colours that rows without one of their own take in turn. */
export const spare = [1, 4, 6, 5, 7, 3, 2, 8, 9, 12];

/** Bars of requests: each bar has the same rows, of one phase where one is named. @param {any} drawn @param {Context} context @param {(figure: any, context: Context) => string} live */
function bars({ request, rows, bars: all }, context, live) {
  const { figures, estimate, language, words } = context;
  const own = colours();
  const phaseOf = (/** @type {any} */ bar) => (bar.phase ? `@${bar.phase}` : '');
  const measured = all.map((/** @type {any} */ bar) => {
    const asked = figures.request(bar.request ?? request, bar.with);
    const reply = answered(asked, estimate(asked));
    const there = rows.filter((/** @type {string} */ row) => reads(reply, row + phaseOf(bar)) !== 0);
    return { bar, asked, there, values: rows.map((/** @type {string} */ row) => reads(reply, row + phaseOf(bar))) };
  });
  const most = Math.max(
    ...measured.map((/** @type {any} */ { values }) => values.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0)),
  );
  const shown = rows.map((/** @type {string} */ row, /** @type {number} */ at) => {
    const id = /** @type {string} */ (row.split('/').at(-1));
    return { colour: own[row] || spare[at % spare.length], name: words[`row.${id}`] ?? words[`part.${id}`] ?? id };
  });
  const lines = measured.map((/** @type {any} */ { bar, asked, there, values }) => {
    const sum = there.map((/** @type {string} */ row) => row + phaseOf(bar)).join(' + ');
    const figure = live({ request: asked, row: sum, unit: 'GiB' }, context);
    const parts = values.map((/** @type {number} */ value, /** @type {number} */ at) => ({ width: (value / most) * wide, colour: shown[at].colour }));
    return line(bar[language], figure, strip(parts));
  });
  return lines.join('\n') + legend(shown);
}

/** What a row takes; none where the reply has no such row. @param {any} reply @param {string} row */
function reads(reply, row) {
  try {
    return read(reply, row);
  } catch {
    return 0;
  }
}

/** The bits of a number's type: sign, exponent, fraction, or the bits of an integer. @param {any} drawn @param {Context} context */
function bits({ bars: all }, { words, language }) {
  const most = Math.max(...all.map((/** @type {any} */ { bits: of }) => of.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0)));
  const kinds = [7, 6, 1, 4];
  const lines = all.map((/** @type {any} */ { bits: of, ...bar }) => {
    const parts = of.flatMap((/** @type {number} */ count, /** @type {number} */ at) =>
      Array.from({ length: count }, () => ({ width: wide / most, colour: kinds[at] ?? 8 })),
    );
    return line(bar[language], escaped(of.filter(Boolean).join(' + ')), strip(parts));
  });
  const names = ['sign', 'exponent', 'fraction', 'integer'].map((name, at) => ({
    colour: kinds[at] ?? 8,
    name: words[`guide.bits.${name}`] ?? name,
  }));
  return lines.join('\n') + legend(names);
}

/** @param {Context} context @param {(figure: any, context: Context) => string} live */
export function picture(context, live) {
  const drawn = context.figures.picture;
  const body = drawn.kind === 'bits' ? bits(drawn, context) : bars(drawn, context, live);
  return `<figure class="picture"><figcaption>${escaped(drawn.caption[context.language])}</figcaption>${body}</figure>\n`;
}
