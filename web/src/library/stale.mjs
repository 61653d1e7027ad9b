// @ts-check
// What an author wrote within a tag is an answer to its attributes. The command line writes their hash beside it; where
// somebody has changed an attribute since, the two differ, and the old answer is not shown as if it were one.

/** Attributes that ask nothing: of the page, or how an answer is shown. */
const silent =
  /^(data-.*|aria-.*|id|class|style|slot|part|role|title|hidden|tabindex|lang|dir|theme|unit|size|locked|loading|controls|engine-src|kind|time)$/;

/**
 * A hash of what attributes ask: FNV-1a of 64 bits over their names and values, sorted, as sixteen digits.
 * @param {Iterable<readonly [string, string]>} attributes
 */
export function hashOf(attributes) {
  const asked = [...attributes].filter(([name]) => !silent.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = new TextEncoder().encode(JSON.stringify(asked));
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
