// `plimsoll/wire` has types alone (src/engine/wire.d.ts): what crosses is plain JSON.

export {};
