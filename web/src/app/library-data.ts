// dist/plimsoll-data.js: engine and presets, compressed.

export { engines, presets, schemas } from 'virtual:plimsoll-data';
