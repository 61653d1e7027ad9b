// @ts-check
// JSON as Python writes it: Infinity and NaN stand in some published config.json, and JSON does not know them.

/** Where the text that begins with the quote at `from` ends, or -1. @param {string} text @param {number} from */
function endOfText(text, from) {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') --before;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}

/**
 * The JSON with null in their place: such a value says "no limit". Not one regular expression over whole texts, which
 * exhausts the stack where they are long.
 * @param {string} json
 */
export function withoutPythonWords(json) {
  const marks = /"|-?\bInfinity\b|\bNaN\b/g;
  let done = '';
  let at = 0;
  for (let mark = marks.exec(json); mark; mark = marks.exec(json)) {
    if (mark[0] === '"') {
      const end = endOfText(json, mark.index);
      if (end === -1) break;
      marks.lastIndex = end + 1;
      continue;
    }
    done += `${json.slice(at, mark.index)}null`;
    at = marks.lastIndex;
  }
  return done + json.slice(at);
}
