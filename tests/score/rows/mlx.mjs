// What MLX prints at the end of an answer: the most that was allocated, in units of 10^9.

import { deviceNamed } from './names.mjs';

/** "q4 g32" is 4 bits in groups of 32; groups are of 64 where nothing is said. */
function encodingOf(quant) {
  const [, bits, group = '64'] = /^q(\d)(?: g(\d+))?$/.exec(quant) ?? [];
  return bits ? `mlx-${bits}bit-${group}g` : quant;
}

/** Half of the last digit that is printed. */
const roundingOf = (gigabytes) => 0.5 * 10 ** -(String(gigabytes).split('.')[1]?.length ?? 1);

export function mlxCase({ quant, hardware, settings, printed }, model) {
  const device = deviceNamed(hardware);
  return {
    engine: 'MLX',
    requests: [
      {
        schema: 1,
        task: 'inference',
        explain: 'rows',
        model,
        weights: { encoding: encodingOf(quant) },
        ...(device && { device: { preset: device } }),
        inference: {
          runtime: 'mlx',
          context: settings.input_tokens + settings.generated_tokens,
          prompt: settings.input_tokens,
          sequences: settings.batch,
        },
      },
    ],
    compare: ({ total: { bytes, low, high } }) => [
      {
        metric: 'peak memory',
        of: 'allocated',
        at: ['total'],
        truth: printed.peak_memory_gb * 1e9,
        answer: bytes,
        low,
        high,
        tolerance: Math.max(0.005, roundingOf(printed.peak_memory_gb)) / printed.peak_memory_gb,
      },
    ],
  };
}
