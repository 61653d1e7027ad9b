// The quiz: a reader says what fits before the engine does. Each case is answered when it is asked, and the right ones are counted.
// Without a script the answers can be opened as they were built.

import type { Answer } from '../engine/reply.ts';
import { live } from './live.ts';

interface Case {
  request: object;
  /** What verdicts are called. */
  verdicts: Record<string, string>;
  right: string;
  wrong: string;
}

const said = new Map<Element, boolean>();

function count(): void {
  const score = document.querySelector<HTMLElement>('[data-score]')!;
  const right = [...said.values()].filter(Boolean).length;
  score.textContent = score.dataset['text']!.replace('{right}', String(right)).replace('{said}', String(said.size));
  score.hidden = false;
}

/** Writes the engine's verdict over the build's. @returns it */
async function verdictOf(one: HTMLElement, { request, verdicts }: Case): Promise<string> {
  const { estimate } = await live();
  const { verdict } = ((await estimate(request)) as Answer).fit!;
  one.querySelector('[data-verdict]')!.textContent = verdicts[verdict] ?? verdict;
  one.dataset['live'] = '';
  return verdict;
}

function begin(one: HTMLElement): void {
  const carried = JSON.parse(one.dataset['case']!) as Case;
  const choices = one.querySelector<HTMLElement>('[data-choices]')!;
  const answer = one.querySelector('details')!;
  const outcome = one.querySelector<HTMLElement>('[data-outcome]')!;
  choices.hidden = false;
  answer.addEventListener('toggle', () => void (answer.open && verdictOf(one, carried)));
  choices.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button');
    if (!button || said.has(one)) return;
    void verdictOf(one, carried).then((verdict) => {
      const right = button.value === verdict;
      said.set(one, right);
      for (const other of choices.querySelectorAll('button')) other.setAttribute('aria-pressed', String(other === button));
      outcome.textContent = right ? carried.right : carried.wrong;
      answer.open = true;
      count();
    });
  });
}

export function quiz(): void {
  for (const one of document.querySelectorAll<HTMLElement>('[data-case]')) begin(one);
}
