// From a state to an answer: one question a frame at most, the last one always asked, the last good answer kept.

import { Engine } from './engine.ts';
import { classicRequest, presetsOf, request } from '../state/request.ts';
import type { Answer, Explain, Failure, Reply } from './reply.ts';
import type { State } from '../state/state.ts';

export class Asking {
  engine: Engine | undefined;
  /** The last good answer, and what is wrong since then. */
  answer: Answer | undefined;
  error: Failure | undefined;
  classic: Reply | undefined;
  /** Counts answers, so that a watcher knows whether one belongs to the state it set. */
  answered = 0;

  private frame = 0;
  private compared: string | undefined;
  private pending: { state: State; explain: Explain; classic: boolean } | undefined;

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
      this.error = { code: 'engine', what: error instanceof Error ? error.message : String(error) };
      this.changed();
    }
    this.next();
  }

  /** True when what is shown answers the last question. */
  get idle(): boolean {
    return this.engine !== undefined && !this.pending && !this.frame;
  }

  /** Asks in the next frame; a question that comes before then takes this one's place. */
  ask(state: State, explain: Explain, classic: boolean): void {
    this.pending = { state, explain, classic };
    this.next();
  }

  private next(): void {
    if (!this.engine || !this.pending || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.answerPending();
    });
  }

  private answerPending(): void {
    if (!this.engine || !this.pending) return;
    const preset = presetsOf(this.pending.state).find((id) => !this.engine!.holds(id));
    if (preset !== undefined) {
      this.engine.fetchModel(preset).then(
        () => this.next(),
        (error: unknown) => this.fail({ code: 'fetch', where: 'model.preset', what: String(error) }),
      );
      return;
    }
    const { state, explain, classic } = this.pending;
    const reply = this.engine.estimate(request(state, explain));
    if (this.engine.mayKnowMore(reply)) {
      this.engine.becomeWhole().then(
        () => this.next(),
        (error: unknown) => this.fail({ code: 'fetch', where: 'model', what: String(error) }),
      );
      return;
    }
    this.pending = undefined;
    this.take(reply);
    this.compare(classic ? classicRequest(state, 'error' in reply ? [] : reply.assumptions) : undefined);
    this.changed();
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
      (error: unknown) => this.fail({ code: 'fetch', where: 'model', what: String(error) }),
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
    this.pending = undefined;
    this.error = error;
  }

  private fail(error: Failure): void {
    this.pending = undefined;
    this.error = error;
    this.changed();
  }
}
