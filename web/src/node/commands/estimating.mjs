// `plimsoll estimate`: requests from files, standard input and options, each answered in its place.

import { beside } from '../../answers/beside.mjs';
import { shownAll } from '../../files/shown.mjs';
import { load } from '../engine.mjs';
import { parsed } from '../output/json.mjs';
import { htmlOf } from '../output/html.mjs';
import { errorText, reportText } from '../output/report.mjs';
import { csvHead, csvOf, markdownOf } from '../output/sheet.mjs';
import { presets } from '../presets.mjs';
import { fieldsOf, questionOf, solveText } from './answering.mjs';
import { besideLines } from './beside.mjs';
import { modelOf } from './models.mjs';
import { requestOptions } from './options.mjs';
import { err, lookOf, once, opened, out, outJson, print } from './printing.mjs';
import { alone, requestsOf } from './requests.mjs';
import { UsageError } from './usage.mjs';

const shortForms = requestOptions.flatMap((group) => group.options);

function printRequests(requests) {
  for (const request of requests) {
    if (request.error) err(`plimsoll: ${errorText(shownAll(request.error))}`);
    else outJson(request.text);
  }
  return requests.some((request) => request.error) ? 1 : 0;
}

/** Whether a reply says that what was asked does not run as asked. */
const doesNotFit = ({ fit, value }) => value === null || ['too large', 'waits', 'does not start'].includes(fit?.verdict);

/** The search that stands in for an estimate. */
function solved(engine, text, fields, flags) {
  const request = parsed(text);
  return request === undefined ? engine.ask('solve', text) : engine.ask('solve', JSON.stringify(questionOf(request, fields, flags)));
}

/** How a reply is written: `at` counts the requests from 0. @returns {(reply: object, text: string, at: number) => string} */
function writerOf(engine, flags, look) {
  if (flags.find) return (reply) => solveText(reply, look);
  if (flags.csv) return (reply, _, at) => csvOf(reply, at + 1);
  if (flags.markdown) return (reply) => markdownOf(reply, look.unit);
  if (flags.html) return (reply, text) => htmlOf(reply, text, look.unit);
  const solve = (question) => engine.solve(question);
  return (reply, text) => reportText(reply, look, besideLines(beside(solve, parsed(text), reply, presets('devices')), reply, look), flags);
}

/** What has to be said before any file is read. */
function checked(files, chosen, flags) {
  if (files.length === 0 && ![...chosen.keys()].some((option) => shortForms.includes(option))) {
    throw new UsageError('estimate needs a request: a file, - for standard input, or options such as --model', 'estimate');
  }
  if (flags.model !== undefined && flags.hub !== undefined) throw new UsageError('--model and --hub both name a model', 'estimate');
  const forms = ['json', 'csv', 'markdown', 'html'].filter((form) => flags[form]);
  if (forms.length > 1) throw new UsageError(`--${forms[0]} and --${forms[1]} are two forms of one answer`, 'estimate');
  for (const name of ['price', 'power']) {
    if (flags[name] === undefined) continue;
    if (!(flags[name] > 0)) throw new UsageError(`--${name} is above 0`, 'estimate');
    if (forms.length > 0 || flags.find) throw new UsageError(`--${name} is answered as text, beside --time`, 'estimate');
  }
  if (flags.find && (flags.csv || flags.markdown || flags.html))
    throw new UsageError('a search (--find) is answered as text or with --json', 'estimate');
}

/** Answers each request in its place. @returns {{answered: number, tooLarge: boolean}} */
function answerAll(requests, ask, write, flags) {
  let answered = 0;
  let tooLarge = false;
  for (const [at, request] of requests.entries()) {
    const { text, error } = request.error ? request : alone(() => ({ text: ask(request.text) }));
    if (at > 0 && !flags.json && !flags.csv) out('');
    if (print(text ?? JSON.stringify(error), flags.json, (reply) => write(reply, request.text, at), request.text)) ++answered;
    if (flags['fail-if-too-large'] && text !== undefined) tooLarge = doesNotFit(parsed(text)) || tooLarge;
  }
  return { answered, tooLarge };
}

/** @param {string[]} argv @returns {Promise<number>} the exit status */
export async function estimate(argv) {
  const { files, chosen, flags, done } = opened('estimate', argv);
  if (done) return 0;
  checked(files, chosen, flags);
  const look = lookOf(flags, 'estimate');
  const fields = flags.find && fieldsOf(flags.find);
  const engineOnce = once(load);
  const named = await modelOf(flags, engineOnce);
  const requests = requestsOf(files, chosen, { explain: flags.explain ? 'all' : undefined, named });
  if (flags['print-request']) return printRequests(requests);
  if (flags.html && requests.some(({ text }) => parsed(text ?? '')?.task === 'classic'))
    throw new UsageError("the hosted calculator's arithmetic (task classic) has no tag", 'estimate');
  const engine = await engineOnce();
  const ask = fields ? (text) => solved(engine, text, fields, flags) : (text) => engine.ask('estimate', text);
  if (flags.csv) out(csvHead);
  const { answered, tooLarge } = answerAll(requests, ask, writerOf(engine, flags, look), flags);
  if (answered < requests.length) return 1;
  return tooLarge ? 3 : 0;
}
