// What a program may ask, whichever door it comes through: a verb and what is asked, and a reply as the command line's --json
// prints it. An error is a reply.

import { statSync } from 'node:fs';

import { searched } from '../../answers/planning.mjs';
import { saysWhere } from '../../files/origins.mjs';
import { failureOf } from '../../files/source.mjs';
import { kinds, listOf } from '../../library/listing.mjs';
import { comparing, fitting } from '../commands/answering.mjs';
import { didYouMean } from '../commands/names/hints.mjs';
import { errorReply } from '../commands/requests.mjs';
import { UsageError } from '../commands/usage.mjs';
import { load } from '../engine.mjs';
import { reconciler } from '../logs.mjs';
import { store } from '../presets.mjs';
import { namedFiles, sourcesOf } from '../sources.mjs';
import { isUrl } from '../url.mjs';

/** @typedef {{engine: import('../engine.mjs').Engine, reconcile: () => Promise<(text: string, given?: object) => Promise<any>>}} Doors */

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

const wrong = (where, what, hint = '') => errorReply('wrong_type', where, what, hint);

/** Asks the engine; where an id is not known, the reply's hint says what was probably meant. */
function asked({ engine }, command, question) {
  const text = JSON.stringify(question);
  const reply = JSON.parse(engine.ask(command, text));
  const meant = reply.error ? didYouMean(text, reply).trim() : '';
  if (meant) reply.error.hint = [reply.error.hint, meant].filter(Boolean).join('; ');
  return reply;
}

/** A search over layouts in parts, as the command line asks it. */
function planned(doors, question) {
  if ('part' in question) return asked(doors, 'plan', question);
  return searched(question, 4, (part) => asked(doors, 'plan', part));
}

function fitted({ engine }, request) {
  try {
    return fitting(engine, request, () => {});
  } catch (fault) {
    if (fault instanceof UsageError) return errorReply('missing', 'device', 'neither a device nor a model is given', 'give one of them, or both');
    throw fault;
  }
}

function compared({ engine }, { requests }) {
  if (!Array.isArray(requests) || requests.length < 2 || requests.length > 4 || !requests.every(isObject))
    return wrong('requests', 'two to four requests are compared', '{"requests": [{…}, {…}]}');
  return comparing(engine, requests);
}

async function reconciled({ reconcile }, { text, request }) {
  if (typeof text !== 'string') return wrong('text', 'what a tool printed is a text');
  if (request !== undefined && !isObject(request)) return wrong('request', 'what is laid over is an object, as in a request');
  return (await reconcile())(text, request);
}

const isText = (value) => typeof value === 'string' && value !== '';

/** Files and folders: what else a path may be (standard input, a pipe, an address) would stop the door, or ask somebody. */
function isOnDisk(path) {
  if (path === '-' || isUrl(path) || saysWhere(path)) return false;
  const status = statSync(path, { throwIfNoEntry: false });
  return status === undefined || status.isFile() || status.isDirectory();
}

/** @returns {Promise<any>} what is found, or an error reply @param {Doors} doors */
async function inspected({ engine }, { files, texts, hub }) {
  const given = [files, texts, hub].filter((one) => one !== undefined);
  if (given.length !== 1) return wrong('', 'one of files, texts and hub says what is inspected');
  if (files !== undefined && !(Array.isArray(files) && files.length > 0 && files.every(isText))) return wrong('files', 'this is no list of paths');
  if (texts !== undefined && !(Array.isArray(texts) && texts.every((one) => isText(one?.name) && typeof one.text === 'string')))
    return wrong('texts', 'this is no list of {"name": …, "text": …}');
  if (hub !== undefined && !isText(hub)) return wrong('hub', 'this is no name');
  const strange = files?.find((path) => !isOnDisk(path));
  if (strange !== undefined) return errorReply('file.unreadable', strange, 'this is no file and no folder', 'what lies elsewhere is named by hub');
  try {
    const sources = texts ?? (hub === undefined ? await sourcesOf(files) : await namedFiles(hub));
    return await engine.inspect(sources);
  } catch (fault) {
    return { schema: 1, error: failureOf(fault) };
  }
}

function told(_, { kind, words }) {
  if (!kinds.includes(kind)) return errorReply('unknown_value', 'kind', 'there is no such kind', kinds.join(', '));
  if (words !== undefined && typeof words !== 'string') return wrong('words', 'words are a text');
  return { schema: 1, kind, entries: listOf(store, kind, words) };
}

/** @type {Record<string, (doors: Doors, asked: any) => any>} */
const answers = {
  estimate: (doors, request) => asked(doors, 'estimate', request),
  sweep: (doors, question) => asked(doors, 'sweep', question),
  solve: (doors, question) => asked(doors, 'solve', question),
  plan: planned,
  fit: fitted,
  compare: compared,
  reconcile: reconciled,
  inspect: inspected,
  list: told,
};

export const verbs = Object.keys(answers);

/** Engine and reader of logs, the latter when it is first asked. @returns {Promise<Doors>} */
export async function opened() {
  const engine = await load();
  let made;
  return { engine, reconcile: () => (made ??= reconciler(() => engine)) };
}

/** Where a number stands that no computer holds, such as 1e400: written again it would be null, which means left out. */
function endless(value, path = '') {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (value === null || typeof value !== 'object') return undefined;
  const inner = Object.entries(value).map(([key, one]) => endless(one, path === '' ? key : `${path}.${key}`));
  return inner.find((one) => one !== undefined);
}

/**
 * Answers one question.
 * @param {Doors} doors @param {string} verb one of `verbs` @param {unknown} question
 * @returns {Promise<any>} a reply or `{error}`; it throws nothing
 */
export async function answerTo(doors, verb, question) {
  if (!isObject(question)) return wrong('', `what ${verb} is asked is an object`);
  const at = endless(question);
  if (at !== undefined) return errorReply('bad_json', at, 'this number is too large', 'write a finite number');
  try {
    return await answers[verb](doors, question);
  } catch (fault) {
    return errorReply('program.failed', '', fault.message, 'please report this with the request that caused it');
  }
}
