// Every note that the engine writes has its text in each language of the page; `classic.ts` shows one in its own way.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { engineFiles, root } from './sources.mjs';

const written = /(?:notes\.push_back\(\s*\{|\badd_note\(notes,|\bnote\()\s*"([\w.]+)"/g;
const codes = new Set(engineFiles().flatMap(({ text }) => [...text.matchAll(written)].map(([, code]) => code)));
const shown = readFileSync(`${root}/web/src/views/answer/classic.ts`, 'utf8');

test('notes are found in each file that writes them', () => {
  for (const code of ['unknown_field', 'gguf_projector_apart', 'adapter_not_estimated', 'classic.no_logits']) assert.ok(codes.has(code), code);
});

const languages = readdirSync(`${root}/web/src/languages`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of languages) {
  test(`${name} has a text for every note`, () => {
    const texts = JSON.parse(readFileSync(`${root}/web/src/languages/${name}/texts.json`, 'utf8'));
    const silent = [...codes].filter((code) => !texts[`note.${code}`] && !shown.includes(`'${code}'`));
    assert.deepEqual(silent, []);
  });
}
