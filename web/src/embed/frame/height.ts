// What the frame and the page around it agree on.

/** The type of a frame's message, `{type, height}`. */
export const heightMessage = 'plimsoll-height';

/** Pixels that a frame may have at most. */
export const tallest = 20_000;
