// The bill of materials of a release, in CycloneDX 1.6: `node sbom.mjs FOLDER…` writes it to standard output. The parts are
// those of the notices, the files those of the folders; nothing in it depends on the day or the machine.

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { engineParts, packageParts } from './notices.mjs';

const web = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
const { packages } = JSON.parse(readFileSync(join(web, 'package-lock.json'), 'utf8'));

/** The npm packages whose code the bundles hold: what the notices beside them name. */
function shippedPackages() {
  const notice = readFileSync(join(web, 'dist', 'THIRD-PARTY.txt'), 'utf8');
  const named = Object.keys(packages).filter(
    (path) => path.startsWith('node_modules/') && notice.includes(`\n${path.slice(13)} ${packages[path].version} (`),
  );
  return packageParts(named.map((path) => join(web, path, 'index.js')));
}

/** @param {string} integrity as npm writes a checksum */
const hashOf = (integrity) => ({ alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') });

function component({ name, version, licence, from }) {
  const integrity = packages[`node_modules/${name}`]?.integrity;
  return {
    type: 'library',
    'bom-ref': `${from}#${name}`,
    name,
    ...(version && { version }),
    licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
    purl: from,
    ...(integrity && { hashes: [hashOf(integrity)] }),
  };
}

const filesOf = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

const libraries = [...engineParts(), ...shippedPackages()].map(component);
const files = process.argv.slice(2).flatMap((folder) =>
  filesOf(folder).map((file) => ({
    type: 'file',
    name: join(basename(folder), file.slice(folder.length)),
    hashes: [{ alg: 'SHA-256', content: sha256(file) }],
  })),
);

console.log(
  JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: {
          type: 'application',
          'bom-ref': 'plimsoll',
          name: 'plimsoll',
          version,
          licenses: [{ license: { id: 'MIT' } }],
          purl: `pkg:npm/plimsoll@${version}`,
        },
      },
      components: [...libraries, ...files],
      dependencies: [{ ref: 'plimsoll', dependsOn: libraries.map((one) => one['bom-ref']) }],
    },
    null,
    2,
  ),
);
