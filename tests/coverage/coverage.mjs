// Which lines and branches of the engine the tests run, by room, against floors. Edges that only an exception takes are
// not counted: none crosses the engine's doors.
//
//   node tests/coverage/coverage.mjs BUILD [--table FILE] [--lines ROOM]
//
// BUILD: the preset coverage's folder, after its tests have run. --lines: what no test runs in a room.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { floors, reasons } = JSON.parse(readFileSync(new URL('floors.json', import.meta.url), 'utf8'));
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { table: { type: 'string' }, lines: { type: 'string' } },
});
const [build = 'build/coverage'] = positionals;

const counting = ['--exclude-throw-branches', '--exclude-unreachable-branches', '--gcov-ignore-parse-errors'];
const out = `${root}/build/coverage.json`;
mkdirSync(dirname(out), { recursive: true });
const read = ['--root', root, '--filter', `${root}engine/`, ...counting, '--object-directory', build];
execFileSync('gcovr', [...read, '--json', out, build], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

const { files } = JSON.parse(readFileSync(out, 'utf8'));
const counted = files.map(({ file, lines }) => {
  const own = lines.filter((line) => !line['gcovr/noncode']);
  const branches = own.flatMap((line) => line.branches.filter((branch) => !branch.throw));
  return {
    file,
    room: file.split('/')[1],
    lines: own.length,
    run: own.filter((line) => line.count > 0).length,
    branches: branches.length,
    taken: branches.filter((branch) => branch.count > 0).length,
    missed: own.filter((line) => line.count === 0).map((line) => line.line_number),
  };
});

const sum = (list, key) => list.reduce((all, one) => all + one[key], 0);
const percent = (part, whole) => (whole === 0 ? 100 : (100 * part) / whole);
const rooms = [...new Set(counted.map(({ room }) => room))].sort();
const judged = [...rooms, 'all'].map((room) => {
  const own = counted.filter((one) => room === 'all' || one.room === room);
  const lines = percent(sum(own, 'run'), sum(own, 'lines'));
  const branches = percent(sum(own, 'taken'), sum(own, 'branches'));
  return { room, lines, branches, least: floors[room] ?? [0, 0], of: [sum(own, 'lines'), sum(own, 'branches')] };
});

const table = [
  '| Room | Lines | run, % | floor | Branches | taken, % | floor |',
  '|---|---|---|---|---|---|---|',
  ...judged.map(
    ({ room, lines, branches, least, of }) =>
      `| ${room} | ${of[0]} | ${lines.toFixed(1)} | ${least[0]} | ${of[1]} | ${branches.toFixed(1)} | ${least[1]} |`,
  ),
  '',
  'What no test runs, and why:',
  '',
  ...Object.entries(reasons).map(([what, why]) => `- ${what}: ${why}`),
];
console.log(table.join('\n'));
if (given.table) writeFileSync(given.table, `${table.join('\n')}\n`);
if (given.lines) for (const { file, room, missed } of counted) if (room === given.lines && missed.length) console.log(`${file}: ${missed.join(' ')}`);

const below = judged.filter(({ lines, branches, least }) => lines < least[0] || branches < least[1]);
for (const { room } of below) console.error(`coverage: ${room} is below its floor`);
console.log(`coverage: ${judged.at(-1).lines.toFixed(1)} % of lines, ${judged.at(-1).branches.toFixed(1)} % of branches`);
process.exitCode = below.length ? 1 : 0;
