// @ts-check
// Ids and addresses of models as people paste them, read without asking anybody: `org/name`, a page's or a file's address
// on huggingface.co, hf.co, a mirror of it, or modelscope.cn, and names of Ollama's library.

/**
 * @typedef {object} Repository
 * @property {'hub' | 'modelscope' | 'ollama'} kind
 * @property {string} [organization]
 * @property {string} name in Ollama's library with its tag
 * @property {string} fetched how files are fetched by it: see files/origins.mjs
 */

/** @type {Record<string, Repository['kind']>} */
const hosts = {
  'huggingface.co': 'hub',
  'hf.co': 'hub',
  'hf-mirror.com': 'hub',
  'modelscope.cn': 'modelscope',
  'modelscope.ai': 'modelscope',
  'ollama.com': 'ollama',
  'registry.ollama.ai': 'ollama',
};

/** @type {Record<string, Repository['kind']>} */
const prefixes = { hf: 'hub', huggingface: 'hub', modelscope: 'modelscope', ms: 'modelscope', ollama: 'ollama' };

const part = /^[\w][\w.+-]*$/;

/** What follows the host: the repository alone, without branch and file. @param {Repository['kind']} kind @param {string} path @returns {Repository | undefined} */
function inPath(kind, path) {
  const plain = path.replace(/[?#].*$/, '').replace(/^\/+|\/+$/g, '');
  const names = plain.replace(kind === 'ollama' ? /^library\// : /^models\//, '').split('/');
  if (kind === 'ollama') return ofOllama(names);
  const [organization = '', written = ''] = names;
  const name = written.replace(/[@:].*$/, '');
  if (!part.test(organization) || !part.test(name)) return undefined;
  const prefix = kind === 'modelscope' ? 'modelscope:' : '';
  return { kind, organization, name, fetched: `${prefix}${organization}/${written}` };
}

/** @param {readonly string[]} names @returns {Repository | undefined} */
function ofOllama(names) {
  const [first = '', second] = names;
  const name = second === undefined || second === 'tags' || second === 'blobs' ? first : second;
  const organization = name === first ? undefined : first;
  const whole = organization === undefined ? name : `${organization}/${name}`;
  if (!whole.split(/[/:]/).every((one) => part.test(one))) return undefined;
  return { kind: 'ollama', ...(organization !== undefined && { organization }), name, fetched: `ollama:${whole}` };
}

/**
 * The repository that a text names; undefined for any other text.
 * @param {string} written @returns {Repository | undefined}
 */
export function repositoryIn(written) {
  const text = written.trim();
  const [, prefix = '', behind = ''] = /^([a-z]+):(?!\/\/)(.+)$/i.exec(text) ?? [];
  const kind = prefixes[prefix.toLowerCase()];
  if (kind && !/^https?:/i.test(behind)) return inPath(kind, behind);
  const [, host = '', path = ''] = /^(?:https?:\/\/)?(?:www\.)?([a-z\d-]+(?:\.[a-z\d-]+)+)\/(.+)$/i.exec(kind ? behind : text) ?? [];
  const own = hosts[host.toLowerCase()];
  if (own) return inPath(own, path);
  if (/^[a-z]+:/i.test(text)) return undefined;
  return /^[^/\s]+\/[^/\s]+$/.test(text) ? inPath('hub', text) : undefined;
}
