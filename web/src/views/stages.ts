// How the first view comes to stand, a frame for each step.

/** The steps of the first view: no form; model and device; the whole form; with an answer, its rows; and what stands beside them. */
export const stages = { bare: 0, choice: 1, form: 2, rows: 3, whole: 4 };
