// Reading JSON that people and programs hand over.

/** The value, or undefined where the text is no JSON. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * As `parsed`, for files that Python wrote: it prints Infinity and NaN, which JSON does not know and some published config.json hold.
 * Such a value says "no limit", so it is read as null.
 */
export function parsedPython(text) {
  return parsed(text) ?? parsed(text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (token) => (token.startsWith('"') ? token : 'null')));
}
