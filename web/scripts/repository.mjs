// `node scripts/repository.mjs ADDRESS`: says in package.json which repository the package is built from, before it is packed. The
// tree names none, so that a fork publishes under its own; npm's provenance holds the address against the workflow's.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @param {object} about package.json @param {string} address such as https://github.com/OWNER/NAME @throws where it is no such address */
export function inRepository(about, address) {
  if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(address)) throw new Error(`${address} is no address of a repository`);
  return {
    ...about,
    repository: { type: 'git', url: `git+${address}.git`, directory: 'web' },
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'package.json');
  writeFileSync(file, `${JSON.stringify(inRepository(JSON.parse(readFileSync(file, 'utf8')), process.argv[2] ?? ''), null, 2)}\n`);
}
