// One function per command: words in, exit status out. Replies go to standard output; in a table's stead an error goes to standard error.

import { compareText, comparing, fitText, fitting, solveText } from './answering.mjs';
import { complete } from './completing.mjs';
import { load } from '../engine.mjs';
import { estimate } from './estimating.mjs';
import { helpText } from './help.mjs';
import { inspectText } from '../output/inspection.mjs';
import { list } from './listing.mjs';
import { finder, inspected, modelOf } from './models.mjs';
import { plan } from './planning.mjs';
import { reconcile } from './reconciling.mjs';
import { err, lookOf, once, opened, out, outJson, print } from './printing.mjs';
import { errorReply, requestsOf } from './requests.mjs';
import { mcp, serve } from './serving.mjs';
import { parsedShown, shown } from '../../files/shown.mjs';
import { parsed } from '../output/json.mjs';
import { counting } from '../output/progress.mjs';
import { sweepText } from '../output/sweep.mjs';
import { UsageError, unknown } from './usage.mjs';
import { asked } from './asking.mjs';

async function solve(argv) {
  const { files, flags, done } = opened('solve', argv);
  if (done) return 0;
  if (files.length !== 1) throw new UsageError('solve needs one file (- for standard input)', 'solve');
  const look = lookOf(flags, 'solve');
  const [question] = requestsOf(files, new Map(), {});
  if (question.error) return print(JSON.stringify(question.error), flags.json, () => '') ? 0 : 1;
  const engine = await load();
  return print(engine.ask('solve', question.text), flags.json, (reply) => solveText(reply, look), question.text) ? 0 : 1;
}

async function fit(argv) {
  const { files, chosen, flags, done } = opened('fit', argv);
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
  const { files, flags, done } = opened('compare', argv);
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

async function inspect(argv) {
  const { files: paths, flags, done } = opened('inspect', argv);
  if (done) return 0;
  if ((paths.length === 0) === (flags.hub === undefined)) throw new UsageError('inspect needs files or a folder, or --hub org/name', 'inspect');
  const look = lookOf(flags, 'inspect');
  const reply = await inspected(load, finder(paths, flags));
  return print(JSON.stringify(reply), flags.json, (found) => inspectText(found, look)) ? 0 : 1;
}

async function sweep(argv) {
  const { files, flags, done } = opened('sweep', argv);
  if (done) return 0;
  if (files.length !== 1) throw new UsageError('sweep needs one file (- for standard input)', 'sweep');
  const look = lookOf(flags, 'sweep');
  const [question] = requestsOf(files, new Map(), {});
  if (question.error) return print(JSON.stringify(question.error), flags.json, () => '') ? 0 : 1;
  const engine = await load();
  const reply = engine.ask('sweep', question.text);
  return print(reply, flags.json, (answer) => sweepText(parsedShown(question.text), answer, look)) ? 0 : 1;
}

const commands = { estimate, solve, fit, compare, inspect, sweep, plan, reconcile, list, serve, mcp, completion: complete };

async function version() {
  out((await load()).version);
  return 0;
}

/** Without a command: three questions on a terminal, and elsewhere nobody could answer them. */
async function withoutCommand() {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new UsageError('which command?');
  const words = await asked(process.stdin, process.stdout);
  if (!words) throw new UsageError('which command?');
  return estimate(words);
}

/** @param {string[]} argv the words after the program's name @returns {Promise<number>} the exit status */
export async function run(argv) {
  const [word, ...rest] = argv;
  try {
    if (word === undefined) return await withoutCommand();
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
