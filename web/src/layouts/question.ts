// The form and a cluster make a question about layouts; a layout of the reply goes back into the form.

import type { Plan, PlanLayout } from '../engine/wire.d.ts';
import { request, withFiles } from '../state/request.ts';
import type { State } from '../state/state.ts';

export type Want = NonNullable<Plan['want']>;

/** What a search may leave as the form has it. */
export type Kept = 'degrees' | 'framework' | 'recompute' | 'batch';

/** Devices of another kind, by the id of their preset. */
export interface OtherCluster {
  device: string;
  perNode: number;
  nodes: number;
}

export interface Wish {
  perNode: number;
  nodes: number;
  /** GB/s that a device sends to others of its node, and to other nodes: the shortest step asks for them. */
  within: number;
  between: number;
  want: Want;
  /** Sequences of a step over all devices; undefined: micro-batch and accumulation are the form's. */
  batch: number | undefined;
  kept: readonly Kept[];
  /** Clusters on which a layout may run instead of the form's devices. */
  others: readonly OtherCluster[];
}

const gigabyte = 1e9;

/** Devices of a cluster at most, as the engine has it. */
export const mostDevices = 16384;

/** Layouts in a reply. */
export const keep = 24;

/** What can be wanted, by task. */
export const wants: Readonly<Record<State['task'], readonly Want[]>> = {
  training: ['least_overhead', 'shortest_step', 'fits', 'fewest_devices', 'largest_micro_batch', 'least_traffic'],
  inference: ['fewest_devices', 'fits', 'most_sequences', 'least_traffic'],
};

const degrees = ['data', 'tensor', 'pipeline', 'context', 'expert', 'virtual_stages', 'sequence_parallel'];

/** Fields that a search chooses, by what may be kept of them. */
const chosen: Readonly<Record<State['task'], Partial<Record<Kept, readonly string[]>>>> = {
  inference: { degrees: ['devices', ...degrees.map((name) => `parallel.${name}`)] },
  training: {
    degrees: ['training.devices', ...degrees.map((name) => `training.parallel.${name}`)],
    framework: ['training.parallel.framework', 'training.parallel.zero'],
    recompute: ['training.checkpointing'],
    batch: ['training.micro_batch', 'training.accumulation'],
  },
};

/** What may be kept of a task, in the order in which it is offered. */
export const keepable = (task: State['task']): Kept[] => Object.keys(chosen[task]) as Kept[];

function without(state: State, kinds: readonly Kept[]): State {
  const gone = new Set(kinds.flatMap((kind) => chosen[state.task][kind] ?? []));
  return { ...state, values: Object.fromEntries(Object.entries(state.values).filter(([id]) => !gone.has(id))) as State['values'] };
}

/** The question of a search: what is not kept is searched. Without a global batch, micro-batch and accumulation stay. */
export function questionOf(state: State, { perNode, nodes, within, between, want, batch, kept, others }: Wish): Plan {
  const wanted = wants[state.task].includes(want) ? want : wants[state.task][0]!;
  const links = wanted === 'shortest_step' && { bandwidth_within: within * gigabyte, bandwidth_between: between * gigabyte };
  const training = state.task === 'training';
  const free = keepable(state.task).filter((kind) => !kept.includes(kind) && (kind !== 'batch' || batch !== undefined));
  const asked = JSON.parse(request(without(state, free), 'none')) as Plan['request'];
  delete asked.explain;
  const own = { devices_per_node: perNode, nodes, ...links };
  const besides = others.map((other) => ({ ...own, device: { preset: other.device }, devices_per_node: other.perNode, nodes: other.nodes }));
  return {
    request: asked,
    cluster: besides.length > 0 ? [own, ...besides] : own,
    want: wanted,
    keep,
    ...(training && batch !== undefined && { global_batch: batch }),
  };
}

/** The form with a layout in it: what it does not say of a layout is the tool's default again. */
export function laidOut(state: State, layout: PlanLayout): State {
  const said: Partial<PlanLayout['request']> = { ...layout.request };
  delete said.model;
  return withFiles(without(state, keepable(state.task)), said, undefined);
}
