// Load, ask, answer. The engine's doors are text in, text out; this is the only file that stands at them.

import factory, { type Door } from 'plimsoll-engine';
import type { FilesDoor } from 'plimsoll-files';
import { type Assets, assets } from './assets.ts';
import { inspect, type Options } from './files/reading.mjs';
import type { Readable } from './files/source.mjs';
import type { InspectReply } from './inspection.ts';
import type { Reply } from './reply.ts';

export class Engine {
  private handed = new Set<string>();
  private reading: Promise<FilesDoor> | undefined;

  private constructor(
    private door: Door,
    private from: Assets,
  ) {}

  static async load(from: Assets = assets()): Promise<Engine> {
    const [wasmBinary, tables] = await Promise.all([from.wasm(), from.tables()]);
    const engine = new Engine(await factory({ wasmBinary }), from);
    engine.provide(tables);
    return engine;
  }

  get version(): string {
    return this.door.version();
  }

  private provide(presets: string): void {
    const reply = JSON.parse(this.door.provide(presets)) as { error?: { where: string; what: string } };
    if (reply.error) throw new Error(`${reply.error.where}: ${reply.error.what}`);
  }

  /** True when the engine holds the model, so that an answer needs no waiting. */
  holds(model: string | undefined): boolean {
    return model === undefined || this.handed.has(model);
  }

  /** Hands a model preset over. One that does not exist is left for the engine to refuse. */
  async fetchModel(id: string): Promise<void> {
    const text = await this.from.model(id);
    if (text !== undefined && !this.handed.has(id)) this.provide(`{"models":[${text}]}`);
    this.handed.add(id);
  }

  estimate(request: string): Reply {
    return JSON.parse(this.door.estimate(request)) as Reply;
  }

  sweep(question: string): unknown {
    return JSON.parse(this.door.sweep(question));
  }

  /** The readers of files come with the first file, or when one is likely to come. A failure may be tried again. */
  readers(): Promise<FilesDoor> {
    this.reading ??= Promise.all([import('plimsoll-files'), this.from.filesWasm()])
      .then(([{ default: make }, wasmBinary]) => make({ wasmBinary }))
      .catch((error: unknown) => {
        this.reading = undefined;
        throw error;
      });
    return this.reading;
  }

  /** What files hold. Only headers are read, and files of JSON whole. */
  async inspect(files: readonly Readable[], options?: Options): Promise<InspectReply> {
    return inspect(await this.readers(), files, options) as Promise<InspectReply>;
  }
}
