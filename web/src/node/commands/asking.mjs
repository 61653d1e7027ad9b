// `plimsoll` alone, in a terminal: three questions, and the command that their answers make.

import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';

import { quotedText } from '../../state/quoting.mjs';
import { shown } from '../../files/shown.mjs';
import { read } from '../../library/units.mjs';
import { either, likely } from './names/likely.mjs';
import { meant } from './names/meant.mjs';

/** What an answer means, or what is said to one that means nothing. @typedef {{words: string[]} | {again: string}} Answer */

/** @param {'models' | 'devices'} kind @param {string} written */
function near(kind, written) {
  const names = likely(kind, written);
  return names.length > 0 ? `did you mean ${either(names)}?` : `plimsoll list ${kind} has them all`;
}

/** @type {{ask: string, usual: string, answer: (text: string) => Answer}[]} */
const questions = [
  {
    ask: 'Which model? A name, a file or a folder',
    usual: 'llama-3.1-8b',
    answer(text) {
      const id = meant('models', text)?.id ?? (existsSync(text) ? text : undefined);
      return id ? { words: ['--model', id] } : { again: near('models', text) };
    },
  },
  {
    ask: 'On which device?',
    usual: 'rtx-4090',
    answer(text) {
      const id = meant('devices', text)?.id;
      return id ? { words: ['--device', id] } : { again: near('devices', text) };
    },
  },
  {
    ask: "How many tokens of context, or 'train'?",
    usual: '8k',
    answer(text) {
      if (/^train/i.test(text)) return { words: ['--task', 'training'] };
      return read.tokens(text) > 0 ? { words: ['--context', text] } : { again: 'a number such as 32k, or train' };
    },
  },
];

/**
 * Asks until each question has an answer; an empty line takes what stands in brackets.
 * @param {NodeJS.ReadableStream} input @param {NodeJS.WritableStream & {isTTY?: boolean}} output
 * @returns {Promise<string[] | undefined>} the words behind `plimsoll estimate`; undefined where the input ends before
 */
export async function asked(input, output) {
  const lines = createInterface({ input, output, terminal: output.isTTY ?? false });
  const given = lines[Symbol.asyncIterator](); // keeps what comes before it is asked for, as a paste does
  const words = [];
  for (const { ask, usual, answer } of questions) {
    for (let answered = false; !answered;) {
      lines.setPrompt(`${ask} [${usual}] `);
      lines.prompt();
      const { value: line, done } = await given.next();
      if (done) return undefined;
      const found = answer(line.trim() || usual);
      answered = 'words' in found;
      if ('words' in found) words.push(...found.words);
      else output.write(`  ${found.again}\n`);
    }
  }
  lines.close();
  output.write(`\nplimsoll estimate ${words.map((word) => quotedText('shell', shown(word))).join(' ')}\n\n`);
  return words;
}
