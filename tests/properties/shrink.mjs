// The smallest request that still breaks a law: fields are left out, and numbers made small, as long as it breaks.

const isBlock = (value) => value !== null && typeof value === 'object';

/** Every request that is this one with one field less, or one number smaller. */
function* smaller(request, at = [], node = request) {
  const changed = (path, change) => {
    const copy = structuredClone(request);
    const holder = path.slice(0, -1).reduce((value, key) => value[key], copy);
    change(holder, path.at(-1));
    return copy;
  };
  for (const [key, value] of Object.entries(node)) {
    const path = [...at, key];
    yield changed(path, (holder, name) => (Array.isArray(holder) ? holder.splice(Number(name), 1) : delete holder[name]));
    if (isBlock(value)) yield* smaller(request, path, value);
    if (typeof value !== 'number') continue;
    for (const less of [1, 2, Math.floor(value / 2)]) if (less < value && less > 0) yield changed(path, (holder, name) => (holder[name] = less));
  }
}

/**
 * @param {object} request one that breaks a law
 * @param {(requests: object[]) => boolean[]} breaks which of these break it too, asked of many at once
 */
export function shrink(request, breaks) {
  for (let round = 0; round < 60; ++round) {
    const tries = [...smaller(request)];
    const found = breaks(tries).findIndex(Boolean);
    if (found < 0) return request;
    request = tries[found];
  }
  return request;
}
