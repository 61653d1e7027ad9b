// Fields of a request that hold ids of presets, and of which kind.

const ofField = {
  'device.preset': 'devices',
  'device.used_by_others_bytes': 'others',
  'inference.runtime': 'runtimes',
  'training.optimizer': 'optimizers',
  'training.trainer': 'trainers',
};

/** Models and encodings are named alike wherever they stand: the first one's, a draft's, those that a training holds. */
const ofEnd = [
  [/(^|\.)model\.preset$/, 'models'],
  [/(^|[._])encoding$/, 'encodings'],
];

/**
 * @param {string} [field] a path, such as `inference.kv_encoding`
 * @returns {'models' | 'devices' | 'encodings' | 'optimizers' | 'runtimes' | 'trainers' | 'others' | undefined}
 */
export const kindOf = (field = '') => ofField[field] ?? ofEnd.find(([end]) => end.test(field))?.[1];
