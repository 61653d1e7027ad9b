// From two answers to a configuration: which model, device or method goes with what was said is asked of the engine.

import type { ModelEntry, Tables } from '../engine/assets.ts';
import type { Engine } from '../engine/engine.ts';
import type { SolveReply } from '../engine/wire.d.ts';
import type { FieldId, Value } from '../state/fields.ts';
import { initialState, type State } from '../state/state.ts';
import { answerTo, firstOf, Turns } from './filling.ts';
import type { Question } from './fits.mjs';
import { askedOf, byMemory, holds } from './tables.ts';

/** What a model is wanted for. */
export const uses = ['chat', 'serve', 'long'] as const;
export type Use = (typeof uses)[number];

/** Where a model is to run. */
export const places = ['own', 'server', 'published'] as const;
export type Place = (typeof places)[number];

/** Models that came out within so many months of the newest are offered by themselves. */
const recentMonths = 18;

const forUse: Record<Use, Partial<Record<FieldId, Value>>> = {
  chat: { 'inference.runtime': 'llama.cpp', 'weights.encoding': 'gguf-q4_k_m', 'inference.context': 8192 },
  serve: { 'inference.runtime': 'vllm', 'inference.context': 8192, 'inference.sequences': 8 },
  long: { 'inference.runtime': 'llama.cpp', 'weights.encoding': 'gguf-q4_k_m', 'inference.context': 32768 },
};

const forPlace: Record<Place, Partial<Record<FieldId, Value>>> = {
  own: forUse.chat,
  server: forUse.serve,
  published: { 'inference.runtime': 'transformers', 'inference.context': 8192 },
};

/** What is tried of a training, from all parameters to the fewest bytes. */
const methods: readonly Partial<Record<FieldId, Value>>[] = [
  { 'training.method': 'full' },
  { 'training.method': 'lora' },
  { 'training.method': 'qlora' },
  { 'training.method': 'qlora', 'training.checkpointing': 'full' },
];

/** Where one device is not enough, so many of this one are tried. */
const largeDevice = 'h200-sxm-141gb';
const mostDevices = 64;

function stateOf(task: State['task'], values: Partial<Record<FieldId, Value>>): State {
  const state = initialState();
  return { ...state, task, values: { ...state.values, ...values } };
}

/** Months since the year 0. */
const monthsOf = ({ released = '0000-01' }: ModelEntry): number => 12 * Number(released.slice(0, 4)) + Number(released.slice(5, 7));

export class Guide {
  private turns = new Turns();

  constructor(
    private engine: Engine,
    private tables: Tables,
    private models: readonly ModelEntry[],
  ) {}

  private async hold(ids: readonly string[]): Promise<void> {
    await this.engine.becomeWhole();
    for (const id of ids)
      if (!this.engine.holds(id)) {
        await this.turns.breathe();
        await this.engine.fetchModel(id);
      }
  }

  private async solve(state: State, find: string, more: object): Promise<Value | undefined> {
    const question = { request: askedOf(state), find, ...more };
    const reply = (await answerTo(this.engine, this.turns, { command: 'solve', question })) as SolveReply;
    return 'value' in reply ? (reply.value ?? undefined) : undefined;
  }

  /** The largest of the recent models that the device holds. */
  async forCard(device: string, use: Use): Promise<State> {
    const newest = Math.max(...this.models.map(monthsOf));
    const recent = this.models.filter((model) => newest - monthsOf(model) < recentMonths && (model.context ?? 0) >= 32768);
    const ids = recent.map(({ id }) => id);
    await this.hold(ids);
    const state = stateOf('inference', { ...forUse[use], 'device.preset': device, 'model.preset': ids[0]! });
    const model = await this.solve(state, 'model.preset', { values: ids });
    return { ...state, values: { ...state.values, 'model.preset': model ?? this.smallest() } };
  }

  private smallest(): string {
    return this.models.reduce((least, one) => (one.parameters < least.parameters ? one : least)).id;
  }

  /** The smallest device that holds the model, or as few large ones as do. */
  async forModel(model: string, place: Place): Promise<State> {
    await this.hold([model]);
    const state = stateOf('inference', { ...forPlace[place], 'model.preset': model });
    const all = byMemory(this.tables, 'nvidia').map((device): readonly [State, Question] => {
      const own = { ...state, values: { ...state.values, 'device.preset': device } };
      return [own, { command: 'estimate', question: askedOf(own) }];
    });
    const found = await firstOf(this.engine, this.turns, all, holds, () => true);
    if (found) return found.one;
    const large = { ...state, values: { ...state.values, 'device.preset': largeDevice } };
    const number = await this.solve(large, 'devices', { limit: { devices: mostDevices } });
    return number === undefined ? large : { ...large, values: { ...large.values, devices: number } };
  }

  /** The method that trains most of what the device holds. */
  async forTuning(model: string, device: string): Promise<State> {
    await this.hold([model]);
    const all = methods.map((method) => stateOf('training', { ...method, 'model.preset': model, 'device.preset': device }));
    const questions = all.map((state): readonly [State, Question] => [state, { command: 'estimate', question: askedOf(state) }]);
    return (await firstOf(this.engine, this.turns, questions, holds, () => true))?.one ?? all.at(-1)!;
  }
}
