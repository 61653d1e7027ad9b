// Rows name models and devices in their authors' words. These rules find the preset meant; none of them knows any single name.

import { presets as read } from '../../../web/src/node/presets.mjs';

/** Every row asks for a name: what lies on disk is read once. */
const known = new Map();

export function presets(kind) {
  if (!known.has(kind)) known.set(kind, read(kind));
  return known.get(kind);
}

/** What follows a model's name without changing its shape. */
const tuning = /[-_ ](instruct|chat|base|hf|it)(?=$|[-_ ])/gi;

export const presetOf = (kind, id) => presets(kind).find((preset) => preset.id === id);

export const hasPreset = (kind, id) => presetOf(kind, id) !== undefined;

/** A request's model's config.json. */
export const configOf = (model) => model.config ?? presetOf('models', model.preset)?.config;

const bare = (name) =>
  name
    .split('/')
    .pop()
    .replace(tuning, '')
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, '');

/** A model preset by any of its names. */
export function modelNamed(name) {
  const wanted = bare(name);
  const all = presets('models');
  const exact = all.find((m) => [m.id, m.name, m.hugging_face_id].some((n) => n?.toLowerCase() === name.toLowerCase()));
  return (exact ?? all.find((m) => [m.id, m.name, m.hugging_face_id].some((n) => n && bare(n) === wanted)))?.id;
}

/** `A100-SXM4-80G` → a100 sxm 80gb */
function words(text) {
  const plain = text
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/\b\d{1,3}(?:x ?| x | ?× ?)(?=[a-z])/g, ' ');
  return new Set(
    plain
      .split(/[^a-z0-9.]+/)
      .filter(Boolean)
      .map((w) => w.replace(/^(\d+)g$/, '$1gb').replace(/^sxm\d$/, 'sxm')),
  );
}

/** Words that tell one device from another: letters and digits, but not a capacity. */
const telling = (set) => [...set].filter((w) => /\d/.test(w) && /[a-z0-9]/.test(w) && !/^\d+gb$/.test(w));

/** The device preset whose name shares most words with the text, its number among them. */
export function deviceNamed(text) {
  if (!text) return undefined;
  const wanted = words(text);
  const ranked = presets('devices').map((device) => {
    const own = words(device.name);
    const common = [...own].filter((w) => wanted.has(w)).length;
    const known = telling(own).length > 0 && telling(own).every((w) => wanted.has(w));
    return { id: device.id, likeness: known ? common / (own.size + wanted.size - common) : 0 };
  });
  ranked.sort((a, b) => b.likeness - a.likeness || (a.id < b.id ? -1 : 1));
  return ranked[0]?.likeness > 0 ? ranked[0].id : undefined;
}
