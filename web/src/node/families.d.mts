export function families<Model extends { id: string; family: string }>(models: Model[]): { family: string; models: Model[] }[];
export const encodingFamilies: readonly import('../wire.d.ts').EncodingFamily[];
