// What the browser's ways to draw, WebGPU and WebGL, name the graphics card. Asked when a button says so, and told to nobody.

interface AdapterInfo {
  vendor: string;
  architecture: string;
  device: string;
  description: string;
}

interface Gpu {
  requestAdapter(options?: object): Promise<{ info?: AdapterInfo } | null>;
}

async function byWebGpu(): Promise<string[]> {
  const { gpu } = navigator as Navigator & { gpu?: Gpu };
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' }).catch(() => null);
  const { description = '', device = '' } = adapter?.info ?? {};
  return [description, device];
}

function byWebGl(): string[] {
  const gl = document.createElement('canvas').getContext('webgl', { powerPreference: 'high-performance' });
  const own = gl?.getExtension('WEBGL_debug_renderer_info');
  return gl && own ? [String(gl.getParameter(own.UNMASKED_RENDERER_WEBGL))] : [];
}

/** The names that were given; none where the browser keeps them to itself. */
export const graphicsNamed = async (): Promise<string[]> => [...(await byWebGpu()), ...byWebGl()].filter((name) => name.trim() !== '');
