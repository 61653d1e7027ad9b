// 200 scripted input events, as fast as they come: afterwards the page shows what the command line answers, or that it refuses.

import { bytesOf, commandLine, expect, request, test, total } from './kit.ts';

/** The same sequence every time (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (const [seed, tab] of [
  [1, 'Inference'],
  [2, 'Training'],
] as const) {
  test(`${tab}: 200 events`, async ({ page, open }) => {
    await open(`model=llama-3-8b${tab === 'Training' ? '&task=training' : ''}`);
    const next = random(seed);
    const draws = Array.from({ length: 200 }, () => [next(), next()] as const);
    let answered = 0;
    for (let from = 0; from < 200; from += 50) {
      const sent = await page.locator('plimsoll-calculator').evaluate(
        async (element, batch) => {
          const controls = () =>
            [...element.shadowRoot!.querySelectorAll<HTMLInputElement | HTMLSelectElement>('#tab-panel input, #tab-panel select')].filter(
              (one) => !one.disabled,
            );
          const act = (control: HTMLInputElement | HTMLSelectElement, draw: number): void => {
            const fire = (type: string) => control.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
            if (control instanceof HTMLSelectElement) {
              control.selectedIndex = Math.floor(draw * control.options.length);
              fire('change');
            } else if (control.type === 'checkbox') {
              control.checked = draw < 0.5;
              fire('change');
            } else if (control.type === 'range') {
              control.value = String(Number(control.min) + Math.floor(draw * (Number(control.max) - Number(control.min) + 1)));
              fire('input');
            } else {
              // Devices that are copies of the model: degrees drawn at random divide hardly any model.
              if (/dropout/.test(control.id)) control.value = String(Math.floor(draw * 9) / 10);
              else if (/parallel/.test(control.id)) control.value = '1';
              else control.value = String(1 + Math.floor(draw * (/devices/.test(control.id) ? 2 : 8)));
              fire('input');
            }
          };
          for (const [which, draw] of batch) {
            const all = controls();
            act(all[Math.floor(which * all.length)]!, draw);
            // Some come within one frame, some after it.
            if (draw > 0.7) await new Promise((done) => requestAnimationFrame(done));
          }
          return batch.length;
        },
        draws.slice(from, from + 50),
      );
      expect(sent).toBe(50);
      const shown = await total(page);
      const question = await request(page);
      const reply = commandLine(question);
      // What no runtime can do is refused by both, and the page says so beside the last answer.
      if (!('error' in reply)) {
        expect(shown, question).toBe(bytesOf(reply));
        answered++;
      }
      expect((await page.locator('.summary').getAttribute('class'))!.includes('stale'), question).toBe('error' in reply);
    }
    expect(answered).toBeGreaterThan(0);
  });
}
