// @ts-check
// What the guide's pages are written with.

/** @param {unknown} raw */
export const escaped = (raw) =>
  String(raw).replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter);

/** Attributes of an element; those without a value are left out. @param {Record<string, unknown>} all */
export const attributes = (all) =>
  Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(typeof value === 'object' ? JSON.stringify(value) : value)}"`)
    .join('');
