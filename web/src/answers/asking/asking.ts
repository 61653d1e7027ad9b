// From a state to an answer: one question a frame at most, the last one always asked, the last good answer kept.

import { Engine } from '../../engine/engine.ts';
import { nextTask } from '../../engine/pauses.ts';
import { classicRequest, presetsOf, request } from '../../state/request.ts';
import type { Answer, Explain, Failure, Reply } from '../../engine/reply.ts';
import type { State } from '../../state/state.ts';

export class Asking {
  engine: Engine | undefined;
  /** The last good answer, and what is wrong since then. */
  answer: Answer | undefined;
  error: Failure | undefined;
  classic: Reply | undefined;
  /** Whether what a question needs is on its way: until then what is shown answers another one. */
  waits = false;
  /** Counts answers, so that a watcher knows whether one belongs to the state it set. */
  answered = 0;

  private frame = 0;
  private compared: string | undefined;
  /** What failed for want of a file, once more. */
  private retry: (() => void) | undefined;
  private pending: { state: State; explain: Explain; classic: boolean; unsourced?: boolean } | undefined;

  constructor(private changed: () => void) {}

  /** The engine, where several share one. */
  loading: Promise<Engine> | undefined;

  loaded(): Promise<Engine> {
    return (this.loading ??= Engine.load());
  }

  async start(): Promise<void> {
    try {
      this.engine = await this.loaded();
    } catch (error) {
      this.loading = undefined;
      this.fail('engine', error, () => void this.start());
    }
    this.next();
  }

  /** Whether a failure is one that another try may mend. */
  get canRetry(): boolean {
    return this.retry !== undefined;
  }

  /** Tries again what failed for want of a file. */
  again(): void {
    const { retry } = this;
    this.retry = this.error = undefined;
    retry?.();
    this.changed();
  }

  /** True when what is shown answers the last question. */
  get idle(): boolean {
    return this.engine !== undefined && !this.pending && !this.frame;
  }

  /** Asks in the next frame; a question that comes before then takes this one's place. */
  ask(state: State, explain: Explain, classic: boolean): void {
    if (this.engine && this.retry) this.retry = this.error = undefined; // the question that failed is no longer asked
    this.pending = { state, explain, classic };
    this.next();
  }

  private next(): void {
    if (!this.engine || !this.pending || this.frame) return;
    // a frame has enough to do with the first answer without finding it
    const soon = this.answered === 0 ? setTimeout : requestAnimationFrame;
    this.frame = soon(() => {
      this.frame = 0;
      this.answerPending();
    });
  }

  private answerPending(): void {
    if (!this.engine || !this.pending) return;
    const preset = presetsOf(this.pending.state).find((id) => !this.engine!.holds(id));
    if (preset !== undefined) return this.waitFor(this.engine.fetchModel(preset));
    const { state, explain, classic } = this.pending;
    if (explain === 'all' && !this.engine.knowsSources && !this.pending.unsourced) return this.bringSources(this.pending);
    const reply = this.engine.estimate(request(state, explain));
    if (this.engine.mayKnowMore(reply)) return this.waitFor(this.engine.becomeWhole());
    this.waits = false;
    this.pending = undefined;
    this.take(reply);
    this.compare(classic ? classicRequest(state, 'error' in reply ? [] : reply.assumptions) : undefined);
    if (this.answered > 1) this.changed();
    else void nextTask().then(() => this.changed());
  }

  /** Without a network an explanation goes without them, and the next one tries again. */
  private bringSources(asked: { unsourced?: boolean }): void {
    void this.engine!.learnSources()
      .catch(() => (asked.unsourced = true))
      .then(() => this.next());
  }

  /** The question goes on when what it needs has come. */
  private waitFor(part: Promise<unknown>): void {
    const { pending } = this;
    this.waits = true;
    this.changed();
    part.then(
      () => this.next(),
      (error: unknown) => {
        if (this.pending !== pending) return this.next(); // another question has come meanwhile
        this.pending = undefined;
        this.fail('fetch', error, () => {
          this.pending ??= pending;
          this.next();
        });
      },
    );
  }

  /** The hosted calculator's arithmetic, which the whole engine alone has. */
  private compare(asked: string | undefined): void {
    this.compared = asked;
    this.classic = asked === undefined ? undefined : this.engine!.estimate(asked);
    if (!this.classic || !this.engine!.mayKnowMore(this.classic)) return;
    this.classic = undefined;
    this.engine!.becomeWhole().then(
      () => {
        if (this.compared !== asked) return;
        this.compare(asked);
        this.changed();
      },
      (error: unknown) => this.compared === asked && this.fail('fetch', error, () => this.compare(asked)),
    );
  }

  private take(reply: Reply): void {
    this.answered++;
    if ('error' in reply) {
      this.error = reply.error;
    } else {
      this.error = undefined;
      this.answer = reply;
    }
  }

  /** The page itself found what cannot be asked. */
  refuse(error: Failure): void {
    this.pending = this.retry = undefined;
    this.waits = false;
    this.error = error;
  }

  private fail(code: 'engine' | 'fetch', error: unknown, retry: () => void): void {
    this.waits = false;
    // what did not come says nothing that a reader could use; what came and does not run says why
    const refused = error instanceof Error && /^(?:Compile|Link|Runtime|Range)Error$/.test(error.name);
    this.error = { code: refused ? 'engine_refused' : code, what: error instanceof Error ? error.message : String(error) };
    this.retry = retry;
    this.changed();
  }
}
