// The order of lists. Of models: families with a recent model first, and in each the recent models first. Of encodings:
// what everyone has first, then what more than one loader reads.

/** Parameters with or without their provenance: a preset has it, an entry of the page's list has not. */
const size = ({ parameters }) => parameters?.value ?? parameters ?? 0;

const newest = (models) => models.reduce((latest, { released = '' }) => (released > latest ? released : latest), '');

/** Of the same month, the smaller model comes first, and a plain model before its variants. */
const inFamily = (a, b) => (b.released ?? '').localeCompare(a.released ?? '') || size(a) - size(b) || (a.id < b.id ? -1 : 1);

/**
 * Models by family, in the order of the list.
 * @template {{id: string, family: string, released?: string, parameters?: unknown}} Model
 * @param {Model[]} models
 * @returns {{family: string, models: Model[]}[]}
 */
export function families(models) {
  const found = new Map();
  for (const model of models) found.set(model.family, [...(found.get(model.family) ?? []), model]);
  return [...found]
    .map(([family, members]) => ({ family, models: members.sort(inFamily) }))
    .sort((a, b) => newest(b.models).localeCompare(newest(a.models)) || a.family.localeCompare(b.family));
}

/** @type {readonly import('../engine/wire.d.ts').EncodingFamily[]} */
export const encodingFamilies = [
  'float',
  'integer',
  'gguf',
  'gptq',
  'awq',
  'bitsandbytes',
  'fp8',
  'microscaling',
  'compressed-tensors',
  'smoothquant',
  'torchao',
  'hqq',
  'mlx',
  'exl2',
  'exl3',
];
