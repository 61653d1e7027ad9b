// @ts-check
// Which of many files describe the model: a folder, or a hand that took them all, holds tokenizers, pictures and
// sometimes the same weights twice.

const shard = /^(.+)-\d+-of-(\d+)\.(?:safetensors|gguf)$/i;
const index = /^(.+)\.safetensors\.index\.json$/i;
const single = /^(.+)\.(?:safetensors|gguf)$/i;
const configs = ['config.json', 'adapter_config.json'];

/** The checkpoint that a file of weights belongs to: shards share a stem and their number. @param {string} name */
function checkpointOf(name) {
  const [, stem, of] = shard.exec(name) ?? [];
  if (stem) return { stem, key: `${stem} of ${of}` };
  const [, alone] = single.exec(name) ?? [];
  return alone ? { stem: alone, key: alone } : undefined;
}

/** A projector or an importance matrix of llama.cpp lies beside the model and is none. @param {string} name */
const beside = (name) => /(?:^|[-_./])(?:mmproj|imatrix)(?=[-_./])/i.test(name);

/** The file type of a GGUF as llama.cpp spells it, a folder's or a file's. @param {string} name */
export const ggufType = (name) =>
  /\.gguf$/i.test(name) ? /(?:^|[-_./])((?:UD-)?(?:I?Q\d|TQ\d|BF16|F16|F32|MXFP4)\w*)(?=[-./])/i.exec(name)?.[1] : undefined;

/** @param {string} name @param {string} type */
const isOfType = (name, type) => {
  const own = ggufType(name)?.toUpperCase();
  return own !== undefined && [type.toUpperCase(), `UD-${type.toUpperCase()}`].includes(own);
};

/** What llama.cpp takes where a repository has several types and none is named. */
const usualType = 'Q4_K_M';

/**
 * Of several checkpoints one is the model: transformers' own, else one that an index lists.
 * @param {string[]} names @param {Wanted} wanted
 */
function chosenCheckpoint(names, { type, file }) {
  if (file !== undefined) return names.includes(file) ? checkpointOf(file) : undefined;
  const weights = names.filter((name) => !beside(name) && (type === undefined || isOfType(name, type)));
  const found = weights.map(checkpointOf).filter((one) => one !== undefined);
  const indexed = weights.map((name) => index.exec(name)?.[1]).filter((stem) => stem !== undefined);
  for (const stem of ['model', ...indexed, 'adapter_model']) {
    const hit = found.find((one) => one.stem === stem);
    if (hit) return hit;
  }
  const usual = weights.find((name) => isOfType(name, usualType));
  return usual ? checkpointOf(usual) : (found[0] ?? names.map(checkpointOf).find((one) => one !== undefined && type === undefined));
}

/** @typedef {{type?: string | undefined, file?: string | undefined}} Wanted one type of GGUF, or one file and the parts that it is split into */

/**
 * Parts `files` into those that describe one model and the rest.
 * A single file is taken whatever its name: who gives one alone means it.
 * @template {{name: string}} T
 * @param {readonly T[]} files
 * @param {Wanted} [wanted]
 * @returns {{chosen: T[], left: T[]}}
 */
export function chooseFiles(files, wanted = {}) {
  const named = wanted.type !== undefined || wanted.file !== undefined;
  if (files.length === 1 && !named) return { chosen: [...files], left: [] };
  const checkpoint = chosenCheckpoint(
    files.map(({ name }) => name),
    wanted,
  );
  if (named && !checkpoint) return { chosen: [], left: [...files] };
  const takes = (/** @type {string} */ name) => {
    const [, listed] = index.exec(name) ?? [];
    if (listed) return checkpoint === undefined || listed === checkpoint.stem;
    return configs.includes(name) || (checkpoint !== undefined && checkpointOf(name)?.key === checkpoint.key);
  };
  return { chosen: files.filter(({ name }) => takes(name)), left: files.filter(({ name }) => !takes(name)) };
}
