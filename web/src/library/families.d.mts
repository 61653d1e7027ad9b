export function families<Model extends { id: string; family: string }>(models: Model[]): { family: string; models: Model[] }[];
export const encodingFamilies: readonly import('../engine/wire.d.ts').EncodingFamily[];
