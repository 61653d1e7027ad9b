// The last configurations, kept in this browser and nowhere else. Where it refuses storage they last as long as the page.

import type { FieldId } from './fields.ts';
import { fromLink, linkOmitsTensors, type State, toLink } from './state.ts';

export interface Recent {
  /** The state, as its link says it. */
  link: string;
  /** What the answer called the model. */
  model: string;
}

const most = 10;
/** Letters of a link that is kept: a browser keeps some five million in all. */
const longest = 50_000;
const key = 'plimsoll.recent';

/** What makes a configuration another one; of those that differ in numbers alone the last is kept. */
const telling: readonly FieldId[] = [
  'model.preset',
  'model.config',
  'model.parameters',
  'device.preset',
  'device.memory_bytes',
  'device.list',
  'weights.encoding',
  'inference.runtime',
  'training.method',
];

function kindOf(link: string): string {
  const { state } = fromLink(link);
  return JSON.stringify([state.task, state.model, state.device, ...telling.map((id) => state.values[id] ?? '')]);
}

const isRecent = (one: unknown): one is Recent =>
  ['link', 'model'].every((name) => typeof (one as Record<string, unknown> | null)?.[name] === 'string');

export class Recents {
  private kept: readonly Recent[] | undefined;

  /** @param storage the browser's own, where it is given; asking for it may throw */
  constructor(private storage: () => Storage | undefined) {}

  get all(): readonly Recent[] {
    return (this.kept ??= this.read());
  }

  private read(): Recent[] {
    try {
      const kept: unknown = JSON.parse(this.storage()?.getItem(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isRecent).slice(0, most) : [];
    } catch {
      return []; // refused, or written by something else
    }
  }

  private keep(all: readonly Recent[]): void {
    this.kept = all;
    try {
      this.storage()?.setItem(key, JSON.stringify(all));
    } catch {
      // refused, or full: this page still knows them
    }
  }

  /** The newest first. A state that its link does not hold whole is not kept. */
  add(state: State, model: string): void {
    const link = toLink(state);
    if (linkOmitsTensors(state) || link.length > longest) return;
    const kind = kindOf(link);
    this.keep([{ link, model }, ...this.all.filter((one) => kindOf(one.link) !== kind)].slice(0, most));
  }

  clear(): void {
    this.keep([]);
  }
}
