// The engine for a page of the guide: one script beside it, fetched once, from a server as from a disk.

import type { Answers } from '../embed/answers.ts';
import { scriptOf } from '../embed/policy.ts';

declare global {
  interface Window {
    plimsollGuide?: Answers;
  }
}

const own = new URL((document.currentScript as HTMLScriptElement | null)?.src ?? document.baseURI);

let loading: Promise<Answers> | undefined;

export const live = (): Promise<Answers> =>
  (loading ??= new Promise((done, failed) => {
    const script = scriptOf(new URL('engine.js', own).href);
    script.addEventListener('load', () => done(window.plimsollGuide!));
    script.addEventListener('error', () => failed(new Error('the engine did not come')));
    document.head.append(script);
  }));
