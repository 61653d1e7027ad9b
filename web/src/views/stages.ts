// How the first view comes to stand, a frame for each step: on a slow device each step is short enough to take a tap in between.

/**
 * The steps of the first view: no form; its model; its device; what is done with them; what few change; with an answer, its
 * rows; what else it is made of; what follows from it; and what stands behind it.
 */
export const stages = { bare: 0, model: 1, device: 2, form: 3, options: 4, rows: 5, details: 6, answers: 7, whole: 8 };
