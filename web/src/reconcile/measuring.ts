// Lines that measure memory, for who wants a figure of their own: a table (measuring.json), and which of it is of use.

import type { Counter } from '../engine/wire.d.ts';
import table from './measuring.json';

export interface Snippet {
  id: string;
  /** Runtimes or frameworks that it is for, by task; any of them where a task has none. */
  for: Partial<Record<'inference' | 'training', readonly string[]>>;
  /** Makers of devices that it works on; any where it says none. */
  vendors?: readonly string[];
  shows: readonly Counter[];
  code: readonly string[];
  source: { title: string; url: string };
}

export const snippets = table as readonly Snippet[];

/** What is chosen in the form: what is not known rules nothing out. */
export interface Chosen {
  task: 'inference' | 'training';
  tool: string | undefined;
  vendor: string | undefined;
}

/** Whether a snippet is of use for what is chosen. */
export function fits({ for: of, vendors }: Snippet, { task, tool, vendor }: Chosen): boolean {
  const tools = of[task];
  if (tools === undefined) return false;
  return (
    (tools.length === 0 || tool === undefined || tools.includes(tool)) && (vendors === undefined || vendor === undefined || vendors.includes(vendor))
  );
}
