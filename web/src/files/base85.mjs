// @ts-check
// Bytes as text, four in five letters: a sixteenth shorter than base64. No letter is one that a string or a script must escape.

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,-./:;=>?@[]^_{|';
const base = 85;

/** @param {Uint8Array} bytes @returns {string} */
export function toBase85(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const group = bytes.subarray(at, at + 4);
    let value = [0, 1, 2, 3].reduce((sum, one) => sum * 256 + (group[one] ?? 0), 0);
    let five = '';
    for (let one = 0; one < 5; one += 1, value = Math.floor(value / base)) five = letters[value % base] + five;
    text += five.slice(0, group.length + 1); // of a last group, the letters that its bytes need
  }
  return text;
}

/** @param {string} text what `toBase85` wrote @returns {Uint8Array<ArrayBuffer>} */
export function fromBase85(text) {
  const values = new Uint8Array(128);
  for (let one = 0; one < base; one += 1) values[letters.charCodeAt(one)] = one;
  const bytes = new Uint8Array(Math.floor((text.length * 4) / 5));
  const last = base - 1; // in place of letters that were left out
  for (let from = 0, to = 0; from < text.length; from += 5, to += 4) {
    let value = 0;
    for (let one = from; one < from + 5; one += 1) value = value * base + (one < text.length ? (values[text.charCodeAt(one)] ?? 0) : last);
    bytes[to] = value >>> 24;
    bytes[to + 1] = value >>> 16;
    bytes[to + 2] = value >>> 8;
    bytes[to + 3] = value;
  }
  return bytes;
}
