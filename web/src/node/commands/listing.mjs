// `plimsoll list`: what is built in, one line each.

import { encodingFamilies, families } from '../families.mjs';
import { presets } from '../presets.mjs';
import { columns } from '../output/table.mjs';
import { count } from '../output/units.mjs';

const given = (entry, unit = '') => (entry?.value === undefined ? '' : `${count(entry.value)} ${entry.unit ?? unit}`.trim());

/** Per kind: the columns, and what stands in them. */
const layouts = {
  models: [
    ['id', (m) => m.id],
    ['name', (m) => m.name],
    ['parameters', (m) => given(m.parameters), 'right'],
    ['active_parameters', (m) => given(m.active_parameters), 'right'],
    ['context', (m) => (m.context ? count(m.context) : ''), 'right'],
    ['released', (m) => m.released ?? ''],
  ],
  devices: [
    ['id', (d) => d.id],
    ['name', (d) => d.name],
    ['memory', (d) => given(d.memory), 'right'],
    ['bandwidth', (d) => given(d.bandwidth), 'right'],
    ['year', (d) => String(d.year ?? ''), 'right'],
  ],
  encodings: [
    ['id', (e) => e.id],
    ['name', (e) => e.name],
    ['bits', (e) => String(e.bits ?? ''), 'right'],
    ['uses', (e) => (e.uses ?? []).join(', ')],
  ],
  optimizers: [
    ['id', (o) => o.id],
    ['name', (o) => o.name],
    ['states', (o) => (o.states ?? []).map((state) => state.name).join(', ')],
  ],
  runtimes: [
    ['id', (r) => r.id],
    ['name', (r) => r.name],
    ['versions', (r) => r.versions ?? ''],
  ],
};

export const listable = Object.keys(layouts);

/** Encodings by kind, in each those of more bits first. */
const byKind = (encodings) =>
  encodingFamilies.map((family) => ({
    family,
    models: encodings.filter((one) => one.family === family).toSorted((a, b) => b.bits - a.bits),
  }));

/** Models and encodings stand under their families, recent models first; of the other kinds there is no such order. */
const groups = (kind) => ({ models: families, encodings: byKind })[kind]?.(presets(kind)) ?? [{ models: presets(kind) }];

/** A family's name on a line of its own, its members below it. */
function lines({ family, models }, layout) {
  const rows = models.map((preset) => layout.map(([, cell]) => cell(preset) ?? ''));
  return family ? [[family], ...rows.map(([id, ...others]) => [`  ${id}`, ...others])] : rows;
}

/** The presets of a kind as lines of text. */
export function listText(kind) {
  const layout = layouts[kind];
  return columns(
    [layout.map(([title]) => title), ...groups(kind).flatMap((group) => lines(group, layout))],
    layout.map(([, , align]) => align ?? 'left'),
  ).join('\n');
}

/** The presets of a kind as one line of JSON: what the table shows, with the presets' own field names and values. */
export function listJson(kind) {
  const fields = [...layouts[kind].map(([field]) => field), ...({ models: ['family', 'organization'], encodings: ['family'] }[kind] ?? [])];
  const all = groups(kind).flatMap(({ models }) => models);
  return JSON.stringify(all.map((preset) => Object.fromEntries(fields.map((field) => [field, preset[field]]))));
}
