// ./dev bench: how fast, as figures and as ratios within this one run. Goals are printed beside them; none is a failing test,
// for a machine's speed is not the project's.

import { columns } from '../../web/src/node/output/table.mjs';
import { ofFiles } from './files.mjs';
import { inNative } from './native.mjs';
import { onPage } from './page.mjs';
import { questions } from './questions.mjs';
import { inWasm } from './wasm.mjs';

const ms = (value) => (value === undefined ? '–' : value < 0.1 ? value.toFixed(4) : value.toFixed(2));

const wasm = await inWasm(questions);
const native = inNative(questions);
const rows = questions.map(({ name, goal }, i) => {
  const ratio = native && native[i] > 0 ? `${(wasm[i] / native[i]).toFixed(1)} ×` : '–';
  return [name, ms(wasm[i]), ms(native?.[i]), ratio, goal === undefined ? '' : `≤ ${goal}`];
});
const head = ['text to text', 'WebAssembly ms', 'native ms', 'ratio', 'goal ms'];
console.log(columns([head, ...rows], ['left', 'right', 'right', 'right', 'right']).join('\n'));

const none = wasm[questions.findIndex(({ name }) => name.includes('none'))];
const thousand = wasm[questions.findIndex(({ name }) => name.includes('sweep'))];
console.log(`\none point of the sweep costs 1/${Math.round(none / (thousand / 1000))} of a single answer`);

const { rows: readers, line } = await ofFiles();
const files = readers.map(({ name, ours, beside, theirs, goal }) => [
  name,
  ms(ours),
  beside,
  theirs ? ms(theirs) : '',
  theirs ? `${(ours / theirs).toFixed(1)} ×` : '',
  goal,
]);
const fileHead = ['files, in WebAssembly', 'ms', 'beside', 'ms', 'ratio', 'goal'];
console.log(`\n${columns([fileHead, ...files], ['left', 'right', 'left', 'right', 'right', 'right']).join('\n')}`);

if (line) console.log(line);

const page = await onPage();
if (page.reason) console.log(`\npage: not timed: ${page.reason}`);
else {
  const moved = page.rows.map(({ name, median, p90, goal }) => [name, ms(median), ms(p90), `≤ ${goal}`]);
  console.log(
    `\n${columns([['a slider on the page, from its move to the paint', 'median ms', '90th ms', 'goal ms'], ...moved], ['left', 'right', 'right', 'right']).join('\n')}`,
  );
}
