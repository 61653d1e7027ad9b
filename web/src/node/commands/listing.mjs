// `plimsoll list`: what is built in, one line each.

import { entriesOf, groupsOf } from '../../library/listing.mjs';
import { presets } from '../presets.mjs';
import { csvLines, markdownLines } from '../output/forms.mjs';
import { lookAt } from '../output/look.mjs';
import { columns } from '../output/table.mjs';
import { count } from '../../library/units.mjs';
import { filtered } from './filters.mjs';
import { opened, out } from './printing.mjs';
import { UsageError, unknown } from './usage.mjs';

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
  machines: [
    ['id', (m) => m.id],
    ['name', (m) => m.name],
    ['device', (m) => m.device],
    ['count', (m) => String(m.count.value), 'right'],
    ['link', (m) => m.link.words ?? m.link.kind],
    ['year', (m) => String(m.year ?? ''), 'right'],
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
  others: [
    ['id', (o) => o.id],
    ['name', (o) => o.name],
    ['bytes', (o) => given(o.bytes), 'right'],
    ['description', (o) => o.description],
  ],
  runtimes: [
    ['id', (r) => r.id],
    ['name', (r) => r.name],
    ['versions', (r) => r.versions ?? ''],
  ],
  trainers: [
    ['id', (t) => t.id],
    ['name', (t) => t.name],
    ['versions', (t) => t.versions],
  ],
};

export const listable = Object.keys(layouts);

const cellsOf = (models, layout) => models.map((preset) => layout.map(([, cell]) => cell(preset) ?? ''));

/** A family's name on a line of its own, its members below it. */
function lines({ family, models }, layout) {
  const rows = cellsOf(models, layout);
  return family ? [[family], ...rows.map(([id, ...others]) => [`  ${id}`, ...others])] : rows;
}

const aligned = (layout) => layout.map(([, , align]) => align ?? 'left');

/** Groups of presets as lines of text; a narrow terminal does without the columns from the last to the second. */
function listText(groups, layout, { width }) {
  const spare = layout
    .map((_, at) => at)
    .slice(2)
    .reverse();
  return columns([layout.map(([title]) => title), ...groups.flatMap((group) => lines(group, layout))], aligned(layout), { width, spare }).join('\n');
}

/** Without families: each line stands for itself. */
function listCells(kind, all) {
  const layout = layouts[kind];
  return [layout.map(([title]) => title), ...cellsOf(all, layout)];
}

/** @param {string[]} argv @returns {Promise<number>} the exit status */
export async function list(argv) {
  const { files, flags, done } = opened('list', argv);
  if (done) return 0;
  const [kind, ...words] = files;
  if (kind === undefined) throw new UsageError(`list needs one of ${listable.join(', ')}`, 'list');
  if (!listable.includes(kind)) throw unknown('kind', kind, listable, 'list');
  const groups = groupsOf(kind, filtered(kind, presets(kind), words, flags));
  const all = groups.flatMap(({ models }) => models);
  if (flags.json) out(JSON.stringify(entriesOf(kind, all)));
  else if (flags.csv) out(csvLines(listCells(kind, all)).join('\n'));
  else if (flags.markdown) out(markdownLines(listCells(kind, all), aligned(layouts[kind])).join('\n'));
  else out(listText(groups, layouts[kind], lookAt('GiB', process.stdout)));
  return 0;
}
