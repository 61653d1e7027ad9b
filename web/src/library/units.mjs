// Numbers for people: bytes, shares and counts out; 32k, 70b and 80GiB in.

const sizes = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** The units that `--unit` takes. */
export const units = ['GiB', 'GB', 'MiB', 'MB', 'bytes'];

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
const hundredths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const count = (n) => whole.format(n);

export const inUnit = (bytes, unit) => (unit === 'bytes' ? whole.format(bytes) : hundredths.format(bytes / sizes[unit]));

export const share = (part, total) => (total > 0 ? `${((100 * part) / total).toFixed(1)} %` : '');

/** A value inside a formula: exact where it is whole, otherwise what tells it apart. */
export const value = (n) => (typeof n !== 'number' ? String(n) : Number.isInteger(n) ? whole.format(n) : String(Number(n.toPrecision(9))));

function scaled(text, suffixes) {
  const match = /^([0-9]*\.?[0-9]+(?:e[0-9]+)?) *([a-z]*)$/i.exec(text);
  if (!match) return undefined;
  const factor = match[2] === '' ? 1 : suffixes(match[2]);
  return factor === undefined ? undefined : Number(match[1]) * factor;
}

const binary = { k: 2 ** 10, m: 2 ** 20 };
const decimal = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** How each kind of option is read; `undefined` means that the text is none of its kind. */
export const read = {
  text: (text) => text,
  /** Contexts come in powers of two: 32k is 32,768. */
  tokens: (text) => scaled(text, (s) => binary[s.toLowerCase()]),
  /** Parameters come in powers of ten: 70b is 70,000,000,000. */
  parameters: (text) => scaled(text, (s) => decimal[s.toLowerCase()]),
  bytes: (text) => scaled(text, (s) => sizes[Object.keys(sizes).find((size) => size.toLowerCase() === s.toLowerCase())]),
  number: (text) => scaled(text, () => undefined),
  list: (text) => text.split(',').map((item) => item.trim()),
};
