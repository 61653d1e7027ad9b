// The best of some runs, in milliseconds: what else the machine does only ever adds.

export function best(work, runs = 7) {
  work(); // once unseen: compiled by then
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const begin = performance.now();
      work();
      return performance.now() - begin;
    }),
  );
}

export async function bestAsync(work, runs = 7) {
  await work();
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const begin = performance.now();
    await work();
    least = Math.min(least, performance.now() - begin);
  }
  return least;
}
