// Whether there are measured cases to show: the site and the single file have them; an element in someone's documentation does not carry them.

/** As tests/score/published/evidence.mjs writes them: texts, and entries that name texts by their numbers. */
export interface Nearest {
  texts: string[];
  entries: number[][];
}

let load: (() => Promise<Nearest>) | undefined;

export const offerCases = (loading: () => Promise<Nearest>): void => {
  load = loading;
};

export const casesOffered = (): boolean => load !== undefined;

export const loadCases = (): Promise<Nearest> => load!();
