// What presets/schema/request.json says of each field besides its type: `option`, how the command line calls it, and `form`,
// how the page's form does (`formOfTraining`: of its other tab). Where `below` is given, the note speaks of a field below.

/** @typedef {Record<string, any>} Node a part of the schema */
/** @typedef {{path: string, type: Node, note: Record<string, any>}} Described */

/** A note stands where the form is described first, and not at every place that refers to it. */
const shared = ['#/properties/', '#/$defs/auxiliaryModel'];

/** @param {Node} schema @param {Node} node @returns {Node} */
function resolved(schema, node) {
  const reference = node?.$ref;
  if (!reference?.startsWith('#/')) return node;
  const at = reference.slice(2).split('/');
  return resolved(
    schema,
    at.reduce((/** @type {Node} */ into, /** @type {string} */ key) => into[key], schema),
  );
}

/** Ways to write a value, of which lists have no fields. @param {Node} node @returns {Node[]} */
const ways = (node) => node.anyOf ?? node.oneOf ?? [node];

/** @param {Node} schema @param {Node} node @param {string[]} below @returns {Node} */
function typeBelow(schema, node, below) {
  const type = resolved(schema, node);
  if (below.length === 0) return type;
  const [name, ...rest] = /** @type {[string, ...string[]]} */ (below);
  const way = ways(type)
    .map((one) => resolved(schema, one))
    .find((one) => one.properties?.[name]);
  if (!way) throw new Error(`request.json: nothing is called ${name}`);
  return typeBelow(schema, way.properties[name], rest);
}

/**
 * Every note of that name, in the schema's order.
 * @param {Node} schema @param {'option' | 'form' | 'formOfTraining'} name @returns {Described[]}
 */
export function described(schema, name) {
  /** @type {Described[]} */
  const found = [];
  /** @param {Node} node @param {string[]} path */
  const walk = (node, path) => {
    for (const note of [node[name] ?? []].flat()) {
      const below = note.below?.split('.') ?? [];
      found.push({ path: [...path, ...below].join('.'), type: typeBelow(schema, node, below), note });
    }
    if (shared.some((from) => node.$ref?.startsWith(from))) return;
    for (const way of ways(resolved(schema, node)).map((one) => resolved(schema, one)))
      for (const [key, field] of Object.entries(way.properties ?? {})) walk(/** @type {Node} */ (field), [...path, key]);
  };
  walk(schema, []);
  return found;
}
