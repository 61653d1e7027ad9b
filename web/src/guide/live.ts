// The engine for a page of the guide: one script beside it, fetched once, from a server as from a disk.

/** What that script leaves behind. */
export interface Live {
  estimate(request: object): Promise<object>;
  /** The formulas of a figure's rows, as lines of text. */
  explain(request: object, row: string): Promise<string[]>;
}

declare global {
  interface Window {
    plimsollGuide?: Live;
  }
}

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

const own = new URL((document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI);

/** Under Trusted Types only this one address becomes a script. */
function address(): string {
  const url = new URL('engine.js', own).href;
  const { trustedTypes } = window as { trustedTypes?: Policies };
  return trustedTypes?.createPolicy('plimsoll-guide', { createScriptURL: () => url }).createScriptURL(url) ?? url;
}

let loading: Promise<Live> | undefined;

export const live = (): Promise<Live> =>
  (loading ??= new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = address();
    script.addEventListener('load', () => done(window.plimsollGuide!));
    script.addEventListener('error', () => failed(new Error('the engine did not come')));
    document.head.append(script);
  }));
