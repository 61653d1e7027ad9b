// Several views in one place, after the ARIA pattern of tabs: one is shown, and its piece comes when it is chosen. Arrows move
// between the tabs, Enter or the space bar chooses: a piece that has to be fetched is not fetched on the way.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator, Pieces } from '../app/calculator.ts';

export interface Tab {
  name: string;
  title: string;
  body: () => unknown;
}

/** The tabs of each group by name, whether an answer has them or not. */
const groups = {
  answers: ['contributors', 'ways', 'fits', 'time', 'layouts', 'curve'],
  behind: ['assumed', 'evidence', 'reconcile', 'storage', 'classic', 'launch', 'trainers'],
} as const;
export type GroupName = keyof typeof groups;

/** Pieces that come for a tab. */
const pieces: Readonly<Record<string, keyof Pieces>> = {
  ways: 'ways',
  fits: 'fits',
  time: 'time',
  layouts: 'layouts',
  curve: 'pieces',
  evidence: 'pieces',
  launch: 'pieces',
  reconcile: 'reconcile',
  storage: 'storage',
};

/** The tab that was chosen last in a group, of those that there are; undefined where none was. */
export const chosenIn = (c: Calculator, group: GroupName, names: readonly string[] = groups[group]): string | undefined =>
  [...c.unfolded].findLast((name) => names.includes(name));

/** Brings what the chosen tabs show. */
export function bringChosen(c: Calculator): void {
  for (const group of ['answers', 'behind'] as const) {
    const piece = pieces[chosenIn(c, group) ?? ''];
    if (piece) void c.later.bring(piece);
  }
}

/** Chooses a tab, as a click on it does. */
export function choose(c: Calculator, name: string): void {
  c.unfolded = new Set([...[...c.unfolded].filter((one) => one !== name), name]);
}

/** Chooses a tab from elsewhere and goes there. */
export async function showTab(c: Calculator, name: string): Promise<void> {
  choose(c, name);
  await c.updateComplete;
  const tab = c.renderRoot.querySelector<HTMLElement>(`[role="tab"][data-fold="${name}"]`);
  tab?.scrollIntoView({ block: 'center' });
  tab?.focus({ preventScroll: true });
}

function travel(event: KeyboardEvent): void {
  const tabs = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role="tab"]')];
  const at = tabs.indexOf(event.target as HTMLElement);
  const moves: Record<string, number> = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const to = moves[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  tabs.at(to % tabs.length)?.focus();
}

/** @param initial shown until one is chosen; without one, all may be closed, and a second click closes */
export function tabsView(c: Calculator, group: GroupName, title: string, all: readonly (Tab | undefined)[], initial?: string): TemplateResult {
  const tabs = all.filter((one) => one !== undefined);
  const names = tabs.map(({ name }) => name);
  const chosen = chosenIn(c, group, names) ?? initial;
  const shown = tabs.find(({ name }) => name === chosen);
  const click = (name: string) => {
    if (name === chosen && initial === undefined) c.unfolded = new Set([...c.unfolded].filter((one) => !names.includes(one)));
    else choose(c, name);
  };
  return html`<section class="tabbed" aria-labelledby="group-${group}">
    <h2 id="group-${group}">${title}</h2>
    <div class="tabset" role="tablist" aria-labelledby="group-${group}" @keydown=${travel}>
      ${tabs.map(
        ({ name, title }, at) =>
          html`<button
            type="button"
            role="tab"
            id="tab-${name}"
            data-fold=${name}
            aria-selected=${name === chosen}
            aria-controls=${name === chosen ? `panel-${group}` : nothing}
            tabindex=${name === chosen || (!shown && at === 0) ? 0 : -1}
            @click=${() => click(name)}
          >
            ${title}
          </button>`,
      )}
    </div>
    ${shown ? html`<div class="panel" role="tabpanel" id="panel-${group}" data-panel=${shown.name} aria-labelledby="tab-${shown.name}">${shown.body()}</div>` : nothing}
  </section>`;
}
