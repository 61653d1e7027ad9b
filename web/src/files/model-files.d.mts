// What `plimsoll/sources` gives: a model's files by its name.

import type { Source } from '../library/index.js';

export type Kind = 'hub' | 'modelscope' | 'ollama';

export interface Asking {
  /** For gated models: it goes to the server that is asked and to no other, and to Ollama's not at all. */
  token?: string;
  fetch?: typeof fetch;
  /** Milliseconds of silence after which an answer is given up. */
  patience?: number;
  signal?: AbortSignal;
  /** Other servers than the usual ones. */
  bases?: Partial<Record<Kind, string>>;
}

/**
 * `org/name` on the Hugging Face hub, `modelscope:org/name`, `ollama:name:tag`, or a model's page. Asks for the list now, for
 * bytes when they are read. Throws an error whose `failure` says what went wrong and what to do.
 */
export function modelFiles(name: string, asking?: Asking): Promise<{ sources: Source[]; left: string[] }>;
