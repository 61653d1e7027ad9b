// Files on their way in: found, read, understood by the engine, and only then the model. What goes wrong before that
// leaves all that the user had as it was.

import type { Engine } from '../../engine/engine.ts';
import type { Progress } from '../../files/reading.mjs';
import { type Failure, FileError, failureOf, type Source, textSource } from '../../files/source.mjs';
import { shown, shownAll, shownJson } from '../../files/shown.mjs';
import type { Texts } from '../../languages/i18n.ts';
import type { Inspection } from '../../files/inspection.ts';
import { withFiles } from '../request.ts';
import { runtimeOf, withRuntimeOfFile } from '../runtimes.ts';
import type { State } from '../state.ts';
import type { Tables } from '../../engine/assets.ts';

export interface Found {
  sources: readonly Source[];
  /** Names of files that lay beside them and describe no model. */
  left: readonly string[];
  /** What a tool printed, where a file of it was among them; a snapshot of memory as the file that it is. */
  log?: string | File | undefined;
}

export interface ReadingHost {
  state: State;
  readonly tables: Tables | undefined;
  /** Said to a screen reader. */
  announced: string;
  readonly texts: Texts;
  readonly asking: { loaded(): Promise<Engine> };
  takeLog(text: string | File): void;
}

/** A piece of the page that comes when it is needed did not come. */
export const notLoaded = { code: 'page.not_loaded', where: '', what: 'this part of the page could not be loaded', hint: 'connect, and try again' };

const isWeights = ({ name }: Source): boolean => /\.safetensors(\.index\.json)?$/i.test(name);
const isConfig = ({ name }: Source): boolean => name === 'config.json';

/** What tells files apart, and the texts of what they hold: nobody who drops none waits for it. */
const arriving = () => import('./arriving.ts');

/** What a hand dropped or picked: of many files those that describe the model, and what a tool printed. */
export const foundIn = async (files: readonly File[]): Promise<Found> => (await arriving()).foundIn(files);

export class Reading {
  /** While files are read. */
  progress: Progress | undefined;
  failure: Failure | undefined;
  left: readonly string[] = [];
  /** The runtime that was chosen for the file; undefined where it was left as it is. */
  private chosen: string | undefined;

  private inspection: Inspection | undefined;
  private sources: readonly Source[] = [];
  private taken: Pick<State, 'model' | 'values'> | undefined;
  private stopping: AbortController | undefined;

  constructor(
    private host: ReadingHost,
    private changed: () => void,
  ) {}

  /** What the files hold, as long as the model is still theirs. */
  get found(): Inspection | undefined {
    const { taken } = this;
    if (!taken) return this.inspection;
    const { model, values } = this.host.state;
    const same = (['model.config', 'model.tensors'] as const).every((id) => values[id] === taken.values[id]);
    return same && model === taken.model ? this.inspection : undefined;
  }

  /** The name of the runtime that came with the file, as long as it is the chosen one. */
  get runtime(): string | undefined {
    const { state, tables } = this.host;
    const own = this.found && this.chosen !== undefined && state.values['inference.runtime'] === this.chosen;
    return own && state.task === 'inference' ? runtimeOf(tables, state)?.name : undefined;
  }

  /** Takes the files that `find` gives. An error is shown; nothing else has changed then. */
  async take(find: (signal: AbortSignal) => Found | Promise<Found>): Promise<void> {
    this.stopping?.abort();
    const stopping = (this.stopping = new AbortController());
    this.failure = undefined;
    this.progress = { file: '', files: 0, done: 0, read: 0, wanted: 0 };
    this.changed();
    try {
      await this.read(find, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) this.failure = shownAll(failureOf(error, 'files'));
    }
    if (this.stopping !== stopping) return; // others came meanwhile
    this.progress = undefined;
    this.changed();
  }

  private async read(find: (signal: AbortSignal) => Found | Promise<Found>, signal: AbortSignal): Promise<void> {
    const engine = await this.host.asking.loaded();
    await Promise.all([engine.becomeWhole(), arriving()]).catch(() => {
      throw new FileError(notLoaded);
    });
    const { sources: given, left, log } = await find(signal);
    if (log !== undefined) {
      this.host.takeLog(log);
      if (given.length === 0) return;
    }
    const sources = this.joined(given);
    const progress = (now: Progress) => {
      if (signal.aborted) return;
      this.progress = shownAll(now);
      this.changed();
    };
    const reply = await engine.inspect(sources, { progress, signal });
    if ('error' in reply) throw new FileError({ ...reply.error, where: reply.error.where ?? '' });
    const config = await this.configOf(sources, reply);
    signal.throwIfAborted();
    this.sources = sources;
    this.left = left.map(shown);
    this.accept(reply, config);
    const { t } = this.host.texts;
    const read = t('files.read', { files: sources.length });
    this.host.announced = this.runtime === undefined ? read : `${read} ${t('files.runtime', { runtime: this.runtime })}`;
  }

  private accept(reply: Inspection, config: string | undefined): void {
    this.inspection = shownAll(reply);
    this.taken = this.chosen = undefined;
    if (!reply.request) return;
    const state = withFiles(this.host.state, reply.request, config);
    this.host.state = withRuntimeOfFile(this.host.tables, state);
    const runtime = this.host.state.values['inference.runtime'];
    this.chosen = runtime === state.values['inference.runtime'] ? undefined : String(runtime);
    if (reply.request.model) this.taken = { model: this.host.state.model, values: this.host.state.values };
  }

  /** Weights without a config join the one that is there, a config alone joins weights that had none. */
  private joined(given: readonly Source[]): readonly Source[] {
    const { model, values } = this.host.state;
    const held = model === 'config' ? values['model.config'] : undefined;
    const weights = given.some(isWeights);
    if (weights && !given.some(isConfig) && held) return [textSource('config.json', String(held)), ...given];
    const orphans = this.found && !held ? this.sources.filter(isWeights) : [];
    return !weights && given.some(isConfig) ? [...given, ...orphans] : given;
  }

  /** The config's own text: printed anew it would lose what JavaScript's numbers cannot hold. */
  private async configOf(sources: readonly Source[], { files }: Inspection): Promise<string | undefined> {
    const source = sources[files?.findIndex(({ kind }) => kind === 'config') ?? -1];
    return source && shownJson(new TextDecoder().decode(await source.read(0, source.size)));
  }

  /** Files are likely to come: what reads them may come before, so that nobody waits, or finds the network gone. */
  prepare(): void {
    this.host.asking
      .loaded()
      .then((engine) => Promise.all([engine.becomeWhole(), arriving()]))
      .catch(() => undefined); // told when files are there
  }

  fail(failure: Failure): void {
    this.failure = failure;
    this.changed();
  }

  stop(): void {
    this.stopping?.abort();
  }

  /** Puts the result, or the error, away; the model stays. */
  close(): void {
    this.failure = this.inspection = this.taken = undefined;
    this.changed();
  }
}
