export interface Compared {
  schema: 1;
  requests: readonly object[];
  total: number[];
  process: (number | null)[];
  verdicts: (string | null)[];
  rows: { id: string; bytes: number[]; differs: { symbol: string; values: (number | null)[] }[] }[];
  assumptions: { field: string; values: unknown[] }[];
}
export function compared(requests: readonly object[], replies: readonly object[]): Compared;
