// Code that must not compile is a test. Each .cpp file here says in its first line what the compiler has to say:
//
//   // expected: a regular expression
//
// and wraps the mistake in `#ifdef MISTAKE`. Without it the file must compile, so that it cannot fail for some other
// reason; with it the file must not, for the reason named.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const engine = fileURLToPath(new URL('../../engine', import.meta.url));
/** The enumerations that the native build has made of the request's schema. */
const generated = fileURLToPath(new URL('../../build/native/generated/inputs', import.meta.url));
const compiler = process.env.CXX ?? 'c++';

function compile(file, ...flags) {
  return spawnSync(compiler, ['-std=c++20', '-fsyntax-only', '-I', engine, '-I', generated, ...flags, here + file], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
}

const cases = readdirSync(here)
  .filter((name) => name.endsWith('.cpp'))
  .sort();

test('there are cases', () => assert.notEqual(cases.length, 0));

for (const name of cases) {
  test(name, () => {
    const expected = /^\/\/ expected: (.+)$/m.exec(readFileSync(here + name, 'utf8'))?.[1];
    assert.ok(expected, 'a first line `// expected: …`');

    const right = compile(name);
    assert.equal(right.status, 0, `without the mistake it must compile:\n${right.stderr}`);

    const wrong = compile(name, '-DMISTAKE');
    assert.notEqual(wrong.status, 0, 'with the mistake it must not compile');
    assert.match(wrong.stderr, new RegExp(expected));
  });
}
