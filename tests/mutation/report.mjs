// What a run of mutants says: by room, and the survivors with the reason that survivors.jsonl gives.
import { readFileSync } from 'node:fs';
import { rooms } from './tree.mjs';

const known = () =>
  readFileSync(new URL('survivors.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const percent = (part, whole) => (whole === 0 ? '' : ((100 * part) / whole).toFixed(1));
const cell = (text) => text.replaceAll('|', '\\|');

/** Lines of Markdown; the share that was killed; how many survivors nobody has explained. */
export function summary(judged, possible) {
  const count = (list, outcome) => list.filter((mutant) => mutant.outcome === outcome).length;
  const row = (name, list) =>
    `| ${name} | ${list.length} | ${count(list, 'killed')} | ${count(list, 'alive')} | ${count(list, 'not run')} | ${percent(count(list, 'killed'), list.length)} |`;
  const reasons = known();
  const survivors = judged.filter(({ outcome }) => outcome !== 'killed');
  const reasonOf = ({ path, what }) => reasons.find((one) => path.endsWith(one.path) && what === one.what)?.reason ?? '';
  const lines = [
    `${judged.length} of ${possible} mutants.`,
    '',
    '| Room | Mutants | Killed | Alive | Not run | Killed, % |',
    '|---|---|---|---|---|---|',
    ...rooms.map((room) =>
      row(
        room,
        judged.filter(({ path }) => path.startsWith(`engine/${room}/`)),
      ),
    ),
    row('all', judged),
    '',
    '| Survivor | Change | Reason |',
    '|---|---|---|',
    ...survivors
      .sort((a, b) => (a.path + a.line < b.path + b.line ? -1 : 1))
      .map(
        (one) =>
          `| ${one.path}:${one.line} | \`${cell(one.what.slice(0, 100))}\` | ${one.outcome === 'not run' ? 'no test runs it' : reasonOf(one)} |`,
      ),
  ];
  const unexplained = survivors.filter((one) => one.outcome === 'alive' && !reasonOf(one)).length;
  return { share: count(judged, 'killed') / judged.length, lines, unexplained };
}
