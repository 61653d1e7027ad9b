// What the site alone may do: ask another host, when the user says so, and stay in the browser. main.ts offers it; the single file and
// the embedded element hold no such code.

import type { Calculator } from '../app/calculator.ts';

/** What asks other hosts. */
export interface HubPiece {
  /** Fetches a model's files by its name; they become the model. */
  fetchModel: (c: Calculator, name: string) => void;
}

let load: (() => Promise<HubPiece>) | undefined;

/** Offers `<plimsoll-hub>`, which `loading` brings in. */
export const offerHub = (loading: () => Promise<HubPiece>): void => {
  load = loading;
};

export const hubOffered = (): boolean => load !== undefined;

export const loadHub = async (): Promise<HubPiece | undefined> => load?.();

/** The server that is asked; whoever hosts the page for a mirror names it in index.html, here and in the policy. */
export const hubBase = (): string => document.querySelector<HTMLMetaElement>('meta[name="plimsoll-hub"]')?.content ?? 'https://huggingface.co';

export const hubHost = (): string => new URL(hubBase()).host;

let guide = false;

/** The guide lies beside the site; who carries the single file or a tag elsewhere may not have it. */
export const offerGuide = (): void => {
  guide = true;
};

export const guideOffered = (): boolean => guide;

let keep: (() => Promise<unknown>) | undefined;

/** Offers `<plimsoll-offline>`, which `keeping` brings in. */
export const offerKeeping = (keeping: () => Promise<unknown>): void => {
  keep = keeping;
};

export const keepPage = async (): Promise<void> => {
  await keep?.();
};
