export type Kind = 'tensor' | 'context' | 'data' | 'pipeline' | 'expert';
export type Degrees = Partial<Record<Kind, number>>;
export interface Cell {
  /** The first device's number, and how many the cell stands for. */
  first: number;
  count: number;
  /** The first and the last stage in it. */
  stages: [number, number];
  /** The first device's group of each kind. */
  groups: Record<Kind, number>;
}
export interface Box {
  /** The first node that is so, and how many are. */
  first: number;
  count: number;
  cells: Cell[];
}
export const kinds: readonly Kind[];
export const mostBoxes: number;
export const mostCells: number;
export function placeOf(rank: number, parallel: Degrees): Record<Exclude<Kind, 'expert'>, number>;
export function groupsOf(rank: number, parallel: Degrees): Record<Kind, number>;
export function pictured(parallel: Degrees, devices: number, perNode: number): { boxes: Box[]; left: number };
export function sizesOf(parallel: Degrees): { kind: Kind; size: number; groups: number }[];
