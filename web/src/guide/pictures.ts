// Pictures that stand: their bars are laid anew by the engine's own answer when they come into view.

import { live } from './live.ts';
import { type Bars, barsOf } from './scenes/bars.mjs';
import type { Lane } from './scenes/scene.mjs';
import { largest, placesOf, plain, type Scale } from './scenes/stage.mjs';
import { whenSeen } from './seen.ts';

/** Lays a drawn lane's parts anew. */
export function lay(drawn: Element, lane: Lane, most: Scale): void {
  const places = placesOf(lane, most);
  for (const [part, rect] of [...drawn.querySelectorAll('rect.part')].entries())
    for (const [name, value] of Object.entries(places[part]!)) rect.setAttribute(name, plain(value));
}

async function answer(figure: HTMLElement): Promise<void> {
  const asked = JSON.parse(figure.dataset['picture']!) as Bars;
  const { estimate } = await live();
  const lanes = barsOf(asked, await Promise.all(asked.requests.map(estimate)));
  const most = largest([{ lanes }]);
  for (const [at, drawn] of [...figure.querySelectorAll('[data-lane]')].entries()) lay(drawn, lanes[at]!, most);
  figure.dataset['live'] = '';
}

/** Has each picture answered once it is seen; without an engine they stay as the build drew them. */
export function pictures(): void {
  whenSeen(document.querySelectorAll('[data-picture]'), (figure) => void answer(figure as HTMLElement).catch(() => undefined));
}
