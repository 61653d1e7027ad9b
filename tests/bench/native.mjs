// Times the native engine on the same questions.

import { existsSync } from 'node:fs';

import { askNative, program } from '../native/native.mjs';

export function inNative(questions) {
  if (!existsSync(program)) return undefined;
  return questions.map(({ command, text, repeat = 101 }) => Number(askNative([text], [command, '--repeat', String(repeat)])[0]));
}
