// ./dev score --against COMMAND: holds any calculator against the conformance vectors. COMMAND is run by the shell once for each request: it
// reads the request as JSON on standard input and writes a reply as JSON on standard output, in the form of presets/schema/reply.json as far
// as it goes: a figure that its reply does not have counts as not answered, and so does a reply that is late or no JSON.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

import { figureOf, isHeld } from '../../../web/src/library/conformance/index.mjs';
import { parsed } from '../../../web/src/node/output/json.mjs';
import { grouped, reasonLines, rowLines, summaries, summaryLines } from '../statistics.mjs';

/** More than this of a reply is not kept: a command that writes without end is ended. */
const longest = 64 * 2 ** 20;

const firstLine = (text) => text.trim().split('\n')[0].slice(0, 160);

/** What a finished command said. */
function verdict({ out, err, status, signal, ended }) {
  if (ended) return { fault: ended };
  const reply = parsed(out);
  if (reply !== null && typeof reply === 'object')
    return reply.error ? { fault: `refused: ${reply.error.code ?? firstLine(JSON.stringify(reply.error))}` } : { reply };
  const how = signal ? `ended by ${signal}` : status === 0 ? '' : `status ${status}`;
  const what = out.trim() === '' ? 'no reply' : 'the reply is no JSON';
  return { fault: [what, how, err.trim() && firstLine(err)].filter(Boolean).join(', ') };
}

/** Ends a command with whatever it has started; it leads a group of its own. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL'); // it never had a group: there was nothing to start
  }
}

/** @param {string} command @param {object} request @param {number} seconds @returns {Promise<{reply?: object, fault?: string}>} */
export function asked(command, request, seconds) {
  return new Promise((done) => {
    const child = spawn(command, { shell: true, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const said = { out: '', err: '', ended: undefined };
    const stop = (why) => {
      said.ended ??= why;
      end(child);
    };
    const late = setTimeout(() => stop(`no reply within ${seconds} s`), 1000 * seconds);
    for (const [name, stream] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ]) {
      stream.setEncoding('utf8').on('data', (text) => {
        if (said[name].length > longest) stop('the reply has no end');
        else said[name] += text;
      });
    }
    child.on('error', (fault) => stop(fault.message));
    child.on('close', (status, signal) => {
      clearTimeout(late);
      done(verdict({ ...said, status, signal }));
    });
    child.stdin.on('error', () => undefined); // it may answer without having read
    child.stdin.end(`${JSON.stringify(request)}\n`);
  });
}

/** Runs `work` over a list, so many at a time, in its order. */
async function concurrently(list, jobs, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const at = next++;
      results[at] = await work(list[at]);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return results;
}

/** Under what a vector's figures are counted together: the runtime, or the method of training. */
function groupOf({ kind, request: { training, inference } }) {
  if (kind === 'training') return training.method ?? 'full';
  return ['buffers', 'logs', 'inference'].includes(kind) ? (inference.runtime ?? 'transformers') : 'all';
}

/** A vector and what a command said of it, as results: one for each figure. */
export function resultsOf(vector, first, second) {
  const { kind, name, figures, less } = vector;
  const fault = first.fault ?? second?.fault;
  return figures.map(({ metric, at, truth, from, to, tolerance }) => {
    const about = { kind, engine: groupOf(vector), name, metric };
    if (fault) return { ...about, reason: fault };
    const figure = figureOf(at, first.reply, less && second.reply);
    if (!figure) return { ...about, reason: `the reply has no ${at.join(' + ')}` };
    const { value: answer, low, high } = figure;
    return { ...about, truth, answer, low, high, tolerance, between: [from, to], held: isHeld({ from, to, truth, tolerance }, answer) };
  });
}

/** Says how far it is: on a terminal in one line, else each tenth. */
function progress(whole) {
  let done = 0;
  return () => {
    done++;
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${whole}${done === whole ? '\n' : ''}`);
    else if (done === whole || Math.floor((10 * done) / whole) > Math.floor((10 * (done - 1)) / whole)) console.error(`${done} of ${whole}`);
  };
}

/** @param {string} command @param {object[]} vectors @param {{seconds: number, jobs?: number, told?: () => void}} options */
export async function against(command, vectors, { seconds, jobs = availableParallelism(), told = () => undefined }) {
  const all = await concurrently(vectors, jobs, async (vector) => {
    const first = await asked(command, vector.request, seconds);
    const second = vector.less && !first.fault ? await asked(command, vector.less, seconds) : undefined;
    told();
    return resultsOf(vector, first, second);
  });
  return all.flat();
}

/** How many figures were held, by what they are of. */
function heldLines(results) {
  const counted = (rows) => `${rows.filter(({ held }) => held).length} of ${rows.length}`;
  return grouped(results, ({ kind }) => kind).map(([kind, rows]) => `  ${kind}: ${counted(rows)}`);
}

/** The whole command: vectors, progress, the table. @returns {Promise<number>} 0 where anything was answered */
export async function report(command, vectors, { seconds, rows }) {
  console.error(`${vectors.length} vectors against: ${command}`);
  const results = await against(command, vectors, { seconds, told: progress(vectors.length) });
  if (rows) console.log(`${rowLines(results).join('\n')}\n`);
  console.log(summaryLines(summaries(results)).join('\n'));
  console.log(`\n${reasonLines(results).join('\n')}`);
  console.log(['\nfigures within their tolerance:', ...heldLines(results)].join('\n'));
  return results.some(({ reason }) => reason === undefined) ? 0 : 1;
}
