// The one policy of Trusted Types that a guest has, `plimsoll`: for the script of its engine, for lit's templates, for the worker that
// searches layouts. The loader makes it and hands it to the script that it brings; nobody else can ask for it.

export interface Policy {
  createHTML(markup: string): string;
  createScriptURL(url: string): string;
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

/** Where a script that was brought finds the policy: on its own element. */
const place = Symbol.for('plimsoll.policy');
type Handed = HTMLScriptElement & { [place]?: Policy | undefined };

const allowed = new Set<string>();
let made: Policy | undefined;

function make(): Policy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes?.createPolicy('plimsoll', {
    createHTML: (markup) => markup,
    createScriptURL: (url) => {
      if (allowed.has(url) || url.startsWith('blob:')) return url;
      throw new TypeError(`plimsoll brings no script from ${url}`);
    },
  });
}

/** The policy, where the browser knows Trusted Types. */
export function policy(): Policy | undefined {
  const own = document.currentScript as Handed | null;
  return (made ??= own?.[place] ?? make());
}

/** A script element of an address that was decided on, with the policy for what it brings. */
export function scriptOf(url: string): HTMLScriptElement {
  const script: Handed = document.createElement('script');
  allowed.add(url);
  script.src = policy()?.createScriptURL(url) ?? url;
  script[place] = made;
  const taken = (): void => void delete script[place];
  script.addEventListener('load', taken);
  script.addEventListener('error', taken);
  return script;
}
