// `node scripts/native.mjs BUILD FOLDER`: what a native archive holds, put together in FOLDER: the engine behind standard input and
// output, the presets that it reads, its licence and the notices of what is linked into it, and a word on how it is run.

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { nativeParts, noticeText } from './notices.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const readme = `Plimsoll's engine as a native program: one request a line on standard input, one reply a line on standard output.

  echo '{"model": {"preset": "llama-3-8b"}, "device": {"preset": "rtx-4090"}}' | ./plimsoll-native presets
  ./plimsoll-native presets solve < questions.jsonl        sweep, plan and inspect likewise

It answers with the same bytes as the WebAssembly. The command line with options, tables and names as people write them is the npm
package: npx plimsoll.
`;

/** @param {string} build folder of a native build @param {string} folder emptied first */
export function nativeArchive(build, folder) {
  const program = ['plimsoll-native', 'plimsoll-native.exe'].find((name) => existsSync(join(build, name)));
  if (!program) throw new Error(`there is no plimsoll-native in ${build}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(build, program), join(folder, program));
  for (const kind of ['models', 'devices', 'encodings', 'optimizers', 'runtimes', 'trainers', 'bands', 'speeds'])
    cpSync(join(root, 'presets', kind), join(folder, 'presets', kind), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), noticeText(nativeParts(build)));
  writeFileSync(join(folder, 'README.txt'), readme);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) nativeArchive(resolve(process.argv[2]), resolve(process.argv[3]));
