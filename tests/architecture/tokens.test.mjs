// Colour and type are decided in one file: no style names a colour, or a size of type, that is not one of its tokens.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { root } from './sources.mjs';

const tokens = 'styles/tokens.ts';
const source = `${root}/web/src`;
const read = (path) => readFileSync(`${source}/${path}`, 'utf8');
const withoutComments = (css) => css.replaceAll(/\/\*[^]*?\*\//g, '');

/** All that is styled with: what stands in css`…` of scripts, and files of styles. */
const styles = readdirSync(source, { recursive: true })
  .filter((path) => /\.(ts|mjs|css)$/.test(path) && path !== tokens)
  .flatMap((path) => {
    const text = read(path);
    const parts = path.endsWith('.css') ? [text] : [...text.matchAll(/\bcss`([^`]*)`/g)].map(([, css]) => css);
    return parts.map((css) => ({ path, css: withoutComments(css) }));
  });

const declared = new Set([...read(tokens).matchAll(/^ {4}(--[\w-]+):/gm)].map(([, name]) => name));
const found = (pattern) => styles.flatMap(({ path, css }) => [...css.matchAll(pattern)].map(([text]) => `${path}: ${text}`));

test('the styles were found', () => {
  assert.ok(styles.length > 35, `${styles.length} pieces of style`);
  assert.ok(declared.size > 50, `${declared.size} tokens`);
});

test('no colour stands outside of the tokens', () => {
  assert.deepEqual(found(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|light-dark)\([^)]*\)/gi), []);
  assert.deepEqual(
    found(/(?:color|background|fill|stroke|border[\w-]*|outline|shadow)[^:;{}]*:[^;{}]*\b(?:white|black|red|green|blue|gr[ae]y)\b[^;{}]*;/g),
    [],
  );
});

test('every size of type is one of the scale', () => {
  const sizes = found(/font-size:[^;]*;/g).filter((text) => !/font-size: (?:inherit|var\(--[\w-]+\));$/.test(text));
  assert.deepEqual(sizes, []);
  const named = found(/font-size: var\(--[\w-]+\)/g).map((text) => /--[\w-]+/.exec(text.split(': ').at(-1))[0]);
  assert.deepEqual(
    [...new Set(named)].filter((name) => !declared.has(name)),
    [],
  );
  assert.deepEqual(
    found(/\bfont: [^;]*;/g).filter((text) => !/font: inherit;$/.test(text)),
    [],
  );
});

test('corners are those of the tokens', () => {
  const radii = found(/border-radius:[^;]*;/g).filter(
    (text) => !/border-radius: (?:0|50%|(?:(?:0|var\(--(?:radius[\w-]*|round)\))\s?)+);$/.test(text),
  );
  assert.deepEqual(radii, []);
});

test('nothing is set in type under 12 pixels', () => {
  const rem = [...read(tokens).matchAll(/--(?:tiny|small|body|title|head|chapter|figure|hero): ([\d.]+)rem/g)].map(([, size]) => Number(size));
  assert.equal(rem.length, 8);
  assert.ok(Math.min(...rem) * 16 >= 12);
});
