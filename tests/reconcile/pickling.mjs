// Writes plain values as Python's pickle does (CPython, Lib/pickle.py, protocol 4): marks, batches, a memo of containers and texts.

const text = (value) => new TextEncoder().encode(value);
const u32 = (value) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];

function number(value, out) {
  if (!Number.isInteger(value)) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    out.push(0x47, ...bytes);
  } else if (value >= 0 && value < 256) out.push(0x4b, value);
  else if (value >= -(2 ** 31) && value < 2 ** 31) out.push(0x4a, ...u32(value));
  else {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true);
    out.push(0x8a, 8, ...bytes);
  }
}

function put(value, out, memo) {
  if (value === null) out.push(0x4e);
  else if (typeof value === 'boolean') out.push(value ? 0x88 : 0x89);
  else if (typeof value === 'number') number(value, out);
  else if (memo.has(value)) out.push(0x6a, ...u32(memo.get(value)));
  else if (typeof value === 'string') {
    const bytes = text(value);
    out.push(...(bytes.length < 256 ? [0x8c, bytes.length] : [0x58, ...u32(bytes.length)]), ...bytes, 0x94);
    memo.set(value, memo.size);
  } else {
    out.push(Array.isArray(value) ? 0x5d : 0x7d, 0x94);
    memo.set(value, memo.size);
    const items = Array.isArray(value) ? value : Object.entries(value).flat();
    if (items.length === 0) return;
    out.push(0x28);
    for (const item of items) put(item, out, memo);
    out.push(Array.isArray(value) ? 0x65 : 0x75);
  }
}

/** @param {unknown} value of dictionaries, lists, texts, numbers @returns {Uint8Array} */
export function pickled(value) {
  const out = [0x80, 4];
  put(value, out, new Map());
  out.push(0x2e);
  return Uint8Array.from(out);
}
