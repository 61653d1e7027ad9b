import type { Calculator } from '../../app/calculator.ts';

/** Nobody is asked for images that the model cannot see. */
export function seesImages(c: Calculator): boolean {
  const parts: Record<string, number> = c.asking.answer?.model?.parameters?.parts ?? {};
  return 'vision' in parts;
}
