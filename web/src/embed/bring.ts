// Brings the heavy part, once for all tags of a page: from beside the loader, or from where the author says.

import type { Live } from './answers.ts';
import { scriptOf } from './policy.ts';

declare global {
  interface Window {
    plimsollLive?: Live;
  }
}

const loader = document.currentScript as HTMLScriptElement | null;
/** Where the loader came from; a module has no script of its own, and is beside its page. */
const own = new URL(loader?.src || document.baseURI, document.baseURI);

/**
 * Where the heavy part lies. The script tag's author may name any address (`engine-src`); a tag, which may come out of someone's
 * comment, only one of the page's own origin or the loader's.
 */
export function addressOf(tag: Element): string {
  const wanted = tag.getAttribute('engine-src');
  const named = loader?.getAttribute('engine-src');
  if (wanted !== null && wanted !== '') {
    const url = new URL(wanted, document.baseURI);
    const near = [own, new URL(document.baseURI)].some(({ protocol, host }) => protocol === url.protocol && host === url.host);
    if (near && ['http:', 'https:', 'file:'].includes(url.protocol)) return url.href;
    throw new Error(`engine-src must be of this page's origin or of the script's: ${url.href}`);
  }
  return new URL(named || 'plimsoll-engine.js', named ? document.baseURI : own).href;
}

let coming: Promise<Live> | undefined;

/** Resolves with the heavy part; after a failure the next asking tries again. */
export function bring(tag: Element): Promise<Live> {
  coming ??= new Promise<Live>((done, failed) => {
    const url = addressOf(tag);
    const script = scriptOf(url);
    const fail = (): void => failed(new Error(`${url} did not come`));
    script.addEventListener('load', () => (window.plimsollLive ? done(window.plimsollLive) : fail()));
    script.addEventListener('error', fail);
    document.head.append(script);
  }).catch((error: unknown) => {
    coming = undefined;
    throw error;
  });
  return coming;
}
