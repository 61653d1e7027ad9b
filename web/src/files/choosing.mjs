// @ts-check
// Which of many files describe the model: a folder, or a hand that took them all, holds tokenizers, pictures and
// sometimes the same weights twice.

const shard = /^(.+)-\d+-of-(\d+)\.safetensors$/i;
const index = /^(.+)\.safetensors\.index\.json$/i;
const single = /^(.+)\.safetensors$/i;
const configs = ['config.json', 'adapter_config.json'];

/** The checkpoint that a file of weights belongs to: shards share a stem and their number. @param {string} name */
function checkpointOf(name) {
  const [, stem, of] = shard.exec(name) ?? [];
  if (stem) return { stem, key: `${stem} of ${of}` };
  const [, alone] = single.exec(name) ?? [];
  return alone ? { stem: alone, key: alone } : undefined;
}

/** Of several checkpoints one is the model: transformers' own, else one that an index lists. @param {string[]} names */
function chosenCheckpoint(names) {
  const found = names.map(checkpointOf).filter((one) => one !== undefined);
  const indexed = names.map((name) => index.exec(name)?.[1]).filter((stem) => stem !== undefined);
  for (const stem of ['model', ...indexed, 'adapter_model']) {
    const hit = found.find((one) => one.stem === stem);
    if (hit) return hit;
  }
  return found[0];
}

/**
 * Parts `files` into those that describe one model and the rest.
 * A single file is taken whatever its name: who gives one alone means it.
 * @template {{name: string}} T
 * @param {readonly T[]} files
 * @returns {{chosen: T[], left: T[]}}
 */
export function chooseFiles(files) {
  if (files.length === 1) return { chosen: [...files], left: [] };
  const checkpoint = chosenCheckpoint(files.map(({ name }) => name));
  const takes = (/** @type {string} */ name) => {
    const [, listed] = index.exec(name) ?? [];
    if (listed) return checkpoint === undefined || listed === checkpoint.stem;
    return configs.includes(name) || (checkpoint !== undefined && checkpointOf(name)?.key === checkpoint.key);
  };
  return { chosen: files.filter(({ name }) => takes(name)), left: files.filter(({ name }) => !takes(name)) };
}
