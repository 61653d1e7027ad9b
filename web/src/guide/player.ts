// The scenes of a page: each is answered by the engine when it comes into view, and played when a reader asks. Nothing moves by
// itself; who wants no motion, or no script, has the stills (guide.css).

import { live } from './live.ts';
import { lay } from './pictures.ts';
import { type Frame, figureOf, framesOf, type Scene, sentence } from './scenes/scene.mjs';
import { largest } from './scenes/stage.mjs';
import { whenSeen } from './seen.ts';

type Carried = Scene & { words: Record<string, string> };

/** Milliseconds that a frame stands: few are looked at for longer. */
const pace = (count: number): number => (count > 12 ? 220 : 1100);

class Player {
  private frames: Promise<Frame[]> | undefined;
  private at: number;
  /** Nobody has asked for a step yet: the fullest one stands. */
  private untouched = true;
  private turning: number | undefined;
  private carried: Carried;
  private stage: HTMLElement;
  private play: HTMLButtonElement;

  constructor(private figure: HTMLElement) {
    this.carried = JSON.parse(figure.dataset['scene']!) as Carried;
    this.stage = figure.querySelector<HTMLElement>('.stage')!;
    this.play = figure.querySelector<HTMLButtonElement>('[data-do=play]')!;
    this.at = Number(this.place.dataset['at']);
    figure.dataset['player'] = '';
    this.stage.addEventListener('click', (event) => void this.does((event.target as HTMLElement).dataset['do']));
  }

  private get language(): string {
    return document.documentElement.lang;
  }

  /** The engine's frames; the stills are drawn after them too. Without the engine the stills stay as they were built. */
  async answer(): Promise<Frame[]> {
    this.frames ??= live().then(async ({ estimate }) => framesOf(this.carried, await Promise.all(this.carried.requests.map(estimate))));
    const frames = await this.frames;
    for (const still of this.figure.querySelectorAll<HTMLElement>('[data-frame]')) this.fill(still, frames[Number(still.dataset['frame'])]!, frames);
    if (this.untouched) this.fill(this.stage, frames[this.at]!, frames);
    this.figure.dataset['live'] = '';
    return frames;
  }

  /** Leaves the stills alone to be seen. */
  gone(): void {
    this.pause();
    delete this.figure.dataset['player'];
  }

  private async does(what: string | undefined): Promise<void> {
    if (!what) return;
    const playing = this.turning !== undefined;
    this.pause();
    const frames = await this.answer();
    if (what === 'back') this.show(frames, Math.max(0, this.at - 1));
    if (what === 'step') this.show(frames, Math.min(frames.length - 1, this.at + 1));
    if (what === 'play' && !playing) this.begin(frames);
  }

  private begin(frames: Frame[]): void {
    if (this.untouched || this.at === frames.length - 1) this.show(frames, 0);
    // A screen reader is told the end of what plays, and each step that is asked for.
    this.said.setAttribute('aria-live', 'off');
    this.play.textContent = this.play.dataset['pause']!;
    this.turning = window.setInterval(() => {
      if (this.at === frames.length - 2) this.pause();
      this.show(frames, this.at + 1);
    }, pace(frames.length));
  }

  private pause(): void {
    window.clearInterval(this.turning);
    this.turning = undefined;
    this.said.setAttribute('aria-live', 'polite');
    this.play.textContent = this.play.dataset['play']!;
  }

  private get said(): HTMLElement {
    return this.stage.querySelector<HTMLElement>('[data-say]')!;
  }

  private get place(): HTMLElement {
    return this.stage.querySelector<HTMLElement>('[data-at]')!;
  }

  private show(frames: Frame[], at: number): void {
    this.at = at;
    this.untouched = false;
    this.fill(this.stage, frames[at]!, frames);
    this.place.textContent = this.place.dataset['text']!.replace('{at}', String(at + 1)).replace('{all}', String(frames.length));
  }

  /** Puts a frame into what was drawn of another. */
  private fill(into: HTMLElement, frame: Frame, frames: Frame[]): void {
    const { words } = this.carried;
    into.querySelector('[data-say]')!.textContent = sentence(frame, words, this.language);
    const most = largest(frames);
    for (const [at, lane] of [...into.querySelectorAll('[data-lane]')].entries()) {
      const parts = frame.lanes[at]!;
      lane.querySelector('b')!.textContent = figureOf(parts, words, this.language);
      lay(lane, parts, most);
    }
  }
}

/** Makes the page's scenes playable. */
export function scenes(): void {
  const players = new Map([...document.querySelectorAll<HTMLElement>('[data-scene]')].map((figure) => [figure as Element, new Player(figure)]));
  whenSeen(players.keys(), (figure) => {
    const player = players.get(figure)!;
    player.answer().catch(() => player.gone());
  });
}
