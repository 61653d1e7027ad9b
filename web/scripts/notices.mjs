// Notices of what ships besides our own code: each part's name, version and licence, in the words of its own files. The
// build takes them from what it builds with, so that none can be forgotten or stale; a part without its text fails it.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version '' where the part has none of its own
 * @property {string} licence as SPDX spells it
 * @property {string} text of the licence, with whose it is
 * @property {string} from a package URL, for the bill of materials
 */

/** Stanzas of a Debian copyright file: fields by name. @param {string} text */
const stanzas = (text) =>
  text
    .split(/\n[ \t]*\n/)
    .map((stanza) => Object.fromEntries([...stanza.matchAll(/^([\w-]+):((?:.*\n?)(?:[ \t].*\n?)*)/gm)].map(([, name, value]) => [name, value])));

/** A field's lines without their indent; a dot alone is an empty line. @param {string} text */
const unfolded = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/^ /, '').replace(/^\.$/, ''))
    .join('\n');

/** What Debian's copyright file of a package says of some files, where the package brings no licence file. @param {string} file @param {RegExp} files */
function fromDebian(file, files) {
  if (!existsSync(file)) return undefined;
  const all = stanzas(readFileSync(file, 'utf8'));
  const of = all.filter((one) => one.Files !== undefined && files.test(one.Files.trim()));
  const names = new Set(
    of.flatMap((one) =>
      (one.License ?? '')
        .trim()
        .split('\n')[0]
        .split(/ (?:or|and|with) /),
    ),
  );
  const said = of.map((one) =>
    [`Copyright:\n${(one.Copyright ?? '').trimEnd()}`, one['License-Grant'], one.License?.includes('\n') ? one.License : '']
      .filter(Boolean)
      .map(unfolded)
      .join('\n\n'),
  );
  // A licence that Debian only names is one whose exception lets its text be left out of compiled code (LLVM's).
  const texts = all
    .filter((one) => one.Files === undefined && names.has((one.License ?? '').trim().split('\n')[0]))
    .map((one) => unfolded(one.License));
  return of.length > 0 && texts.length > 0 ? [...said, ...texts.filter((text) => text.includes('\n'))].join('\n\n') : undefined;
}

/** The first of some files that is there. @param {readonly string[]} files */
const firstOf = (files) => {
  const file = files.find((one) => existsSync(one));
  return file && readFileSync(file, 'utf8').trim();
};

/** A variable that CMake found. @param {string} build @param {string} name */
const cached = (build, name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, 'm').exec(readFileSync(join(build, 'CMakeCache.txt'), 'utf8'))?.[1];

/** What the compiler links into every WebAssembly, by where Emscripten keeps its source. */
const libraries = [
  { name: 'musl', licence: 'MIT', files: ['system/lib/libc/musl/COPYRIGHT'], debian: /^system\/lib\/libc\/musl\/\*$/ },
  { name: 'libc++', licence: 'Apache-2.0 WITH LLVM-exception', files: ['system/lib/libcxx/LICENSE.TXT'], debian: /^system\/lib\/libcxx\/\*$/ },
  {
    name: 'libc++abi',
    licence: 'Apache-2.0 WITH LLVM-exception',
    files: ['system/lib/libcxxabi/LICENSE.TXT'],
    debian: /^system\/lib\/libcxxabi\/\*$/,
  },
  {
    name: 'compiler-rt',
    licence: 'Apache-2.0 WITH LLVM-exception',
    files: ['system/lib/compiler-rt/LICENSE.TXT'],
    debian: /^system\/lib\/compiler-rt\/\*$/,
  },
];

/** @param {Omit<Part, 'text'>} part @param {string | undefined} text @returns {Part} */
function complete(part, text) {
  if (!text) throw new Error(`no licence text of ${part.name}: what ships needs its notice (web/scripts/notices.mjs)`);
  return { ...part, text };
}

/** What any build of the engine is made of besides our own code and the compiler's libraries. @param {string} build its folder @returns {Part[]} */
export function nativeParts(build) {
  const text =
    firstOf([join(build, '_deps/nlohmann_json-src/LICENSE.MIT')]) ??
    fromDebian('/usr/share/doc/nlohmann-json3-dev/copyright', /^(?:\*|include\/.*)$/);
  return [complete({ ...versionOfJson(build), name: 'nlohmann/json', licence: 'MIT' }, text)];
}

/** What the engine's WebAssembly is made of besides our own code. @param {string} [build] the folder of the WebAssembly's build @returns {Part[]} */
export function engineParts(build = join(root, 'build', 'wasm')) {
  const emscripten = dirname(realpathSync(cached(build, 'PLIMSOLL_EMCC')));
  const debian = '/usr/share/doc/emscripten/copyright';
  const version = firstOf([join(emscripten, 'emscripten-version.txt')])?.replaceAll('"', '') ?? '';
  const own = { name: 'Emscripten', version, licence: 'MIT', from: `pkg:github/emscripten-core/emscripten@${version}` };
  return [
    ...nativeParts(build),
    complete(own, firstOf([join(emscripten, 'LICENSE')]) ?? fromDebian(debian, /^\*$/)),
    ...libraries.map(({ name, licence, files, debian: stanza }) =>
      complete({ name, version: '', licence, from: own.from }, firstOf(files.map((file) => join(emscripten, file))) ?? fromDebian(debian, stanza)),
    ),
  ];
}

/** @param {string} build */
function versionOfJson(build) {
  const folders = [join(build, 'include/nlohmann/nlohmann'), join(build, '_deps/nlohmann_json-src/include/nlohmann')];
  const text = firstOf(folders.map((folder) => join(folder, 'detail/abi_macros.hpp'))) ?? '';
  const part = (/** @type {string} */ name) => new RegExp(`NLOHMANN_JSON_VERSION_${name} +(\\d+)`).exec(text)?.[1];
  const version = ['MAJOR', 'MINOR', 'PATCH'].map(part).filter(Boolean).join('.');
  return { version, from: `pkg:github/nlohmann/json@v${version}` };
}

/** The npm packages that modules of a bundle come from. @param {Iterable<string>} modules their paths @returns {Part[]} */
export function packageParts(modules) {
  const folders = new Set([...modules].flatMap((id) => /^(?:\0)?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = firstOf(['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'license.md'].map((file) => join(folder, file)));
    return complete({ name, version, licence: license, from: `pkg:npm/${name.replace('@', '%40')}@${version}` }, text);
  });
}

const rule = '-'.repeat(80);

/** All of them as one text; a licence that several share stands once. @param {readonly Part[]} parts */
export function noticeText(parts) {
  const byText = new Map();
  for (const part of parts) byText.set(part.text, [...(byText.get(part.text) ?? []), part]);
  const sections = [...byText].map(
    ([text, of]) => `${of.map(({ name, version, licence }) => `${[name, version].filter(Boolean).join(' ')} (${licence})`).join('\n')}\n\n${text}`,
  );
  return `What Plimsoll ships besides its own code, and the licences of it.\n\n${[...sections, ''].join(`\n\n${rule}\n\n`)}`;
}
