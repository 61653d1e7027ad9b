// What the engine's `inspect` replies, as the package's types have it.

export type * from '../library/inspection.d.ts';
