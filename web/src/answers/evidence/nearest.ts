// From an answer to the measured cases nearest to it: of the same runtime or method and of the same family of models first, and of those the
// ones of nearly its size. The cases are those that tests/score/published/evidence.mjs writes.

import type { Language } from '../../languages/i18n.ts';
import { loadCases, type Nearest } from './nearest-offered.ts';

export interface Measured {
  task: string;
  /** Runtime or method. */
  of: string;
  many: boolean;
  family: string | undefined;
  model: string;
  name: string;
  source: string;
  url: string | undefined;
  counter: string;
  said: number;
  ours: number;
  low: number;
  high: number;
  /** What its source leaves open of what was said. */
  from: number;
  to: number;
}

/** What is asked of the cases. */
export interface Asked {
  task: string;
  of: string;
  many: boolean;
  family: string | undefined;
  bytes: number;
}

export type Tier = 'family' | 'runtime' | 'task';

export interface Found {
  tier: Tier;
  /** The nearest few, and how all of their tier came out. */
  cases: Measured[];
  count: number;
  median: number;
  inside: number;
}

let known: Promise<Measured[]> | undefined;

/** All cases; where they cannot be fetched, the next asking tries again. */
export function cases(): Promise<Measured[]> {
  known ??= loadCases()
    .then(measuredOf)
    .catch((fault: unknown) => {
      known = undefined;
      throw fault;
    });
  return known;
}

export function measuredOf({ texts, entries }: Nearest): Measured[] {
  return entries.map((numbers) => {
    const [task, of, many, family, model, name, from, url, counter] = numbers.slice(0, 9).map((at): string | undefined => texts[at]);
    const [said, ours, low, high, least, most] = numbers.slice(9) as [number, number, number, number, number, number];
    const words = { task: task!, of: of!, many: many !== undefined, family, model: model!, name: name ?? '', source: from!, url, counter: counter! };
    return { ...words, said, ours, low, high, from: least, to: most };
  });
}

export const errorOf = ({ said, ours }: Measured): number => (ours - said) / said;

export const isInside = ({ low, high, from, to }: Measured): boolean => low <= to && from <= high;

const tiers: readonly (readonly [Tier, (one: Measured, asked: Asked) => boolean])[] = [
  ['family', (one, asked) => one.of === asked.of && one.many === asked.many && one.family !== undefined && one.family === asked.family],
  ['runtime', (one, asked) => one.of === asked.of && one.many === asked.many],
  ['task', () => true],
];

/** So many are shown, and of one model in one source no more than this. */
const [shown, alike] = [8, 2];

/** How far apart two sizes are, whichever is larger. */
const apart = (one: Measured, bytes: number): number => Math.abs(Math.log(one.ours / bytes));

function few(list: Measured[], bytes: number): Measured[] {
  const times = new Map<string, number>();
  const ordered = list.map((one) => ({ one, far: apart(one, bytes) })).sort((a, b) => a.far - b.far);
  return ordered
    .map(({ one }) => one)
    .filter(({ model, source, counter }) => {
      const key = [model, source, counter].join(' ');
      times.set(key, (times.get(key) ?? 0) + 1);
      return times.get(key)! <= alike;
    })
    .slice(0, shown);
}

export function nearest(all: readonly Measured[], asked: Asked): Found | undefined {
  const own = all.filter(({ task }) => task === asked.task);
  for (const [tier, belongs] of tiers) {
    const among = own.filter((one) => belongs(one, asked));
    if (among.length === 0) continue;
    const errors = among.map((one) => Math.abs(errorOf(one))).sort((a, b) => a - b);
    const median = errors[(errors.length - 1) >> 1]!;
    return { tier, cases: few(among, asked.bytes), count: among.length, median, inside: among.filter(isInside).length / among.length };
  }
  return undefined;
}

/** The page of all cases, filtered to those of the same tier. */
export function linkTo({ of, many, family }: Asked, tier: Tier, language: Language): string {
  const link = new URLSearchParams({ lang: language });
  if (tier !== 'task') link.set('of', many ? `${of}+` : of);
  if (tier === 'family') link.set('family', family!);
  return `accuracy.html#${link}`;
}
