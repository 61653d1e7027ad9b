// `plimsoll completion SHELL`: a script that completes commands, options and their values, made of the option tables, which
// are made of the schema.

import { ids, kinds } from '../presets.mjs';
import { bash, fish, zsh } from '../output/completion.mjs';
import { listable } from './listing.mjs';
import { optionsOf } from './options.mjs';
import { opened, out } from './printing.mjs';
import { UsageError, unknown } from './usage.mjs';

/**
 * @typedef {object} Completed what a shell completes of one command
 * @property {string} name
 * @property {string} help
 * @property {readonly string[]} [words] what stands behind it, where that is no file
 * @property {readonly {name: string, help: string, value: boolean, files: boolean, words: readonly string[]}[]} options
 */

const shells = { bash, zsh, fish };

/** What each command does, and what stands behind it where that is no file. @type {Record<string, {help: string, words?: string[]}>} */
const commands = {
  estimate: { help: 'answer requests, or one made of options' },
  solve: { help: 'which value of a field fits' },
  fit: { help: 'what runs on a device, or what a model runs on' },
  compare: { help: 'two to four requests side by side' },
  inspect: { help: "what a model's files hold" },
  sweep: { help: 'one request over many values of its fields' },
  plan: { help: 'every way to spread a model over a cluster' },
  reconcile: { help: 'what a tool printed, beside the estimate' },
  list: { help: 'what is built in', words: listable },
  serve: { help: 'JSON lines in, JSON lines out, for programs', words: [] },
  mcp: { help: 'a server of tools for coding agents (Model Context Protocol)', words: [] },
  completion: { help: 'a script that completes words in a shell', words: Object.keys(shells) },
};

/** Every command with its options, and what can stand behind each. @returns {Completed[]} */
export function completed() {
  const known = Object.fromEntries(kinds.map((kind) => [kind, ids(kind)]));
  const of = ({ name, help: text, value, read, choices, kind, files }) => ({
    name,
    help: text,
    value: value !== undefined && read !== 'switch',
    files: files ?? false,
    words: choices ?? known[kind] ?? [],
  });
  return Object.entries(commands).map(([name, more]) => ({ name, ...more, options: (optionsOf[name] ?? []).map(of) }));
}

/** @param {string[]} argv @returns {Promise<number>} the exit status */
export async function complete(argv) {
  const { files, done } = opened('completion', argv);
  if (done) return 0;
  const [shell] = files;
  if (files.length !== 1) throw new UsageError(`completion needs one of ${Object.keys(shells).join(', ')}`, 'completion');
  if (!Object.hasOwn(shells, shell)) throw unknown('shell', shell, Object.keys(shells), 'completion');
  out(shells[shell](completed()));
  return 0;
}
