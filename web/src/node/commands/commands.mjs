// One function per command: words in, exit status out. Replies go to standard output; in a table's stead an error goes to standard error.

import { compareText, comparing, fitText, fitting, fieldsOf, questionOf, solveText } from './answering.mjs';
import { parse, settings } from './args.mjs';
import { load } from '../engine.mjs';
import { helpText } from './help.mjs';
import { didYouMean } from './hints.mjs';
import { inspectText } from '../output/inspection.mjs';
import { listable, listJson, listText } from './listing.mjs';
import { finder, inspected, modelOf } from './models.mjs';
import { failOption, formOptions, hubOptions, outputOptions, requestOptions, searchOptions } from './options.mjs';
import { errorText, reportText } from '../output/report.mjs';
import { alone, errorReply, requestsOf } from './requests.mjs';
import { parsedShown, shown, shownAll, shownJson } from '../../files/shown.mjs';
import { parsed } from '../output/json.mjs';
import { counting } from '../output/progress.mjs';
import { styleFor } from '../output/style.mjs';
import { sweepText } from './sweeping.mjs';
import { units } from '../output/units.mjs';
import { UsageError, unknown } from './usage.mjs';

const shortForms = requestOptions.flatMap((group) => group.options);
const json = outputOptions.filter((option) => option.name === 'json' || option.name === 'help');
const tables = outputOptions.filter((option) => option.name !== 'explain');

const out = (text) => process.stdout.write(`${text}\n`);
const outJson = (json) => out(shownJson(json));
const err = (text) => process.stderr.write(`${text}\n`);

/** Prints one reply, as it came or as text. @returns {boolean} whether it was an answer */
function print(text, asJson, write, request = '') {
  const reply = parsedShown(text);
  if (asJson) outJson(text);
  else if (reply.error) err(`plimsoll: ${errorText(reply)}${didYouMean(request, reply)}`);
  else out(write(reply));
  return !reply.error;
}

/** The engine is loaded when something asks for it first. */
function once(make) {
  let made;
  return () => (made ??= make());
}

function lookOf({ unit = 'GiB' }, command) {
  if (!units.includes(unit)) throw unknown('unit', unit, units, command);
  return { unit, style: styleFor(process.stdout) };
}

/** Parses a command's words; answers --help itself. */
function opened(command, argv, options) {
  const { files, chosen } = parse(command, argv, options);
  const flags = settings(chosen);
  if (flags.help) out(helpText(command));
  return { files, chosen, flags, done: Boolean(flags.help) };
}

async function estimate(argv) {
  const { files, chosen, flags, done } = opened('estimate', argv, [...shortForms, ...searchOptions, ...outputOptions, failOption]);
  if (done) return 0;
  if (files.length === 0 && ![...chosen.keys()].some((option) => shortForms.includes(option))) {
    throw new UsageError('estimate needs a request: a file, - for standard input, or options such as --model', 'estimate');
  }
  if (flags.model !== undefined && flags.hub !== undefined) throw new UsageError('--model and --hub both name a model', 'estimate');
  const look = lookOf(flags, 'estimate');
  const fields = flags.find && fieldsOf(flags.find);
  const engineOnce = once(load);
  const named = await modelOf(flags, engineOnce);
  const requests = requestsOf(files, chosen, { explain: flags.explain ? 'all' : undefined, named });
  if (flags['print-request']) return printRequests(requests);
  const engine = await engineOnce();
  const ask = fields ? (text) => solved(engine, text, fields, flags) : (text) => engine.ask('estimate', text);
  const write = flags.find ? solveText : reportText;
  let answered = 0;
  let tooLarge = false;
  for (const [i, request] of requests.entries()) {
    const { text, error } = request.error ? request : alone(() => ({ text: ask(request.text) }));
    if (i > 0 && !flags.json) out('');
    if (print(text ?? JSON.stringify(error), flags.json, (reply) => write(reply, look), request.text)) ++answered;
    if (flags['fail-if-too-large'] && text !== undefined) tooLarge = doesNotFit(parsed(text)) || tooLarge;
  }
  if (answered < requests.length) return 1;
  return tooLarge ? 3 : 0;
}

/** Whether a reply says that what was asked does not run as asked. */
const doesNotFit = ({ fit, value }) => value === null || ['too large', 'waits', 'does not start'].includes(fit?.verdict);

/** The search that stands in for an estimate. */
function solved(engine, text, fields, flags) {
  const request = parsed(text);
  return request === undefined ? engine.ask('solve', text) : engine.ask('solve', JSON.stringify(questionOf(request, fields, flags)));
}

async function solve(argv) {
  const { files, flags, done } = opened('solve', argv, tables);
  if (done) return 0;
  if (files.length !== 1) throw new UsageError('solve needs one file (- for standard input)', 'solve');
  const look = lookOf(flags, 'solve');
  const [question] = requestsOf(files, new Map(), {});
  if (question.error) return print(JSON.stringify(question.error), flags.json, () => '') ? 0 : 1;
  const engine = await load();
  return print(engine.ask('solve', question.text), flags.json, (reply) => solveText(reply, look), question.text) ? 0 : 1;
}

async function fit(argv) {
  const { files, chosen, flags, done } = opened('fit', argv, [...shortForms, ...formOptions, ...tables]);
  if (done) return 0;
  if (files.length > 1) throw new UsageError('fit takes one request', 'fit');
  const look = lookOf(flags, 'fit');
  const engineOnce = once(load);
  const [request] = requestsOf(files, chosen, { named: await modelOf(flags, engineOnce) });
  const json = request.error ? undefined : parsed(request.text);
  if (json === undefined) return print(request.error ? JSON.stringify(request.error) : request.text, flags.json, () => '') ? 0 : 1;
  const engine = await engineOnce();
  const progress = counting(process.stderr);
  const reply = fitting(engine, json, progress.show);
  progress.clear();
  return print(JSON.stringify(reply), flags.json, (answer) => fitText(answer, look, flags)) ? 0 : 1;
}

async function compare(argv) {
  const { files, flags, done } = opened('compare', argv, [...formOptions, ...tables]);
  if (done) return 0;
  const look = lookOf(flags, 'compare');
  const requests = requestsOf(files, new Map(), {});
  const bad = requests.find(({ error }) => error);
  if (bad) return print(JSON.stringify(bad.error), flags.json, () => '') ? 0 : 1;
  if (requests.length < 2 || requests.length > 4) throw new UsageError('compare needs two to four requests', 'compare');
  const engine = await load();
  const all = requests.map(({ text }) => parsed(text));
  const broken = all.indexOf(undefined);
  const reply = broken < 0 ? JSON.stringify(comparing(engine, all)) : engine.ask('estimate', requests[broken].text);
  return print(reply, flags.json, (answer) => compareText(answer, look, flags)) ? 0 : 1;
}

function printRequests(requests) {
  for (const request of requests) {
    if (request.error) err(`plimsoll: ${errorText(shownAll(request.error))}`);
    else outJson(request.text);
  }
  return requests.some((request) => request.error) ? 1 : 0;
}

async function inspect(argv) {
  const { files: paths, flags, done } = opened('inspect', argv, [...hubOptions, ...tables]);
  if (done) return 0;
  if ((paths.length === 0) === (flags.hub === undefined)) throw new UsageError('inspect needs files or a folder, or --hub org/name', 'inspect');
  const look = lookOf(flags, 'inspect');
  const reply = await inspected(load, finder(paths, flags));
  return print(JSON.stringify(reply), flags.json, (found) => inspectText(found, look)) ? 0 : 1;
}

async function sweep(argv) {
  const { files, flags, done } = opened('sweep', argv, tables);
  if (done) return 0;
  if (files.length !== 1) throw new UsageError('sweep needs one file (- for standard input)', 'sweep');
  const look = lookOf(flags, 'sweep');
  const [question] = requestsOf(files, new Map(), {});
  if (question.error) return print(JSON.stringify(question.error), flags.json, () => '') ? 0 : 1;
  const engine = await load();
  const reply = engine.ask('sweep', question.text);
  return print(reply, flags.json, (answer) => sweepText(parsedShown(question.text), answer, look)) ? 0 : 1;
}

async function list(argv) {
  const { files: kinds, flags, done } = opened('list', argv, json);
  if (done) return 0;
  if (kinds.length !== 1) throw new UsageError(`list needs one of ${listable.join(', ')}`, 'list');
  if (!listable.includes(kinds[0])) throw unknown('kind', kinds[0], listable, 'list');
  out(flags.json ? listJson(kinds[0]) : listText(kinds[0]));
  return 0;
}

const later = (command) => async () => {
  throw new UsageError(`${command} comes in a later version`);
};

const commands = { estimate, solve, fit, compare, inspect, sweep, list, plan: later('plan') };

async function version() {
  out((await load()).version);
  return 0;
}

/** @param {string[]} argv the words after the program's name @returns {Promise<number>} the exit status */
export async function run(argv) {
  const [word, ...rest] = argv;
  try {
    if (word === undefined) throw new UsageError('which command?');
    if (word === '--help' || word === '-h' || word === 'help') {
      out(helpText(rest[0]));
      return 0;
    }
    if (word === '--version' || word === '-V') return await version();
    if (!Object.hasOwn(commands, word)) throw unknown('command', word, Object.keys(commands));
    return await commands[word](rest.map((text) => (text === '-h' ? '--help' : text)));
  } catch (fault) {
    if (fault instanceof UsageError) {
      err(`plimsoll: ${shown(fault.message)}\nSee plimsoll ${fault.command ? `${fault.command} ` : ''}--help.`);
      return 2;
    }
    // What reaches this place is a broken installation, never a bad request.
    if (argv.includes('--json')) outJson(JSON.stringify(errorReply('program.failed', '', fault.message)));
    else err(`plimsoll: ${shown(fault.message)}`);
    return 1;
  }
}
