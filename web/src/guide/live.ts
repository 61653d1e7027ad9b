// The engine of a page of the guide is that of the tags, which lies beside the site: a script that is fetched once, from a server as
// from a disk.

import type { Answers } from '../embed/answers.ts';
import { bring } from '../embed/bring.ts';

export const live = (): Promise<Answers> => bring(document.documentElement);
