import js from '@eslint/js';
import lit from 'eslint-plugin-lit';
import tseslint from 'typescript-eslint';

const inNode = ['process', 'console', 'URL', 'Buffer', 'performance'];
const inBoth = ['AbortController', 'setTimeout', 'clearTimeout', 'TextDecoder', 'TextEncoder', 'WebAssembly'];
const nodeGlobals = Object.fromEntries([...inNode, ...inBoth].map((name) => [name, 'readonly']));

export default tseslint.config(
  { ignores: ['**/dist/', '**/test-results/', '**/src/engine/wire.d.ts', '**/src/state/described.ts'] },
  js.configs.recommended,
  tseslint.configs.recommended,
  lit.configs['flat/recommended'],
  // A fixture that needs no other is written with an empty pattern: Playwright reads the arguments' names.
  { files: ['**/tests/web/*.ts'], rules: { 'no-empty-pattern': 'off' } },
  { files: ['**/*.mjs', '**/*.js'], languageOptions: { globals: nodeGlobals } },
);
