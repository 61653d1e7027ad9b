// What kernels reach of a device's rates, found from printed speeds: for each runtime and class of devices the share of the
// bandwidth, the seconds that an operation takes beside, and the share of the peak rate; and how far off that is on sources that it
// was not found from.

/** Middle of values, each with a weight. @param {{value: number, weight: number}[]} list */
export function weightedQuantile(list, share) {
  const sorted = [...list].sort((a, b) => a.value - b.value);
  const whole = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let seen = 0;
  for (const { value, weight } of sorted) {
    seen += weight;
    if (seen >= share * whole) return value;
  }
  return sorted.at(-1)?.value;
}

/** Each source counts alike, however many rows it printed; what users sent in unchecked counts a quarter. */
export function weighed(cases) {
  const bySource = new Map();
  for (const one of cases) bySource.set(one.source, (bySource.get(one.source) ?? 0) + 1);
  return cases.map((one) => ({ ...one, weight: (one.crowd ? 0.25 : 1) / Math.sqrt(bySource.get(one.source)) }));
}

/**
 * A pass by its parts: seconds at the peaks of what memory binds, of what arithmetic binds and of what links carry; launches, and sums
 * over the devices that share a layer.
 */
export function partsOf(pass) {
  let memory = 0;
  let compute = 0;
  let launches = 0;
  let sums = 0;
  for (const { seconds, binds, layers, kind } of pass.operations) {
    launches += layers;
    if (kind === 'attention' || kind === 'recurrence') sums += 2 * layers;
    if (binds === 'bandwidth') memory += seconds;
    else compute += seconds;
  }
  return { memory, compute, launches, sums, links: pass.rows.find(({ id }) => id === 'links')?.seconds ?? 0 };
}

/** A prefill and so many steps behind it, as one pass. */
export function partsOfWhole({ prefill, token }, steps) {
  const [first, each] = [prefill && partsOf(prefill), partsOf(token)];
  return Object.fromEntries(Object.entries(each).map(([part, value]) => [part, (first?.[part] ?? 0) + steps * value]));
}

/** Seconds with the shares found. */
export function foretold(parts, { memory, products, launch_seconds: launch }, passes = 1) {
  return parts.memory / memory + parts.compute / (products || 1) + passes * parts.launches * launch;
}

const off = (cases, shares) =>
  weightedQuantile(
    cases.map(({ parts, truth, weight }) => ({ value: Math.abs(Math.log(foretold(parts, shares) / truth)), weight })),
    0.5,
  );

/** The share that makes half of the rows slower and half faster, each launch taking `launch` seconds. */
function memoryShare(cases, launch, products) {
  const implied = cases.flatMap(({ parts, truth, weight }) => {
    const left = truth - parts.launches * launch - parts.compute / (products || 1);
    return left > 0 ? [{ value: Math.log(parts.memory / left), weight }] : [{ value: Math.log(1), weight }];
  });
  return Math.min(1, Math.exp(weightedQuantile(implied, 0.5)));
}

const steps = [0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40].map((micro) => micro * 1e-6);

/** Bandwidth and launches, from steps of one token a sequence; two unknowns where models of several sizes ran. */
export function fitToken(cases, products) {
  const sizes = new Set(cases.map(({ parts }) => Math.round(Math.log2(parts.memory / Math.max(1, parts.launches)))));
  let best;
  for (const launch of sizes.size > 1 ? steps : [0]) {
    const shares = { memory: memoryShare(cases, launch, products), products, launch_seconds: launch };
    const error = off(cases, shares);
    if (!best || error < best.error - 1e-4) best = { ...shares, error };
  }
  return best;
}

/** The share of the peak rate, from prefills. */
export function fitPrefill(cases, { memory = 0.7, launch_seconds: launch = 0 } = {}) {
  const implied = cases.flatMap(({ parts, truth, weight }) => {
    const left = truth - parts.memory / memory - parts.launches * launch;
    return left > 0 && parts.compute > 0 ? [{ value: Math.log(parts.compute / left), weight }] : [];
  });
  if (implied.length === 0) return undefined;
  return Math.min(1, Math.exp(weightedQuantile(implied, 0.5)));
}
