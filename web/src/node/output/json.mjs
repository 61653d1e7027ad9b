// Reading JSON that people and programs hand over.

import { withoutPythonWords } from '../../files/python-json.mjs';

/** The longest text, and the deepest nesting, that the engine reads as one JSON (engine/formats/json). */
export const longestJson = 2 ** 25;
const deepest = 64;

/** Whether a value nests deeper than so many levels. Looks no deeper, so that no nesting exhausts the stack. */
function isDeeper(value, levels) {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** The value, or undefined where the text is no JSON, or none that the engine reads: that is the engine's to refuse. */
export function parsed(text) {
  if (text.length > longestJson) return undefined;
  try {
    const value = JSON.parse(text);
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** As `parsed`, for files that Python wrote. */
export function parsedPython(text) {
  if (text.length > longestJson) return undefined;
  return parsed(text) ?? parsed(withoutPythonWords(text));
}

/** Whether text is JSON, however deep. */
function isJson(text) {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Why `parsedPython` gives nothing. */
export function whyUnread(text) {
  if (text.length > longestJson) return `this is longer than the ${longestJson / 2 ** 20} MiB of JSON that are read`;
  return isJson(text) ? `this is nested more than ${deepest} levels deep` : 'this is not JSON';
}
