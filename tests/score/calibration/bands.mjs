// presets/bands, from the rows of tests/measured alone: made, written, and held to what they would be.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { calibrated, presetsOf } from './calibration.mjs';
import { summaryOf, validated } from './cross_validation.mjs';
import { residuals } from './residuals.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'presets', 'bands');

/** One entry a line, as the other presets are written. */
function text({ id, rows, totals }) {
  const spaced = (value) => JSON.stringify(value).replace(/[,:](?=["\d])/g, '$& ');
  const entries = (all) =>
    Object.entries(all)
      .map(([key, entry]) => `    ${JSON.stringify(key)}: ${spaced(entry)}`)
      .join(',\n');
  const block = (all) => (Object.keys(all).length ? `{\n${entries(all)}\n  }` : '{}');
  return `{\n  "id": ${JSON.stringify(id)},\n  "rows": ${block(rows)},\n  "totals": ${block(totals)}\n}\n`;
}

/**
 * @param {string[]} files of rows
 * @returns {Promise<{files: Map<string, string>, strata: object[], groups: Map<string, object>, all: object[]}>} the presets' text by file
 *   name; how they hold, by runtime or method and metric; and what they were made from
 */
export async function calibration(files) {
  const all = await residuals(files);
  const groups = calibrated(all.filter(({ aside }) => !aside));
  const { strata, byModel } = validated(all, groups);
  const coverage = (id, metric) => {
    const cases = groups.get(id).own.filter((one) => one.metric === metric);
    return cases.length > 0 ? summaryOf(cases, byModel).inside : undefined;
  };
  const presets = presetsOf(groups, coverage);
  return {
    files: new Map(presets.map((preset) => [`${preset.id}.json`, text(preset)])),
    strata,
    groups,
    all,
  };
}

const written = () => (existsSync(folder) ? readdirSync(folder) : []);

export function writeBands(files) {
  mkdirSync(folder, { recursive: true });
  for (const name of written()) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}

/** Names of files that are not what the rows make. */
export function staleBands(files) {
  const other = written().filter((name) => !files.has(name));
  const changed = [...files].filter(([name, content]) => !existsSync(join(folder, name)) || readFileSync(join(folder, name), 'utf8') !== content);
  return [...other, ...changed.map(([name]) => name)];
}
