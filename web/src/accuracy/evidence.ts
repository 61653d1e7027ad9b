// The cases as tests/score/published/evidence.mjs writes them, texts by number, turned into objects.

export interface Case {
  kind: string;
  /** Runtime or method; nothing where neither plays a part. */
  of: string | undefined;
  many: boolean;
  family: string | undefined;
  model: string;
  name: string;
  source: string;
  url: string | undefined;
  version: string | undefined;
  date: string | undefined;
  device: string | undefined;
  quoted: string | undefined;
  unexplained: string | undefined;
  assumed: string | undefined;
  open: string | undefined;
  /** Its conformance vector, where it is one. */
  vector: string | undefined;
}

export type Status = 'exact' | 'inside' | 'outside' | 'banded';

export interface Figure {
  of: Case;
  metric: string;
  unit: string;
  said: number;
  ours: number;
  low: number | undefined;
  high: number | undefined;
  /** Relative to what was said, with its sign. */
  error: number;
  status: Status;
}

/** Logs of one tool held against the estimate; bytes. */
export interface Explained {
  tool: string;
  logs: number;
  figures: number;
  inside: number;
  /** By how much figures lie beyond the band, and how much of that is accounted for. */
  beyond: number;
  explained: number;
}

export interface Board {
  texts: string[];
  cases: number[][];
  figures: number[][];
  reasons: [string, number][];
  explained: Explained[];
}

const caseOf = (texts: string[], numbers: number[]): Case => {
  const [kind, of, many, family, model, name, source, url, version, date, device, quoted, unexplained, assumed, open, vector] = numbers.map(
    (at): string | undefined => texts[at],
  );
  const words = { of, family, url, version, date, device, quoted, unexplained, assumed, open, vector };
  return { kind: kind!, many: many !== undefined, model: model!, name: name ?? '', source: source!, ...words };
};

/** Relative; of nothing, nothing is exact and anything else wholly wrong. */
const errorOf = (said: number, ours: number): number => (said === ours ? 0 : said === 0 ? 1 : (ours - said) / said);

function figureOf(cases: Case[], texts: string[], numbers: number[]): Figure {
  const [at, metric, unit, said, ours = said, from = said, to = said, low, high] = numbers as [
    number,
    number,
    number,
    number,
    ...(number | undefined)[],
  ];
  const about = { of: cases[at]!, metric: texts[metric]!, unit: texts[unit]!, said, ours, low, high, error: errorOf(said, ours) };
  const banded = low !== undefined && high !== undefined && high > low;
  const inside = banded && low <= to && from <= high;
  const exact = ours >= from && ours <= to;
  return { ...about, status: exact ? 'exact' : inside ? 'inside' : banded || low !== undefined ? 'outside' : 'banded' };
}

export function figuresOf({ texts, cases, figures }: Board): Figure[] {
  const known = cases.map((numbers) => caseOf(texts, numbers));
  return figures.map((numbers) => figureOf(known, texts, numbers));
}

/** Neither exact nor inside its band, and no rule says why. */
export const isUnexplained = ({ of, status }: Figure): boolean =>
  status !== 'exact' && (of.unexplained !== undefined || (status === 'outside' && of.open === undefined && of.assumed === undefined));
