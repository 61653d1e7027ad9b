// What people type into number fields: 2048, 8,192, 32k, 70.6. Text that is no number is undefined.

/** `k` and `M` count tokens, so they are powers of two, as models' contexts are. */
const suffixes: Record<string, number> = { '': 1, k: 2 ** 10, m: 2 ** 20 };

export function parseNumber(text: string): number | undefined {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([km]?)$/i.exec(text.replace(/[\s,_\u00a0\u202f]/g, ''));
  if (!match) return undefined;
  const value = Number(match[1]) * (suffixes[match[2]!.toLowerCase()] ?? 1);
  return Number.isFinite(value) ? value : undefined;
}

/** Sliders step four times an octave: 1024, 1280, 1536, 1792, 2048 … */
export const fromStep = (step: number): number => 2 ** Math.floor(step / 4) * (1 + (step % 4) / 4);

export function toStep(value: number): number {
  if (!(value > 0)) return 0;
  const octave = Math.floor(Math.log2(value));
  return 4 * octave + Math.round(4 * (value / 2 ** octave - 1));
}

/** The step that reaches a value, which may lie between two. */
export const lastStep = (value: number): number => (fromStep(toStep(value)) < value ? toStep(value) + 1 : toStep(value));
