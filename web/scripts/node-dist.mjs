// What the package needs to run outside a checkout, put where src/node/places.mjs looks for it: the engine, the presets, the licences.

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { engineParts, noticeText } from './notices.mjs';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(web, '..');
const target = join(web, 'dist', 'node');

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const file of ['plimsoll-whole.mjs', 'plimsoll-whole.wasm', 'plimsoll-logs.mjs', 'plimsoll-logs.wasm'])
  cpSync(join(root, 'build', 'wasm', file), join(target, file));
for (const kind of ['models', 'devices', 'machines', 'others', 'encodings', 'optimizers', 'runtimes', 'trainers', 'bands', 'speeds', 'common']) {
  cpSync(join(root, 'presets', kind), join(target, 'presets', kind), { recursive: true });
}
mkdirSync(join(target, 'presets', 'schema'));
for (const name of ['request.json', 'plan.json', 'reconcile_reply.json'])
  cpSync(join(root, 'presets/schema', name), join(target, 'presets/schema', name));
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
writeFileSync(join(target, 'THIRD-PARTY.txt'), noticeText(engineParts()));
