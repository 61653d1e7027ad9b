// Load, ask, answer. The engine's doors are text in, text out; this is the only file that stands at them.

import type { Door } from 'plimsoll-engine';
import type { WholeDoor } from 'plimsoll-whole';
import { type Assets, assets } from './assets.ts';
import { inspect, type Options } from '../files/reading.mjs';
import { parsedShown } from '../files/shown.mjs';
import type { Readable } from '../files/source.mjs';
import type { InspectReply } from '../files/inspection.ts';
import { nextTask } from './pauses.ts';
import type { Reply } from './reply.ts';

export class Engine {
  private handed = new Map<string, string | undefined>();
  /** What was handed over beside the tables and the models. */
  private further: string[] = [];
  private sourced = false;

  private constructor(
    private door: Door,
    private from: Assets,
    private tables: string,
    private read: (json: string) => unknown,
  ) {}

  /** The first engine where there is one, else the whole. `read`: replies are to be shown, or are data for a program. */
  static async load(from: Assets = assets(), read: (json: string) => unknown = parsedShown): Promise<Engine> {
    const [door, tables] = await Promise.all([from.first?.() ?? from.whole(), from.tables()]);
    const engine = new Engine(door, from, tables, read);
    // kind by kind, a task each: all at once would hold a slow device up
    for (const [kind, presets] of Object.entries(JSON.parse(tables) as object)) {
      await nextTask();
      engine.provide(JSON.stringify({ [kind]: presets }));
    }
    return engine;
  }

  get version(): string {
    return this.door.version();
  }

  /** Hands presets over; one of an id that is known takes its place. */
  provide(presets: string): void {
    const reply = JSON.parse(this.door.provide(presets)) as { error?: { where: string; what: string } };
    if (reply.error) throw new Error(`${reply.error.where}: ${reply.error.what}`);
  }

  /** Hands presets over that know more of what the tables have. */
  extend(presets: string): void {
    this.provide(presets);
    this.further.push(presets);
  }

  /** Whether an explanation can name who says so. */
  get knowsSources(): boolean {
    return this.sourced || this.from.sources === undefined;
  }

  /** Brings in who says so, of the tables: the first answer does without. */
  async learnSources(): Promise<void> {
    if (this.knowsSources) return;
    const sources = JSON.parse(await this.from.sources!()) as Record<string, Record<string, object>>;
    if (this.sourced) return;
    const tables = JSON.parse(this.tables) as Record<string, { id: string }[]>;
    for (const [kind, byId] of Object.entries(sources)) for (const one of tables[kind] ?? []) Object.assign(one, { sources: byId[one.id] });
    this.tables = JSON.stringify(tables);
    this.sourced = true;
    for (const text of [this.tables, ...this.further]) this.provide(text);
  }

  get isWhole(): boolean {
    return 'inspect' in this.door;
  }

  /** Whether the whole engine may know what the first one leaves to it. */
  mayKnowMore(reply: Reply): boolean {
    return 'error' in reply && ['unknown_architecture', 'ask_the_whole'].includes(reply.error.code) && !this.isWhole;
  }

  /** The whole engine takes the first one's place: with the first file, or the first model of a rarer family. */
  async becomeWhole(): Promise<WholeDoor> {
    const door = await this.from.whole();
    if (this.door !== door) {
      this.door = door;
      this.provide(this.tables);
      for (const text of this.handed.values()) if (text !== undefined) this.provide(`{"models":[${text}]}`);
    }
    return door;
  }

  /** True when the engine holds the model, so that an answer needs no waiting. */
  holds(model: string | undefined): boolean {
    return model === undefined || this.handed.has(model);
  }

  /** Hands a model preset over. One that does not exist is left for the engine to refuse. */
  async fetchModel(id: string): Promise<void> {
    const text = await this.from.model(id);
    if (text !== undefined && !this.handed.has(id)) this.provide(`{"models":[${text}]}`);
    this.handed.set(id, text);
  }

  estimate(request: string): Reply {
    return this.read(this.door.estimate(request)) as Reply;
  }

  sweep(question: string): unknown {
    return this.read(this.door.sweep(question));
  }

  solve(question: string): unknown {
    return this.read(this.door.solve(question));
  }

  /** Every way to spread a model over a cluster; the whole engine alone knows it. */
  async plan(question: string): Promise<unknown> {
    return this.read((await this.becomeWhole()).plan(question));
  }

  /** What files hold. Only headers are read, and files of JSON whole. */
  async inspect(files: readonly Readable[], options?: Options): Promise<InspectReply> {
    return inspect(await this.becomeWhole(), files, options) as Promise<InspectReply>;
  }
}
