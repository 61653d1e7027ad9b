// An id that no preset has: those that were probably meant.

import { parsed } from '../../output/json.mjs';
import { ids } from '../../presets.mjs';
import { kindOf } from './kinds.mjs';
import { either, likely } from './likely.mjs';

const at = (value, path) => path.split('.').reduce((inner, name) => inner?.[name], value);

/** @param {string} request @param {{error: {where?: string}}} reply @returns {string} '' where nothing is near */
export function didYouMean(request, { error }) {
  const kind = kindOf(error.where);
  const written = kind && at(parsed(request), error.where);
  if (typeof written !== 'string') return '';
  const known = ids(kind);
  const meant = known.includes(written) ? [] : likely(kind, written);
  return meant.length > 0 ? `\n  did you mean ${either(meant)}?` : '';
}
