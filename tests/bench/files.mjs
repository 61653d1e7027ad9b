// Times the readers of files in WebAssembly, each beside the plainest thing that could stand in its place.

import { inspectFiles } from '../../web/src/files/door.mjs';
import { instantiated } from '../../web/src/node/engine.mjs';
import { presets } from '../../web/src/node/presets.mjs';
import { best } from './best.mjs';
import { ofGguf } from './gguf.mjs';

/** An index as DeepSeek-V3's: 62 layers of 256 experts, each with three matrices and their scales; 100,000 tensors. */
function bigIndex() {
  const map = {};
  const file = (layer) => `model-${String(2 * layer + 1).padStart(5, '0')}-of-000163.safetensors`;
  for (let layer = 0; layer < 66; layer++)
    for (let expert = 0; expert < 256; expert++)
      for (const matrix of ['gate_proj', 'up_proj', 'down_proj'])
        for (const what of ['weight', 'weight_scale_inv']) map[`model.layers.${layer}.mlp.experts.${expert}.${matrix}.${what}`] = file(layer);
  return JSON.stringify({ metadata: { total_size: 688586727753 }, weight_map: map }, null, 2);
}

/** JSON.parse and a plain loop: what a page without an engine would do. */
function plainly(bytes) {
  const files = new Set();
  let tensors = 0;
  for (const file of Object.values(JSON.parse(new TextDecoder().decode(bytes)).weight_map)) {
    tensors++;
    files.add(file);
  }
  return { tensors, files: files.size };
}

export async function ofFiles() {
  const door = await instantiated();
  const inspect = (name, bytes) => {
    const reply = inspectFiles(door, [{ name, size: bytes.length, bytes }]);
    if (reply.error) throw new Error(`${reply.error.where}: ${reply.error.what}`);
    return reply;
  };
  const index = new TextEncoder().encode(bigIndex());
  const { tensors } = plainly(index);
  if (inspect('model.safetensors.index.json', index).checkpoint.count !== tensors) throw new Error('the index was not read whole');
  const largest = presets('models').reduce((a, b) => (b.parameters.value > a.parameters.value ? b : a));
  const config = new TextEncoder().encode(JSON.stringify(largest.config));
  const { rows: ofHeaders, line } = await ofGguf(door);
  const rows = [
    {
      name: `index of ${tensors.toLocaleString('en')} tensors, ${(index.length / 1e6).toFixed(1)} MB`,
      ours: best(() => inspect('model.safetensors.index.json', index)),
      beside: 'JSON.parse and a loop',
      theirs: best(() => plainly(index)),
      goal: '≤ 2 ×',
    },
    { name: `config.json of ${largest.name} to its parameters`, ours: best(() => inspect('config.json', config), 50), beside: '', goal: '' },
    ...ofHeaders,
  ];
  return { rows, line };
}
