// What ships names what it is made of: each bundle its packages and, where it holds or fetches the engine, the engine's
// libraries, each with a licence. Nothing that ships names the machine that built it.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'web', 'dist');

const engine = ['nlohmann/json', 'Emscripten', 'musl', 'libc++', 'libc++abi', 'compiler-rt'];
const lit = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element'];
const expected = {
  'THIRD-PARTY.txt': [...engine, ...lit, 'uplot'],
  'plimsoll.html': [...engine, ...lit, 'uplot'],
  'plimsoll-engine.js': [...engine, ...lit, 'uplot'],
  'plimsoll-calculator.all.js': [...engine, ...lit, 'uplot'],
  'plimsoll.js': engine,
  'plimsoll-data.js': engine,
  'accuracy.html': lit,
};
/** What each licence says in its own words. */
const words = { MIT: /Permission is hereby granted, free of charge/, 'BSD-3-Clause': /Redistribution and use in source and binary forms/ };

for (const [file, parts] of Object.entries(expected)) {
  const text = readFileSync(join(dist, file), 'utf8');
  assert.ok(text.includes('What Plimsoll ships besides its own code'), `${file} has no notices`);
  for (const part of parts) {
    const [, licence] = new RegExp(`^${part.replaceAll(/[+/@.-]/g, '\\$&')}(?: [\\d.]+)? \\(([^)]+)\\)$`, 'm').exec(text) ?? [];
    assert.ok(licence, `${file} does not name ${part}`);
    if (words[licence]) assert.match(text, words[licence], `${file}: the words of ${licence}`);
  }
}

const files = readdirSync(dist, { recursive: true })
  .map((name) => join(dist, String(name)))
  .filter((path) => statSync(path).isFile());
const machine = [root.replace(/\/$/, ''), homedir()].filter((path) => path.split('/').length > 2 || path === '/root');
for (const file of files) {
  const bytes = readFileSync(file);
  for (const path of machine) assert.ok(!bytes.includes(`${path}/`), `${file} holds ${path}`);
}
console.log(`notices: ${Object.keys(expected).length} files name their parts, ${files.length} name no place of this machine`);
