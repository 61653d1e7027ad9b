// A page of someone else's with tags in it, under a strict policy, and what it asks of the site.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Reply } from '../../web/src/engine/wire';
import { servePage } from './server.ts';

/** What events of a tag tell. */
export interface Told {
  request: object;
  reply?: Reply;
  error?: { code: string; where?: string; what: string };
}

const program = join(__dirname, '../../web/bin/plimsoll.mjs');

/** The tag that the command line writes for authors. */
export function html(words: readonly string[]): string {
  const { stdout, status, stderr } = spawnSync('node', [program, 'estimate', ...words, '--html'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** What stands in it, without markup. */
export const written = (words: readonly string[]): string => html(words).replaceAll(/<[^>]*>/g, ' ');

/** What a page with tags must allow, and nothing more. */
export const policyOf = (site: string): string =>
  `default-src 'none'; script-src ${site} 'wasm-unsafe-eval'; frame-src ${site}; require-trusted-types-for 'script'; trusted-types plimsoll; base-uri 'none'`;

export interface Foreign {
  url: string;
  /** What has been asked of the site, in order. */
  asked(): string[];
  close(): Promise<void>;
}

interface Options {
  /** The loader comes later, by the test. */
  late?: boolean;
  /** What is kept from the page, whose console may say so. */
  blocked?: readonly string[];
  /** Without a policy, for a test that styles its page or brings another script. */
  open?: boolean;
  file?: string;
}

/** A page whose body holds tags. Its requests for our scripts are foreign ones, which are counted and not complained of. */
export async function foreign(
  site: string,
  body: string,
  complaints: string[] = [],
  { late, blocked = [], open, file }: Options = {},
): Promise<Foreign> {
  const script = late ? '' : `<script src="${site}/${file ?? 'plimsoll-calculator.js'}"></script>`;
  const server = await servePage(script + body, open || late ? "base-uri 'none'" : policyOf(site));
  const ours = (one: string): boolean => one.startsWith(`foreign request: ${site}/`);
  return {
    url: server.url,
    asked: () => complaints.filter(ours).map((one) => one.slice(`foreign request: ${site}`.length)),
    async close() {
      const expected = (one: string): boolean =>
        ours(one) || (blocked.length > 0 && one.includes('ERR_FAILED')) || one.includes('favicon') || one.includes('404');
      complaints.splice(0, complaints.length, ...complaints.filter((one) => !expected(one)));
      await server.close();
    },
  };
}
