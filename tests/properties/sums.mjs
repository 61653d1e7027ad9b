// What holds of every reply by itself: rows add up at every level, bands hold their bytes, and classes of devices their devices.

/** Every row of a list with its path, and those within it. */
function* rowsOf(rows, above = '') {
  for (const row of rows ?? []) {
    const path = above ? `${above}.${row.id}` : row.id;
    yield { path, row };
    yield* rowsOf(row.rows, path);
  }
}

const sum = (rows, of) => rows.reduce((all, row) => all + of(row), 0);

/** A row's children are what it is made of, at its own moment and at each phase. */
function unevenRow({ path, row }) {
  if (!row.rows?.length) return undefined;
  if (sum(row.rows, ({ bytes }) => bytes) !== row.bytes) return `${path}: its parts have ${sum(row.rows, ({ bytes }) => bytes)}, it ${row.bytes}`;
  const off = Object.keys(row.by_phase ?? {}).find((phase) => sum(row.rows, (part) => part.by_phase?.[phase] ?? 0) !== row.by_phase[phase]);
  return off && `${path}: its parts have ${sum(row.rows, (part) => part.by_phase?.[off] ?? 0)} at ${off}, it ${row.by_phase[off]}`;
}

/** low ≤ bytes ≤ high, whole numbers; all the same where the row is arithmetic on shapes. */
function wrongBand({ path, row: { bytes, low, high, basis } }) {
  if (![bytes, low, high].every(Number.isInteger)) return `${path}: ${low}, ${bytes}, ${high} are no whole bytes`;
  if (!(low >= 0 && low <= bytes && bytes <= high)) return `${path}: ${low} ≤ ${bytes} ≤ ${high} does not hold`;
  return basis === 'exact' && low !== high ? `${path}: exact, and yet from ${low} to ${high}` : undefined;
}

const allocatedOutside = new Set(['slack', 'device_context']);

function totals({ total, rows, devices = [] }) {
  const process = sum(rows, ({ bytes }) => bytes);
  if (process !== total.process.bytes) return `rows have ${process}, total.process ${total.process.bytes}`;
  const allocated = sum(
    rows.filter(({ id }) => !allocatedOutside.has(id)),
    ({ bytes }) => bytes,
  );
  if (allocated !== total.bytes) return `allocated rows have ${allocated}, total ${total.bytes}`;
  for (const each of devices) {
    const own = sum(
      each.rows.filter(({ id }) => !allocatedOutside.has(id)),
      ({ bytes }) => bytes,
    );
    if (own !== each.bytes) return `${each.device}: allocated rows have ${own}, it ${each.bytes}`;
  }
  return undefined;
}

const first = (list, wrong) => list.map(wrong).find((text) => text !== undefined);

/** Devices of a request: as it says, as it was assumed, or one. */
function devicesOf(request, reply) {
  const assumed = reply.assumptions.find(({ field }) => field === 'devices')?.value;
  const listed = Array.isArray(request.device) ? request.device.length : 1;
  return request.devices ?? assumed ?? listed;
}

const servers = new Set(['vllm', 'sglang', 'tensorrt-llm']);

function counts(reply, request) {
  if (!reply.devices) return undefined;
  const none = reply.devices.find(({ count }) => !(count >= 1));
  if (none) return `${none.device}: ${none.count} devices`;
  const all = sum(reply.devices, ({ count }) => count);
  // a server's replica has devices of its own; others share them
  const replicas = servers.has(request.inference?.runtime) ? (request.inference.replicas ?? 1) : 1;
  const asked = devicesOf(request, reply) * replicas;
  return all === asked ? undefined : `classes have ${all} devices, the request ${asked}`;
}

/** Rows with bands: those of the fullest device, and of the host. */
const allRows = ({ rows, host }) => [...rowsOf(rows), ...[...rowsOf(host?.rows)].map(({ path, row }) => ({ path: `host.${path}`, row }))];

/** Laws of one reply: a name, and what is wrong, if anything. */
export const sums = [
  { name: "rows' parts add up to them, at every phase", wrong: (reply) => first(allRows(reply), unevenRow) },
  { name: 'bands hold their bytes, and exact rows have none', wrong: (reply) => first(allRows(reply), wrongBand) },
  { name: 'totals are the sums of rows', wrong: totals },
  {
    name: 'totals lie in their bands, and each holds the one before',
    wrong: ({ total }) => {
      const spans = [total, total.reserved, total.process].filter(Boolean);
      const off = spans.find(({ bytes, low, high }) => !(low <= bytes && bytes <= high));
      if (off) return `${off.low} ≤ ${off.bytes} ≤ ${off.high} does not hold`;
      return spans.some(({ bytes }, at) => at && bytes < spans[at - 1].bytes) ? `totals ${spans.map(({ bytes }) => bytes)} fall` : undefined;
    },
  },
  { name: 'classes of devices have the devices of the request', wrong: counts },
];
