// @ts-check
// What follows from a message that memory ran out: who has the memory, and whether room is lacking or only scattered.

/** @typedef {import('./comparing.mjs').Figure} Figure @typedef {{code: string, text: string, bytes?: number}} Advice */

/** @param {readonly Figure[]} figures @returns {(counter: string) => number | undefined} */
const reader = (figures) => (counter) => {
  const found = figures.filter((figure) => figure.counter === counter && figure.bytes !== undefined && !figure.restated);
  return found.length === 0 ? undefined : found.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
};

/** What PyTorch has taken and does not use: printed in 2.1 and later, else the difference of what is printed. @param {(counter: string) => number | undefined} read */
function unallocated(read) {
  const [printed, reserved, allocated] = ['unallocated', 'reserved', 'allocated'].map(read);
  if (printed !== undefined) return printed;
  return reserved !== undefined && allocated !== undefined && reserved >= allocated ? reserved - allocated : undefined;
}

/** @param {readonly Figure[]} figures @param {string | null} tool @returns {Advice[]} */
export function advised(figures, tool) {
  const read = reader(figures);
  const requested = read('requested');
  if (requested === undefined) return [];
  const [total, allocated, others] = ['device_total', 'allocated', 'other_process_used'].map(read);
  const idle = unallocated(read);
  /** @type {Advice[]} */
  const found = [];
  if (total !== undefined && requested > total)
    found.push({
      code: 'one_request_too_large',
      bytes: requested,
      text: 'one request asks for more than the whole device: a wrong shape or setting, rather than too large a model',
    });
  if (others !== undefined && others >= requested)
    found.push({
      code: 'others',
      bytes: others,
      text: 'other processes hold as much as was lacking; within a container one of them may be this process',
    });
  if (tool === 'torch-oom' && idle !== undefined && idle >= requested)
    found.push({
      code: 'fragmentation',
      bytes: idle,
      text: 'the allocator holds enough, in pieces: PYTORCH_ALLOC_CONF=expandable_segments:True (PYTORCH_CUDA_ALLOC_CONF to 2.8)',
    });
  else if (allocated !== undefined)
    found.push({ code: 'need', bytes: allocated + requested, text: 'tensors and this request need so much at once, wherever they lie' });
  return found.slice(0, 3);
}
