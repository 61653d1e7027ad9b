declare module 'plimsoll-engine' {
  export interface Door {
    version(): string;
    provide(presets: string): string;
    estimate(request: string): string;
    sweep(question: string): string;
    solve(question: string): string;
  }
  const factory: (options: { wasmBinary: ArrayBuffer | Uint8Array }) => Promise<Door>;
  export default factory;
}

declare module 'plimsoll-whole' {
  import type { Door } from 'plimsoll-engine';
  export interface WholeDoor extends Door {
    inspect(files: string): string;
    plan(question: string): string;
    /** Address of a buffer of `size` bytes that the next `inspect` reads. */
    reserve(size: number): number;
    /** The memory; taken anew after every call, which may have grown it. */
    readonly HEAPU8: Uint8Array;
  }
  const factory: (options: { wasmBinary: ArrayBuffer | Uint8Array }) => Promise<WholeDoor>;
  export default factory;
}

declare module 'plimsoll-logs' {
  export interface LogsDoor {
    reconcile(log: string): string;
  }
  const factory: (options: { wasmBinary: ArrayBuffer | Uint8Array }) => Promise<LogsDoor>;
  export default factory;
}

declare module 'plimsoll-logs-wasm?url' {
  const url: string;
  export default url;
}

declare module 'plimsoll-whole-wasm?url' {
  const url: string;
  export default url;
}

declare module 'plimsoll-engine-wasm?url' {
  const url: string;
  export default url;
}

declare module 'virtual:plimsoll-layouts-worker' {
  /** The worker that searches layouts, as the text of a classic script. */
  export const source: string;
}

declare module 'virtual:plimsoll-presets' {
  /** Folder of the presets, relative to the page, named by their content. */
  export const base: string;
  /** The models that there are: of any other none is asked for. */
  export const ids: string[];
}

declare module 'virtual:plimsoll-offline' {
  /** What is kept for when there is no network: SHA-256 in hex by path beside the worker. */
  export const files: Record<string, string>;
}

declare module 'virtual:plimsoll-keys' {
  /** Names of fields in a link, with spaces between them, by the block of a request. */
  export const blocks: Record<string, string>;
}

declare module 'virtual:plimsoll-counters' {
  /** Counters of a log, each with what of an answer it is held against. */
  export const against: [string, string][];
}

declare module 'virtual:plimsoll-rows' {
  /** Of rows with a colour of their own, which: a number of styles/charts.ts. */
  export const colours: Record<string, number>;
  /** Rows that the allocator does not count. */
  export const outside: readonly string[];
}

declare module 'virtual:plimsoll-inlined' {
  /** The whole engine's WebAssembly, and the presets as JSON text: each gzip in base85. */
  export const wasm: string;
  /** The same of what reads logs. */
  export const logsWasm: string;
  export const tables: string;
  export const rates: string;
  export const bands: string;
  export const models: string;
  export const examples: string;
  export const launches: string;
  export const machines: string;
  export const trainers: string;
}

declare module 'virtual:plimsoll-data' {
  /** WebAssembly by the engine's name, each gzip in base64; so are the others. */
  export const engines: Record<string, string>;
  /** All presets of each kind, as JSON. */
  export const presets: Record<string, string>;
  /** Some of presets/schema by their files' names, as JSON. */
  export const schemas: string;
}

declare module 'virtual:plimsoll-evidence' {
  /** The measured cases as JSON text: all of them. */
  export const board: string;
}

declare module 'virtual:plimsoll-nearest' {
  /** Where the cases lie that an answer is held against. */
  export const url: string;
}

declare module 'virtual:plimsoll-nearest-inlined' {
  /** The same as JSON text. */
  export const nearest: string;
}
