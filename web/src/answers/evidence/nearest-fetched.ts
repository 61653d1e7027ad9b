// The site's measured cases, fetched when somebody asks how we know.

import { url } from 'virtual:plimsoll-nearest';
import type { Nearest } from './nearest-offered.ts';

export async function fetchedCases(): Promise<Nearest> {
  const response = await fetch(new URL(url, document.baseURI));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as Nearest;
}
