// Logs whose text states model and settings, as tests/measured/logs.jsonl has them: the request that the settings make is asked, and each
// figure is held against ours as `plimsoll reconcile` does it.

import { againstOf, compared } from '../../../web/src/reconcile/comparing.mjs';
import { withoutWeights } from '../../../web/src/reconcile/reconciling.mjs';
import { requested } from '../../../web/src/reconcile/requesting.mjs';
import { preset, schema, store } from '../../../web/src/node/presets.mjs';

let known;
const catalog = () => (known ??= { models: store.presets('models'), encodings: store.ids('encodings') });

const against = againstOf(schema('reconcile_reply.json'));

export const isPrinted = (row) => 'example' in row || ('tool' in row && 'figures' in row && 'settings' in row);

/** Half of the last digit, which the printed figures leave open, as a part of their sum. */
const roundingOf = (figures) => {
  const sum = (part) => figures.reduce((all, one) => all + part(one), 0);
  const truth = sum(({ bytes, value }) => bytes ?? value);
  return { truth, tolerance: truth > 0 ? Math.max(sum(({ high }) => high) - truth, truth - sum(({ low }) => low), 0) / truth : 0 };
};

/** One figure, or several buffers of one place together. */
function figureOf(one, { figures }) {
  const all = [one.figure, ...(one.with ?? [])].map((at) => figures[at]);
  const [{ counter, bytes }] = all;
  const { difference, unexplained, ours } = one;
  return {
    metric: counter.replaceAll('_', ' '),
    ...roundingOf(all),
    answer: ours.bytes,
    low: ours.low,
    high: ours.high,
    unit: bytes === undefined ? 'tokens' : 'bytes',
    difference,
    left: unexplained,
  };
}

/** A figure of an article's run, where `path` has ours. */
function ofTheExample(name) {
  const { request, compare } = preset('examples', name);
  const printed = compare.filter(({ article, ours }) => article?.value !== undefined && ours?.path && !ours.with);
  return {
    engine: 'an article',
    requests: [request],
    compare: (reply) =>
      printed.map(({ what, article, ours: { path, per } }) => {
        const answer = path.split('/').reduce((at, step) => at?.[step] ?? at?.find?.(({ phase }) => phase === step), reply);
        const [truth, digits] = [article.value * per, String(article.value).split('.')[1]?.length ?? 0];
        const tolerance = (0.5 * 10 ** -digits * per) / truth;
        return {
          metric: `${what.split(' ')[0].toLowerCase()} after a phase`,
          truth,
          answer,
          low: answer,
          high: answer,
          tolerance,
          difference: truth - answer,
          left: truth - answer,
        };
      }),
  };
}

/** @param {object} row */
export function printedCase(row) {
  if (row.example) return ofTheExample(row.example);
  const { request } = requested(row, catalog());
  const engine = row.tool;
  if (!request.model) return { engine, reason: 'no preset is called as its model' };
  const sure = request.weights ? against : withoutWeights(against);
  return {
    engine,
    requests: [{ ...request, explain: 'rows' }],
    compare: (reply) => {
      const found = compared(row.figures, reply, sure, row.tool, row.settings).map((one) => figureOf(one, row));
      return found.length > 0 ? found : [{ metric: 'total for any figure of the log', answer: undefined }];
    },
  };
}
