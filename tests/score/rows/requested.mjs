// Rows that hold the request itself, as tests/measured/measure.py prints them: asked again, and compared as a whole and phase by phase.

import { deviceNamed } from './names.mjs';

/** What a row says was measured of a whole run, and where a reply says the same. */
const totals = {
  max_allocated: ['allocated', 'total', (reply) => reply.total],
  max_reserved: ['reserved', 'total/reserved', (reply) => reply.total.reserved],
  process: ['process', 'total/process', (reply) => reply.total.process],
};

export const isRequested = (row) => 'request' in row && 'phases' in row;

/** The device by its name, with the memory that it said it has. */
function deviceOf({ device, request }) {
  const preset = deviceNamed(device);
  return { ...(preset && { preset }), ...request.device };
}

function ofTheRun({ measured }, reply) {
  return Object.entries(totals).flatMap(([name, [metric, at, part]]) => {
    const { bytes, low, high } = part(reply);
    return measured[name] > 0 ? [{ metric, of: metric, at: [at], truth: measured[name], answer: bytes, low, high, tolerance: 0 }] : [];
  });
}

/**
 * A phase at its fullest, against the timeline, which counts what the allocator counts; the timeline has no bands. A model that takes its
 * loss itself has it within its forward pass.
 */
function ofItsPhases({ phases }, reply) {
  const ours = new Map((reply.timeline ?? []).map(({ phase, bytes }) => [phase, bytes]));
  if (!phases.loss && ours.has('loss')) ours.set('forward', Math.max(ours.get('forward'), ours.get('loss')));
  const told = Object.entries(phases).filter(([phase]) => phase !== 'run'); // a trainer's own loop, as a whole
  return told.map(([phase, { peak_allocated: truth }]) => ({
    metric: `in phase ${phase}`,
    truth,
    answer: ours.get(phase),
    at: [`timeline/${phase}`],
    tolerance: 0,
  }));
}

export function requestedCase(row) {
  const engine = `${row.request.task}, ${row.task}`;
  if (row.kind === 'dry run') return { engine, reason: 'a dry run: nothing was measured' };
  const model = row.preset ? { preset: row.preset } : { config: row.config, name: row.model };
  return {
    engine,
    name: row.id ?? `${row.model}, ${row.task}`,
    requests: [{ ...row.request, explain: 'rows', model, device: deviceOf(row) }],
    compare: (reply) => [...ofTheRun(row, reply), ...ofItsPhases(row, reply)],
  };
}
