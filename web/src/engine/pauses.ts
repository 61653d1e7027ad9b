// What is long is done in parts with a pause between them, so that a slow device answers its reader's hand meanwhile.

/** The next task: what the browser has to do first, it does before. */
export const nextTask = (): Promise<void> => new Promise((done) => setTimeout(done));

/** A page in the background draws no frame. */
const patience = 100;

/** After the next frame is drawn, so that its layout is no part of what follows. */
export const nextFrame = (): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, patience);
  });
