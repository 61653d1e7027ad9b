// Which figures are shown, in which order: the state of the page, which is its link, and what it makes of the figures.

import { shown } from '../files/shown.mjs';
import { type Case, type Figure, isUnexplained } from './evidence.ts';

export interface Choice {
  kind: string;
  of: string;
  family: string;
  metric: string;
  status: string;
  q: string;
  by: By;
  sort: Sort;
  /** From the largest down, or from the smallest up. */
  up: boolean;
  page: number;
}

export const filters = ['kind', 'of', 'family', 'metric', 'status'] as const;
export type Filter = (typeof filters)[number];
export const groupings = ['of', 'family', 'kind', 'source'] as const;
export type By = (typeof groupings)[number];
export const sorts = ['case', 'metric', 'said', 'ours', 'error'] as const;
export type Sort = (typeof sorts)[number];

export const initialChoice = (): Choice => ({
  kind: '',
  of: '',
  family: '',
  metric: '',
  status: '',
  q: '',
  by: 'of',
  sort: 'error',
  up: false,
  page: 0,
});

const isOneOf = <T extends string>(list: readonly T[], text: string | null): text is T => list.includes(text as T);

export function choiceFrom(link: URLSearchParams): Choice {
  const choice = initialChoice();
  for (const name of [...filters, 'q'] as const) choice[name] = shown(link.get(name) ?? '');
  const [by, sort] = [link.get('by'), link.get('sort')];
  if (isOneOf(groupings, by)) choice.by = by;
  if (isOneOf(sorts, sort)) choice.sort = sort;
  choice.up = link.get('up') === '1';
  const page = Number(link.get('page') ?? 1);
  if (Number.isInteger(page) && page > 0) choice.page = page - 1;
  return choice;
}

/** Only what differs from a page that was just opened. */
export function linkOf(choice: Choice): Record<string, string> {
  const first = initialChoice();
  const text = { ...choice, up: choice.up ? '1' : '', page: choice.page ? String(choice.page + 1) : '' };
  return Object.fromEntries(Object.entries(text).filter(([key, value]) => value !== '' && value !== (first[key as keyof Choice] as unknown)));
}

/** Runtime or method, several devices apart. */
export const subjectOf = ({ of, many }: Case): string => (of === undefined ? '' : many ? `${of}+` : of);

/** What a figure is, by filter. */
export const valueOf: Record<Exclude<Filter, 'status'>, (figure: Figure) => string> = {
  kind: ({ of }) => of.kind,
  of: ({ of }) => subjectOf(of),
  family: ({ of }) => of.family ?? '',
  metric: ({ metric }) => metric,
};

/** The ways to be near that may be asked for. */
export const statuses: Record<string, (figure: Figure) => boolean> = {
  exact: ({ status }) => status === 'exact',
  off: ({ status }) => status !== 'exact',
  inside: ({ status }) => status === 'inside',
  outside: ({ status }) => status === 'outside',
  unexplained: isUnexplained,
};

const texts = new WeakMap<Case, string>();

function textOf(one: Case): string {
  let text = texts.get(one);
  if (text === undefined) {
    const { model, name, family, of, source, version, date, device, url } = one;
    texts.set(one, (text = [model, name, family, of, source, version, date, device, url].join(' ').toLowerCase()));
  }
  return text;
}

/** Those that a choice takes; `but` leaves one of its filters aside, so that it may be chosen anew. */
export function chosen(all: readonly Figure[], choice: Choice, but?: Filter): Figure[] {
  const words = choice.q.toLowerCase().split(/\s+/).filter(Boolean);
  const same = (['kind', 'of', 'family', 'metric'] as const).filter((name) => choice[name] !== '' && name !== but);
  const near = but === 'status' ? undefined : statuses[choice.status];
  return all.filter(
    (figure) =>
      same.every((name) => valueOf[name](figure) === choice[name]) &&
      (!near || near(figure)) &&
      words.every((word) => textOf(figure.of).includes(word)),
  );
}

const keys: Record<Sort, (figure: Figure) => number | string> = {
  case: ({ of }) => `${of.model} ${of.name}`.toLowerCase(),
  metric: ({ of, metric }) => `${subjectOf(of)} ${metric}`,
  said: ({ said }) => said,
  ours: ({ ours }) => ours,
  error: ({ error }) => Math.abs(error),
};

export function sorted(figures: readonly Figure[], { sort, up }: Pick<Choice, 'sort' | 'up'>): Figure[] {
  const key = keys[sort];
  const keyed = figures.map((figure) => ({ figure, at: key(figure) }));
  const sign = up ? 1 : -1;
  return keyed.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -sign : sign)).map(({ figure }) => figure);
}

export interface Summary {
  count: number;
  exact: number;
  median: number;
  p90: number;
  worst: number;
  /** Of those that have a band. */
  inside: number | undefined;
  width: number | undefined;
}

const middle = (list: number[]): number => (list.length % 2 ? list[list.length >> 1]! : (list[list.length / 2 - 1]! + list[list.length / 2]!) / 2);

export function summaryOf(figures: readonly Figure[]): Summary {
  const errors = figures.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
  const banded = figures.filter(({ low, high, ours }) => low !== undefined && high !== undefined && high > low && ours > 0);
  const widths = banded.map(({ low, high, ours }) => (high! - low!) / ours).sort((a, b) => a - b);
  return {
    count: figures.length,
    exact: figures.filter(({ status }) => status === 'exact').length,
    median: middle(errors),
    p90: errors[Math.ceil(0.9 * errors.length) - 1]!,
    worst: errors.at(-1)!,
    inside: banded.length ? banded.filter(({ status }) => status !== 'outside').length / banded.length : undefined,
    width: widths.length ? middle(widths) : undefined,
  };
}

export interface Group {
  /** What choosing it sets. */
  choice: Partial<Choice>;
  of: Figure[];
}

/** By runtime or method each metric apart; by anything else, all of it. */
export function grouped(figures: readonly Figure[], by: By): Group[] {
  const groups = new Map<string, Group>();
  for (const figure of figures) {
    const choice: Partial<Choice> =
      by === 'of'
        ? { kind: figure.of.kind, of: subjectOf(figure.of), metric: figure.metric }
        : by === 'source'
          ? { q: figure.of.source }
          : { [by]: valueOf[by](figure) };
    const key = JSON.stringify(choice);
    const group = groups.get(key) ?? { choice, of: [] };
    groups.set(key, group);
    group.of.push(figure);
  }
  return [...groups.values()].sort((a, b) => b.of.length - a.of.length);
}
