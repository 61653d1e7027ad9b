// Two to four replies side by side: rows aligned by id, and of each difference the symbols that make it.

/** Every row by its id with its parents', such as `kv_cache.keys`. @param {readonly any[]} rows @returns {Map<string, any>} */
function byPath(rows, above = '', found = new Map()) {
  for (const row of rows ?? []) {
    const path = above ? `${above}.${row.id}` : row.id;
    found.set(path, row);
    byPath(row.rows, path, found);
  }
  return found;
}

/** What a formula is made of in the end: symbols that no formula explains. */
class Leaves {
  #reply;
  #rows;
  #seen = new Set();
  /** @type {Map<string, number>} */
  found = new Map();

  constructor(reply, rows) {
    this.#reply = reply;
    this.#rows = rows;
  }

  of(formula) {
    for (const token of formula ?? []) {
      if (token.args) for (const argument of token.args) this.of(argument);
      if (token.ref !== undefined) this.#symbol(token);
      if (token.row !== undefined && this.#first(`row ${token.row}`)) this.of(this.#rows.get(token.row)?.formula);
    }
    return this.found;
  }

  #first(name) {
    if (this.#seen.has(name)) return false;
    this.#seen.add(name);
    return true;
  }

  #symbol({ ref, value }) {
    const symbol = this.#reply.symbols?.[ref];
    if (!symbol?.formula) this.found.set(ref, value);
    else if (this.#first(ref)) this.of(symbol.formula);
  }
}

const same = (values) => values.every((value) => value === values[0]);

/** What in the formulas of one row is not the same everywhere; null where a formula has no such symbol. */
function differing(rows, replies, tables) {
  const leaves = rows.map((row, at) => (row?.formula ? new Leaves(replies[at], tables[at]).of(row.formula) : new Map()));
  const symbols = [...new Set(leaves.flatMap((each) => [...each.keys()]))];
  return symbols.map((symbol) => ({ symbol, values: leaves.map((each) => each.get(symbol) ?? null) })).filter(({ values }) => !same(values));
}

/** What one reply assumed and another did not, or assumed otherwise. */
function assumptions(replies) {
  const all = replies.map((reply) => new Map((reply.assumptions ?? []).map(({ field, value }) => [field, value])));
  const fields = [...new Set(all.flatMap((each) => [...each.keys()]))];
  return fields.map((field) => ({ field, values: all.map((each) => each.get(field) ?? null) })).filter(({ values }) => !same(values));
}

/** The rows of all replies: one that others lack stands behind the one before it. @param {readonly Map<string, any>[]} tables */
function inOrder(tables) {
  const order = [];
  for (const table of tables) {
    let before = -1;
    for (const path of table.keys()) {
      const at = order.indexOf(path);
      if (at < 0) order.splice(before + 1, 0, path);
      before = at < 0 ? before + 1 : at;
    }
  }
  return order;
}

/**
 * Lines replies up. They should explain themselves (`"explain": "all"`), or rows say no reasons.
 * @param {readonly object[]} requests what was asked
 * @param {readonly any[]} replies the answers, in the same order
 * @returns {{schema: 1, requests: readonly object[], total: number[], process: (number | null)[], verdicts: (string | null)[],
 *   rows: {id: string, bytes: number[], differs: {symbol: string, values: (number | null)[]}[]}[],
 *   assumptions: {field: string, values: unknown[]}[]}}
 */
export function compared(requests, replies) {
  const tables = replies.map((reply) => byPath(reply.rows));
  return {
    schema: 1,
    requests,
    total: replies.map(({ total }) => total.bytes),
    process: replies.map(({ total }) => total.process?.bytes ?? null),
    verdicts: replies.map(({ fit }) => fit?.verdict ?? null),
    rows: inOrder(tables).map((id) => {
      const rows = tables.map((table) => table.get(id));
      const bytes = rows.map((row) => row?.bytes ?? 0);
      return { id, bytes, differs: same(bytes) ? [] : differing(rows, replies, tables) };
    }),
    assumptions: assumptions(replies),
  };
}
