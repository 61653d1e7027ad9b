// What every command shares: reading its words, and printing a reply as JSON or as text.

import { parsedShown, shown, shownJson } from '../../files/shown.mjs';
import { lookAt } from '../output/look.mjs';
import { errorText } from '../output/report.mjs';
import { units } from '../../library/units.mjs';
import { parse, settings } from './args.mjs';
import { helpText } from './help.mjs';
import { didYouMean } from './names/hints.mjs';
import { understood } from './names/meant.mjs';
import { optionsOf } from './options.mjs';
import { unknown } from './usage.mjs';

export const out = (text) => process.stdout.write(`${text}\n`);
export const outJson = (json) => out(shownJson(json));
export const err = (text) => process.stderr.write(`${text}\n`);

/** Prints one reply, as it came or as text. @returns {boolean} whether it was an answer */
export function print(text, asJson, write, request = '') {
  const reply = parsedShown(text);
  if (asJson) outJson(text);
  else if (reply.error) err(`plimsoll: ${errorText(reply)}${didYouMean(request, reply)}`);
  else out(write(reply));
  return !reply.error;
}

/** What is made when something asks for it first. */
export function once(make) {
  let made;
  return () => (made ??= make());
}

/** @returns {import('../output/look.mjs').Look} */
export function lookOf({ unit = 'GiB' }, command) {
  if (!units.includes(unit)) throw unknown('unit', unit, units, command);
  return lookAt(unit, process.stdout);
}

/** Words that mean a preset become its id; which model is meant is found out where files are looked for, too. */
function namedBy(chosen) {
  for (const [option, written] of chosen)
    if ((option.field || option.sets) && option.kind)
      chosen.set(
        option,
        understood(option, written, (text) => err(shown(text))),
      );
}

/** Parses a command's words; answers --help itself. */
export function opened(command, argv) {
  const { files, chosen } = parse(command, argv, optionsOf[command] ?? []);
  namedBy(chosen);
  const flags = settings(chosen);
  if (flags.help) out(helpText(command));
  return { files, chosen, flags, done: Boolean(flags.help) };
}
