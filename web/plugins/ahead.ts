// A script of which nearly all is called at once says so in its first line: V8 then compiles it whole beside the main thread, while it
// arrives, and not function by function when each is first called. Other engines read a comment.
// Source: https://v8.dev/blog/explicit-compile-hints

import type { Plugin } from 'vite';

/** @param name what the bundle calls the script */
export const compiledAhead = (name: string): Plugin => ({
  name: 'plimsoll-compiled-ahead',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const one of Object.values(bundle)) if (one.type === 'chunk' && one.name === name) one.code = `//# allFunctionsCalledOnLoad\n${one.code}`;
    },
  },
});
