// Asks the registry for known vulnerabilities of the locked packages: `node audit.mjs WEB`. One in what ships fails, and a
// critical one anywhere; the others are told. Where no registry answers, that is said and nothing fails.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const [web] = process.argv.slice(2);
/** What the bundles hold (THIRD-PARTY.txt): everything else builds and tests. */
const ships = /^(?:lit|lit-html|lit-element|@lit\/.+|uplot)$/;

async function answer() {
  const words = ['--prefix', web, 'audit', '--json', '--fetch-timeout=30000', '--fetch-retries=1'];
  try {
    return (await promisify(execFile)('npm', words, { maxBuffer: 2 ** 26, timeout: 120_000 })).stdout;
  } catch (fault) {
    return fault.stdout ?? ''; // findings end with a status, too
  }
}

function report(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const { vulnerabilities, metadata } = report(await answer());
if (metadata?.vulnerabilities === undefined) {
  console.log('npm audit: not run, the registry does not answer');
} else {
  const all = Object.values(vulnerabilities);
  for (const { name, severity, via } of all) console.log(`${name}: ${severity}: ${via.map((one) => one.title ?? one).join('; ')}`);
  const bad = all.filter(({ name, severity }) => ships.test(name) || severity === 'critical');
  console.log(`npm audit: ${all.length} packages with known vulnerabilities, ${bad.length} that matter`);
  if (bad.length > 0) process.exitCode = 1;
}
