// What would make it fit, or what the room that is left buys: each change is asked of the engine, alone and in small
// sets. Which is less painful is said by a table (pain.ts); whether it fits, and what it then takes, the engine answers.

import type { Engine } from '../../engine/engine.ts';
import { type Answer, headline, type Reply } from '../../engine/reply.ts';
import type { SolveAnswer, SolveReply } from '../../engine/wire.d.ts';
import type { FieldId, Value } from '../../state/fields.ts';
import { weightEncodings, withoutOthers } from '../../state/runtimes.ts';
import type { State } from '../../state/state.ts';
import { answerTo, firstOf, Turns } from '../filling.ts';
import { type Facts, type Kind, painOf } from './pain.ts';
import { fits } from '../possible.ts';
import { askedOf, byMemory, holds } from '../tables.ts';
import { fieldsOf, type Now, type Setting, triedOf } from './changes.ts';

/** Settings with which it fits, and what the engine says of them. */
export interface Way {
  settings: readonly Setting[];
  state: State;
  pain: number;
  bytes: number;
  verdict: string;
}

export interface Ways {
  /** Whether what is asked for fits already: then these are what more it has room for. */
  more: boolean;
  /** The least painful first. */
  ways: readonly Way[];
}

export interface Asked extends Now {
  engine: Engine;
  facts: Facts;
  order: readonly Kind[];
  wanted: () => boolean;
}

/** The most devices that are offered. */
const mostDevices = 16;
/** Searches in one asking at most, so that it ends. */
const mostSearches = 60;

const encodings: readonly FieldId[] = ['weights.encoding', 'inference.kv_encoding'];
const hardware: readonly FieldId[] = ['devices', 'training.devices', 'device.preset'];

/** Where a field stands in a request, as the search names it. */
const findOf = (id: FieldId): string => (id === 'training.devices' ? 'devices' : id);

/** Fields that a set ends with: they are searched after the others are set. */
const last: readonly FieldId[] = [
  'inference.context',
  'inference.sequences',
  'inference.offload.experts_on_cpu',
  'inference.offload.gpu_layers',
  'devices',
];

/** Bits at which an encoding is tried in a set, and not only the largest that fits alone. */
const classes = [8, 6, 5, 4, 3];

export class WaySearch {
  private turns = new Turns();
  private searches = 0;
  /** Lists as they were looked through, by the field. */
  private orders = new Map<FieldId, NonNullable<SolveAnswer['order']>>();

  constructor(private asked: Asked) {}

  async find(): Promise<Ways | undefined> {
    const { answer, state, wanted } = this.asked;
    const more = fits(answer);
    const ways: Way[] = [];
    for (const id of fieldsOf(this.asked)) {
      const way = await this.searched([], id, more);
      if (!wanted()) return undefined;
      if (way) ways.push(way);
    }
    if (!more) {
      for (const settings of triedOf(this.asked)) ways.push(...(await this.fitting(settings)));
      ways.push(...(await (state.task === 'inference' ? this.ofInference() : this.divided())));
    }
    return wanted() ? { more, ways: withoutNeedless(ways) } : undefined;
  }

  private async ofInference(): Promise<Way[]> {
    return [...(await this.otherRuntimes()), ...(await this.sets())];
  }

  /** A training that is on one device, divided among several. */
  private async divided(): Promise<Way[]> {
    if (this.asked.own('training.parallel.framework') !== undefined) return [];
    const way = await this.searched([{ id: 'training.parallel.framework', value: 'fsdp2' }], 'training.devices', false);
    return way ? [way] : [];
  }

  private stateWith(settings: readonly Setting[]): State {
    const values = { ...this.asked.state.values };
    for (const { id, value } of settings) {
      if (value === undefined) delete values[id];
      else values[id] = value;
    }
    const state = { ...this.asked.state, values };
    return settings.some(({ id }) => id === 'inference.runtime') ? withoutOthers(this.asked.tables, state) : state;
  }

  private way(settings: readonly Setting[], answer: Answer): Way {
    const { own, facts, order } = this.asked;
    const pain = settings.reduce((sum, { id, value }) => sum + painOf(id, own(id), value, facts, order), 0);
    return { settings, state: this.stateWith(settings), pain, bytes: headline(answer).bytes, verdict: answer.fit?.verdict ?? '' };
  }

  /** Settings as they are, where it fits with them. */
  private async fitting(settings: readonly Setting[]): Promise<Way[]> {
    const { engine, wanted } = this.asked;
    if (!wanted()) return [];
    const question = askedOf(this.stateWith(settings));
    const reply = (await answerTo(engine, this.turns, { command: 'estimate', question })) as Reply;
    return holds(reply) ? [this.way(settings, reply)] : [];
  }

  private async solve(settings: readonly Setting[], id: FieldId): Promise<SolveAnswer | undefined> {
    const { engine, wanted } = this.asked;
    if (!wanted() || ++this.searches > mostSearches) return undefined;
    const asked = askedOf(this.stateWith(settings));
    const bounds = findOf(id) === 'devices' ? { limit: { devices: mostDevices } } : {};
    const question = { request: asked, find: findOf(id), ...bounds };
    const reply = (await answerTo(engine, this.turns, { command: 'solve', question })) as SolveReply;
    return 'value' in reply ? reply : undefined;
  }

  /** The best value of a field with which it fits, beside settings. */
  private async searched(settings: readonly Setting[], id: FieldId, more: boolean): Promise<Way | undefined> {
    if (id === 'device.preset') return this.ofDevices(settings);
    const found = await this.solve(settings, id);
    if (!found) return undefined;
    if (settings.length === 0 && found.order) this.orders.set(id, found.order);
    if (encodings.includes(id)) return this.ofEncodings(settings, id, found, more);
    const { value, reply } = found;
    if (value === null || value === undefined || !reply || 'error' in reply || this.isOwn(id, value)) return undefined;
    return this.betters(id, value, more) ? this.way([...settings, { id, value }], reply as Answer) : undefined;
  }

  private isOwn(id: FieldId, value: Value): boolean {
    return value === (this.asked.own(id) ?? (findOf(id) === 'devices' ? 1 : undefined));
  }

  /** More of a length is more; fewer devices, or a smaller one, is what room is left for. */
  private betters(id: FieldId, value: Value, more: boolean): boolean {
    const before = this.asked.own(id);
    if (typeof value !== 'number' || typeof before !== 'number' || hardware.includes(id)) return true;
    const lessIsMore = id === 'inference.offload.experts_on_cpu' || id === 'inference.memory_fraction';
    return more === (lessIsMore ? value < before : value > before);
  }

  /** The smallest device of the same maker that holds it, where it is another one. */
  private async ofDevices(settings: readonly Setting[]): Promise<Way | undefined> {
    const { engine, tables, state, wanted } = this.asked;
    const own = state.values['device.preset'];
    const maker = tables?.devices.find(({ id }) => id === own)?.vendor;
    const all = byMemory(tables, maker).map((value) => {
      const setting: Setting = { id: 'device.preset', value };
      return [setting, { command: 'estimate', question: askedOf(this.stateWith([...settings, setting])) }] as const;
    });
    const found = await firstOf(engine, this.turns, all, holds, wanted);
    return found && found.one.value !== own ? this.way([...settings, found.one], found.reply as Answer) : undefined;
  }

  /** Of encodings the one that loses least: a better one where it fits, else the best of those that do. */
  private async ofEncodings(settings: readonly Setting[], id: FieldId, { order = [] }: SolveAnswer, more: boolean): Promise<Way | undefined> {
    const { answer, own } = this.asked;
    const bytes = headline(answer).bytes;
    // more bits than a model is published in hold nothing more
    const fuller = (one: (typeof order)[number]) => one.bytes > bytes && this.bitsOf(one.value) <= 16;
    const wanted = order.filter((one) => one.fits && (more ? fuller(one) : one.bytes < bytes) && one.value !== own(id));
    const value = wanted.at(-1)?.value;
    return value === undefined ? undefined : (await this.fitting([...settings, { id, value }]))[0];
  }

  /** Another runtime as it is, or in the best of its own encodings that fits. */
  private async otherRuntimes(): Promise<Way[]> {
    const { tables, own } = this.asked;
    const ways: Way[] = [];
    for (const runtime of tables?.runtimes ?? []) {
      const value = runtime.id;
      if (value === own('inference.runtime')) continue;
      const chosen = this.asked.state.values['weights.encoding'];
      const foreign = chosen !== undefined && !weightEncodings(tables, runtime).some(({ id }) => id === chosen);
      const settings: Setting[] = [{ id: 'inference.runtime', value }, ...(foreign ? [{ id: 'weights.encoding' as const, value: undefined }] : [])];
      const plain = await this.fitting(settings);
      const smaller = plain.length > 0 ? undefined : await this.searched(settings.slice(0, 1), 'weights.encoding', false);
      ways.push(...plain, ...(smaller ? [smaller] : []));
    }
    return ways;
  }

  private bitsOf(id: string): number {
    return this.asked.tables?.encodings.find((one) => one.id === id)?.bits ?? 16;
  }

  /** An encoding for each number of bits, the largest first, of those that take less than now. */
  private steps(id: FieldId): (Setting | undefined)[] {
    const { answer } = this.asked;
    const smaller = (this.orders.get(id) ?? []).filter(({ bytes }) => bytes < headline(answer).bytes).toReversed();
    const found = classes.map((bits) => smaller.find(({ value }) => Math.floor(this.bitsOf(value)) === bits)?.value);
    return [undefined, ...[...new Set(found)].filter((value) => value !== undefined).map((value) => ({ id, value }))];
  }

  /** Small sets: encodings of weights and cache, and one field more. What fits already is not made smaller still. */
  private async sets(): Promise<Way[]> {
    const ways: Way[] = [];
    const enough: Setting[][] = [];
    const ends = fieldsOf(this.asked).filter((id) => last.includes(id) && !(id === 'inference.sequences' && Number(this.asked.own(id) ?? 1) < 2));
    for (const weights of this.steps('weights.encoding'))
      for (const cache of this.steps('inference.kv_encoding')) {
        const settings = [weights, cache].filter((one) => one !== undefined);
        if (settings.length === 0 || enough.some((one) => one.every((setting) => settings.includes(setting)))) continue;
        const whole = await this.fitting(settings);
        if (whole.length > 0) enough.push(settings);
        if (settings.length > 1) ways.push(...whole);
        for (const id of whole.length > 0 ? [] : ends) {
          const way = await this.searched(settings, id, false);
          if (way) ways.push(way);
        }
      }
    return ways;
  }
}

/** Whether a way does all that another does, and more. */
const includes = (way: Way, other: Way): boolean =>
  way !== other &&
  way.settings.length > other.settings.length &&
  other.settings.every(({ id, value }) => way.settings.some((one) => one.id === id && one.value === value));

function withoutNeedless(ways: readonly Way[]): Way[] {
  return ways.filter((way) => !ways.some((other) => includes(way, other))).sort((a, b) => a.pain - b.pain || a.settings.length - b.settings.length);
}
