// Runs many command lines in one process, so that hundreds take seconds: reads `[[word, …], …]` as JSON from standard
// input, and writes what each printed as `[{status, stdout, stderr}, …]`.

import { readFileSync } from 'node:fs';

import { run } from '../../web/src/node/commands/commands.mjs';

const write = { stdout: process.stdout.write, stderr: process.stderr.write };
const all = [];
for (const words of JSON.parse(readFileSync(0, 'utf8'))) {
  const one = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) process[stream].write = (text) => Boolean((one[stream] += text));
  const status = await run(words);
  all.push({ status, ...one });
  for (const stream of ['stdout', 'stderr']) process[stream].write = write[stream];
}
process.stdout.write(JSON.stringify(all));
