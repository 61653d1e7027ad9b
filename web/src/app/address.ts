// The page's address: each change of the state is an entry of the browser's history, so that back and forward lead through them. What the
// entry's link cannot hold, such as what long files said, is kept beside it for as long as the page is open.

import { fromLink, type State } from '../state/state.ts';

export class Address {
  /** States by the time at which their entry was made: no other entry has it, not even one of this page before it was loaded anew. */
  private visited = new Map<unknown, State>();
  private written = 0;
  /** Whether the state came from the address: then its entry is there already. */
  private led = true;

  /** What the address says; `visited`: it is an entry of this page's own making. */
  read() {
    const said = fromLink(location.hash);
    const held = this.visited.get(history.state);
    this.led = true;
    return { ...said, visited: held !== undefined, state: held ?? said.state };
  }

  /** @param changes counted by the history of changes: a further one is an entry of its own */
  write(link: string, state: State, changes: number): void {
    const further = changes !== this.written && !this.led;
    this.written = changes;
    this.led = false;
    if (location.href === link && this.visited.get(history.state) === state) return;
    const made = Date.now();
    this.visited.set(made, state);
    if (further) history.pushState(made, '', link);
    else history.replaceState(made, '', link);
  }
}
