// What a row says of itself, whichever file it lies in: which model, who says so, where, when and on what.

import { modelNamed, presetOf } from './names.mjs';

/** Words behind a source's name that are an address. */
const addresses = [
  [/https?:\/\/[^\s)]+[^\s).,]/, ([address]) => address],
  [/arXiv:(\d{4}\.\d{4,5})/, ([, paper]) => `https://arxiv.org/abs/${paper}`],
  [
    /^([\w.-]+\/[\w.-]+) (issue|pull request) (\d+)/,
    ([, name, kind, number]) => `https://github.com/${name}/${kind === 'issue' ? 'issues' : 'pull'}/${number}`,
  ],
  [/^([\w.-]+\/[\w.-]+)@([0-9a-f]{7,40}):([\w./-]+)/, ([, name, commit, path]) => `https://github.com/${name}/blob/${commit}/${path}`],
  [/^([\w.-]+\/[\w.-]+)(?=[ @]|$)/, ([, name]) => `https://github.com/${name}`],
];

function addressOf({ url }, title) {
  if (url) return url;
  for (const [words, made] of addresses) {
    const found = words.exec(title);
    if (found) return made(found);
  }
  return undefined;
}

const versionsOf = ({ version, versions, torch, source = '' }) =>
  version ??
  (versions &&
    Object.entries(versions)
      .map(([name, one]) => `${name} ${one}`)
      .join(', ')) ??
  (torch && `PyTorch ${torch}`) ??
  /^llama\.cpp \(([\d-]+)\)/.exec(source)?.[1];

/** The day or month that a row or its source names. */
const dateOf = ({ date, source = '', where = '' }) => date ?? /\b20\d\d-\d\d(-\d\d)?\b/.exec(`${source} ${where}`)?.[0];

function sourceOf(row) {
  const title = row.source ?? row.count_source ?? 'tests/measured/measure.py';
  const said = {
    title: row.where ? `${title}, ${row.where}` : title,
    url: addressOf(row, title),
    version: versionsOf(row),
    date: dateOf(row),
    device: row.hardware ?? row.settings?.gpu ?? row.device,
    quoted: row.quoted ?? row.quote,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => typeof value === 'string' && value !== ''));
}

/** The family that presets give a model; where none has its name, its class. */
function familyOf(name, config) {
  const preset = presetOf('models', modelNamed(name));
  return preset?.family ?? config?.model_type ?? config?.architectures?.[0];
}

/** @returns {{model: string, family?: string, source: {title: string, url?: string, version?: string, date?: string, device?: string, quoted?: string}}} */
export function aboutOf({ row, requests }) {
  const { model: asked } = requests?.[0] ?? {};
  const preset = asked?.preset && presetOf('models', asked.preset);
  const own = 'config' in row && typeof row.config === 'string' ? row.config : undefined;
  const model = row.model_full ?? row.model ?? row.name ?? own ?? row.family ?? row.kind ?? '';
  return { model, family: row.params_total ? row.family : (preset?.family ?? familyOf(model, asked?.config)), source: sourceOf(row) };
}
