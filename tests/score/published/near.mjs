// The table of README.md that says how near the answers come: some rows of ACCURACY.md under names that a reader knows.

/** What a reader is told, and where ACCURACY.md has it: its section, what the row is of, its figure. */
const shown = [
  ['parameter counts of published models', 'Parameters', 'all', 'parameters'],
  ["what PyTorch's autograd saves, layer by layer", "PyTorch's autograd, tensor by tensor", 'all', 'saved by the layers'],
  ["llama.cpp's weights and cache on the device", "llama.cpp's own buffers", 'all', 'context, device'],
  ["llama.cpp's work buffers there, with flash attention", "llama.cpp's own buffers", 'all', 'compute, device, all logits, flash attention'],
  ['inference under transformers, allocated', 'Published figures of inference', 'transformers', 'max_memory_allocated'],
  ['inference under MLX, peak', 'Published figures of inference', 'MLX', 'peak memory'],
  ["tokens of vLLM's cache, of the memory left", 'Published figures of inference', 'vLLM', 'tokens of the memory left'],
  ['training, peak, whatever was counted', 'Published figures of training', 'all', 'peak'],
];
const marks = ['<!-- how near: ./dev score --write -->', '<!-- /how near -->'];

/** The table, from the text of ACCURACY.md. */
export function near(accuracy) {
  const rows = shown.map(([name, section, of, figure]) => {
    const start = accuracy.indexOf(`\n## ${section}\n`);
    const row = start < 0 ? -1 : accuracy.indexOf(`\n| ${of} | ${figure} | `, start);
    if (row < 0) throw new Error(`ACCURACY.md has no row of ${section}: ${of}, ${figure}`);
    const cells = accuracy.slice(row + 1, accuracy.indexOf('\n', row + 1)).split(' | ');
    const [answered, exact, median, ninetieth, , inBand] = cells.slice(3);
    return `| ${[name, answered, exact, median, ninetieth, inBand].join(' | ')} |`;
  });
  const head = ['| Held against | figures | exact | median error | nine of ten within | in the band |', '|---|--:|--:|--:|--:|--:|'];
  return [...head, ...rows].join('\n');
}

/** README.md with its table as ACCURACY.md has the figures. */
export function withNear(readme, accuracy) {
  const [from, to] = marks.map((mark) => readme.indexOf(mark));
  if (from < 0 || to < from) throw new Error(`README.md has no place for the table: ${marks.join(' … ')}`);
  return `${readme.slice(0, from + marks[0].length)}\n${near(accuracy)}\n${readme.slice(to)}`;
}
