// What the site alone may do: ask another host, when the user says so, and stay in the browser. main.ts offers it; the single file and
// the embedded element hold no such code.

let load: (() => Promise<unknown>) | undefined;

/** Offers `<plimsoll-hub>`, which `loading` brings in. */
export const offerHub = (loading: () => Promise<unknown>): void => {
  load = loading;
};

export const hubOffered = (): boolean => load !== undefined;

export const loadHub = async (): Promise<void> => {
  await load?.();
};

let keep: (() => Promise<unknown>) | undefined;

/** Offers `<plimsoll-offline>`, which `keeping` brings in. */
export const offerKeeping = (keeping: () => Promise<unknown>): void => {
  keep = keeping;
};

export const keepPage = async (): Promise<void> => {
  await keep?.();
};
