export interface Row {
  request: object;
  name: string;
  verdict: string;
  bytes: number;
  free_bytes: number;
  encoding?: string;
  context?: number;
  tokens_per_second?: { value: number; low: number; high: number } | { at_most: number };
}
export interface Question {
  command: 'estimate' | 'solve';
  question: object;
}
/** Asks questions, takes their replies, and returns what came of them. */
export type Cell<T = Row | undefined> = Generator<Question, T, unknown>;
interface Named {
  id: string;
  name: string;
}
export function modelOn(request: object, model: Named): Cell;
export function deviceFor(request: object, device: Named): Cell;
export function atContext(request: object, context: number): object;
export function encodingsOf(request: object): Cell<string[] | undefined>;
export function encodingOf(request: object, encoding: string, name: string): Cell;
