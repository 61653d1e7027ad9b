// What one block of an encoding consists of, read off its preset.

import type { EncodingField, EncodingPreset } from '../engine/wire.d.ts';

export interface Part {
  holds: EncodingField['holds'] | 'zero_point' | 'block_zero_point' | 'scale_of_scales' | 'scale_of_minimums';
  count: number;
  bits: number;
}

export interface Block {
  /** Values stored in one. */
  elements: number;
  parts: Part[];
  /** All bits of the parts. */
  bits: number;
}

function grouped({ bits, group, scale_group: outer }: EncodingPreset): Omit<Block, 'bits'> {
  if (!group) return { elements: 1, parts: [{ holds: 'value', count: 1, bits }] };
  const groups = outer?.elements ?? 1;
  const elements = group.elements * (group.columns ?? 1) * groups;
  const parts: Part[] = [
    { holds: 'value', count: elements, bits },
    { holds: outer ? 'scale' : 'block_scale', count: groups, bits: group.scale_bits },
  ];
  if (group.zero_bits) parts.push({ holds: outer ? 'zero_point' : 'block_zero_point', count: groups, bits: group.zero_bits });
  if (outer) parts.push({ holds: 'scale_of_scales', count: 1, bits: outer.scale_bits });
  return { elements, parts };
}

/** What stands once for a block of which parts have scales of their own scales those. */
function inside(holds: EncodingField['holds'], fields: readonly EncodingField[]): Part['holds'] {
  const has = (part: string): boolean => fields.some((one) => one.holds === part);
  if (holds === 'block_scale' && has('scale')) return 'scale_of_scales';
  return holds === 'block_minimum' && has('minimum') ? 'scale_of_minimums' : holds;
}

/** One block, or one value where values stand alone. A file type of GGUF shows the type of most of its tensors. */
export function blockOf(encoding: EncodingPreset, all: readonly EncodingPreset[]): Block {
  const shown = all.find(({ id }) => id === encoding.base) ?? encoding;
  const { layout } = shown;
  const { elements, parts } = layout
    ? { elements: shown.block ?? 1, parts: layout.map(({ holds, count = 1, bits }) => ({ holds: inside(holds, layout), count, bits })) }
    : grouped(shown);
  return { elements, parts, bits: parts.reduce((sum, { count, bits }) => sum + count * bits, 0) };
}
