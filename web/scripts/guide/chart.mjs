// @ts-check
// A chart of the engine's, as <plimsoll-chart>. What stands within the tag is read on paper, without a script, and until the engine
// has come: the same numbers as a list.

import { answered, changed } from '../../src/embed/figure.mjs';
import { attributes, escaped } from './html.mjs';

/** @typedef {import('./markdown.mjs').Context} Context */
/** @typedef {{ kind: 'bar' | 'curve', request: any, caption: Record<string, string>, points?: number[] | undefined }} Chart points: the lengths that are written where nothing is drawn */

/** What is varied by a curve, by the task. @type {Record<string, string>} */
const lengths = { inference: 'context', training: 'sequence' };

/** @param {string} label @param {string} figure as HTML */
const entry = (label, figure) => `<li>${escaped(label)} ${figure}</li>`;

/** What a chart says, in words. @param {Chart} chart @param {Context} context @param {(figure: any, context: Context) => string} live */
function said({ kind, request, points = [] }, context, live) {
  const { words, language, estimate } = context;
  if (kind === 'bar') {
    const { rows } = answered(request, estimate(request));
    const there = rows.filter((/** @type {any} */ { bytes }) => bytes > 0);
    return there.map((/** @type {any} */ { id }) => entry(words[`row.${id}`] ?? id, live({ request, row: id, unit: 'GiB' }, context)));
  }
  const number = new Intl.NumberFormat(language);
  return points.map((length) => {
    const asked = { ...request, [request.task]: { ...request[request.task], [lengths[request.task] ?? '']: length } };
    const label = words['scene.tokens']?.replace('{count}', number.format(length)) ?? '';
    return entry(label, live({ request: asked, row: 'total/device', unit: 'GiB' }, context));
  });
}

/** @param {Chart} chart @param {Context} context @param {(figure: any, context: Context) => string} live */
export function chart({ kind, request, caption, points }, context, live) {
  const list = `<ul class="written">${said({ kind, request, caption, points }, context, live).join('')}</ul>`;
  const asked = changed(request, { explain: null });
  return `<figure class="chart"><figcaption>${escaped(caption[context.language])}</figcaption><plimsoll-chart${attributes({ kind, request: asked })}>${list}</plimsoll-chart></figure>\n`;
}
