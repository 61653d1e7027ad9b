// The engine's glue as Emscripten writes it looks for its WebAssembly beside itself. The page hands the bytes over,
// so that search is taken out: it would drag a second copy into the bundle, and has no meaning inside one file.

import type { Plugin } from 'vite';

export function engineGlue(glues: readonly string[]): Plugin {
  return {
    name: 'plimsoll-engine-glue',
    enforce: 'pre',
    transform(code, id) {
      if (!glues.includes(id.split('?')[0]!)) return undefined;
      return code
        .replace(/new URL\((["'])plimsoll(?:-whole|-logs)?\.wasm\1,\s*import\.meta\.url\)(\.href|\.toString\(\))?/g, '"plimsoll.wasm"')
        .replace(/import\.meta\.url/g, '""');
    },
  };
}
