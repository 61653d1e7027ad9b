// Under Trusted Types only what the page makes itself becomes a script: the worker that searches layouts, and the one that keeps the page.

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

let trusted: ((url: string) => string) | undefined;

/** The address as the browser takes it for a worker; the page's policy names the one that gives it. */
export function scriptUrl(url: string): string {
  if (!trusted) {
    const { trustedTypes } = globalThis as { trustedTypes?: Policies };
    const policy = trustedTypes?.createPolicy('plimsoll-workers', { createScriptURL: (made) => made });
    trusted = (made) => policy?.createScriptURL(made) ?? made;
  }
  return trusted(url);
}
