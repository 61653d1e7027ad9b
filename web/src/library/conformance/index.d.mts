// Types of `plimsoll-conformance`.

import type { Vector } from '../../engine/wire.js';

export type { Vector } from '../../engine/wire.js';

/** The version of the request's form that the vectors ask in, and the name of their file. */
export const version: number;

/** All vectors, by name; `file` has one a line. Throws where there is no such file. */
export function vectors(file?: string): Vector[];

export interface Figure {
  value: number;
  low: number;
  high: number;
}

/** What a reply says at some places, added up; undefined where there is nothing at any of them. */
export function figureIn(reply: unknown, places: readonly string[]): Figure | undefined;

/** The same of a vector's one reply, or of the first less the second. */
export function figureOf(places: readonly string[], reply: unknown, less?: unknown): Figure | undefined;

/** Whether a value is as near as the vector asks. */
export function isHeld(figure: { from: number; to: number; truth: number; tolerance: number }, value: number): boolean;
