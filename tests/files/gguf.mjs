// Writes the head of a GGUF file: metadata and the table of tensors, whose bytes need not be there.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

/** Tensor types: their number in the file, and elements and bytes of a block. */
const types = { F32: [0, 1, 4], F16: [1, 1, 2], Q8_0: [8, 32, 34], Q4_K: [12, 256, 144], Q6_K: [14, 256, 210], BF16: [30, 1, 2] };

const kinds = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9 };

const kindOf = (value) => {
  if (value instanceof Int32Array) return 'i32';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(value) ? (value < 0 ? 'i32' : 'u32') : 'f32';
};

class Writer {
  #pieces = [];

  constructor(version, bigEndian) {
    this.bigEndian = bigEndian;
    this.width = version === 1 ? 4 : 8;
    this.#pieces.push(Buffer.from('GGUF'));
    this.number(version, 4);
  }
  number(value, size) {
    const piece = Buffer.alloc(size);
    const low = this.bigEndian ? size - Math.min(size, 4) : 0;
    const high = this.bigEndian ? 0 : 4;
    const write = (part, at) => (this.bigEndian ? piece.writeUIntBE(part, at, Math.min(size, 4)) : piece.writeUIntLE(part, at, Math.min(size, 4)));
    write(value % 2 ** (8 * Math.min(size, 4)), low);
    if (size === 8) write(Math.floor(value / 2 ** 32), high);
    this.#pieces.push(piece);
  }
  count(value) {
    this.number(value, this.width);
  }
  text(value) {
    const bytes = Buffer.from(value);
    this.count(bytes.length);
    this.#pieces.push(bytes);
  }
  real(value) {
    const piece = Buffer.alloc(4);
    if (this.bigEndian) piece.writeFloatBE(value);
    else piece.writeFloatLE(value);
    this.#pieces.push(piece);
  }
  value(value, kind) {
    if (kind === 'text') this.text(value);
    else if (kind === 'bool') this.number(Number(value), 1);
    else if (kind === 'f32') this.real(value);
    else this.number(value < 0 ? value + 2 ** 32 : value, 4);
  }
  key(name, value) {
    this.text(name);
    const list = Array.isArray(value) || value instanceof Int32Array ? value : undefined;
    if (!list) this.number(kinds[kindOf(value)], 4);
    else this.number(kinds.list, 4);
    const real = Array.isArray(value) && value.some((one) => kindOf(one) === 'f32');
    const kind = real ? 'f32' : kindOf(Array.isArray(value) ? (value[0] ?? 0) : value);
    if (list) {
      this.number(kinds[kind], 4);
      this.count(list.length);
    }
    for (const one of list ?? [value]) this.value(one, kind);
  }
  bytes() {
    return Buffer.concat(this.#pieces);
  }
}

/**
 * @param {Record<string, string | number | boolean | (string | number | boolean)[]>} metadata
 * @param {Record<string, [number[], keyof typeof types]>} tensors sides, the innermost first, and type
 * @param {{version?: number, bigEndian?: boolean}} [options]
 * @returns {{head: Buffer, size: number}} the head, and the size of the whole file
 */
export function gguf(metadata, tensors = {}, { version = 3, bigEndian = false } = {}) {
  const writer = new Writer(version, bigEndian);
  writer.count(Object.keys(tensors).length);
  writer.count(Object.keys(metadata).length);
  for (const [name, value] of Object.entries(metadata)) writer.key(name, value);
  let at = 0;
  for (const [name, [sides, type]] of Object.entries(tensors)) {
    const [id, elements, bytes] = types[type];
    writer.text(name);
    writer.number(sides.length, 4);
    for (const side of sides) writer.count(side);
    writer.number(id, 4);
    writer.number(at, 8);
    at += (sides.reduce((product, side) => product * side, 1) / elements) * bytes;
    at = Math.ceil(at / 32) * 32;
  }
  const head = writer.bytes();
  return { head, size: Math.ceil(head.length / 32) * 32 + at };
}

/** Metadata of a small llama, as llama.cpp's converter writes it. */
export const metadata = (more = {}) => ({
  'general.architecture': 'llama',
  'general.file_type': 15,
  'llama.block_count': 2,
  'llama.context_length': 4096,
  'llama.embedding_length': 256,
  'llama.feed_forward_length': 512,
  'llama.attention.head_count': 4,
  'llama.attention.head_count_kv': 2,
  'llama.attention.layer_norm_rms_epsilon': 0.00001,
  'llama.rope.dimension_count': 64,
  'tokenizer.ggml.model': 'gpt2',
  'tokenizer.ggml.tokens': ['a', 'b', 'ab', '<|end|>'],
  'tokenizer.ggml.token_type': [1, 1, 1, 3],
  'tokenizer.ggml.merges': ['a b'],
  'tokenizer.ggml.eos_token_id': 3,
  ...more,
});

/** Its tensors, block by block. @param {number} [blocks] */
export function tensors(blocks = 2) {
  const block = (i) => ({
    [`blk.${i}.attn_norm.weight`]: [[256], 'F32'],
    [`blk.${i}.attn_q.weight`]: [[256, 256], 'Q4_K'],
    [`blk.${i}.attn_k.weight`]: [[256, 128], 'Q4_K'],
    [`blk.${i}.attn_v.weight`]: [[256, 128], 'Q6_K'],
    [`blk.${i}.attn_output.weight`]: [[256, 256], 'Q4_K'],
    [`blk.${i}.ffn_norm.weight`]: [[256], 'F32'],
    [`blk.${i}.ffn_gate.weight`]: [[256, 512], 'Q4_K'],
    [`blk.${i}.ffn_up.weight`]: [[256, 512], 'Q4_K'],
    [`blk.${i}.ffn_down.weight`]: [[512, 256], 'Q6_K'],
  });
  return Object.assign({ 'token_embd.weight': [[256, 4], 'Q4_K'] }, ...Array.from({ length: blocks }, (_, i) => block(i)), {
    'output_norm.weight': [[256], 'F32'],
    'output.weight': [[256, 4], 'Q6_K'],
  });
}

/** The same model in `count` files, as llama.cpp's gguf-split writes them: the first has the metadata. */
export function split(count = 2, stem = 'model') {
  const all = Object.entries(tensors());
  const share = Math.ceil(all.length / count);
  const digits = (n) => String(n).padStart(5, '0');
  const part = (i) => {
    const own = { 'split.no': i, 'split.count': count, 'split.tensors.count': all.length };
    return gguf(i === 0 ? metadata(own) : own, Object.fromEntries(all.slice(i * share, (i + 1) * share)));
  };
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${stem}-${digits(i + 1)}-of-${digits(count)}.gguf`, part(i)]));
}
