// Names as somebody would choose them who wants to be taken for another, to steer what shows them, or to break out of it.

/** What steers terminals, turns directions, cannot be seen, or ends a line. */
export const steering = [
  '\u001b]0;p\u0007', // the title of a terminal's window
  '\u001b[2J\u001b[1;1Hfits', // an empty screen
  '\u009b31mred', // the same in one character
  '\u0090q\u009c',
  'a\u0008\u0008b',
  'one\rtwo',
  'one\ntwo: 1',
  'one\u0085two',
  'one\u2028two\u2029three',
  'tab\there',
  'nul\u0000',
  'del\u007f',
  'gpj.\u202eexe', // right to left
  '\u2066inner\u2069\u2068x',
  '\u061cعربي\u200f',
  'zero\u200bwidth\u200d\ufeff',
  'soft\u00adhyphen',
  'tag\u{e0041}\u{e007f}',
];

/** What means something to a shell, YAML, TOML, Python, JSON, HTML, Markdown, or to our own templates. */
const meaning = [
  '$(touch hostile)',
  '`touch hostile`',
  '; touch hostile #',
  "'; touch hostile; '",
  '"; touch hostile; "',
  '" + __import__("os").getcwd() + "',
  '\\',
  '\\"',
  "\\'",
  'a b',
  ': x',
  '- x',
  '# remark',
  'a #b',
  '[a, {b: c}]',
  '!!python/object:x',
  '&anchor',
  '*alias',
  '%TAG',
  '@at',
  'no',
  'Yes',
  'null',
  '~',
  '1e3x',
  '0x1f',
  '1_000',
  '12:30:45',
  '2026-01-01',
  '.inf',
  '-rf',
  '--help',
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '&lt;b&gt;',
  '[link](javascript:alert(1))',
  '![image](https://example.com/x.png)',
  'https://example.com www.example.com',
  '| a | b |',
  '**bold** _more_ ~~gone~~ ``code``',
  '{model} {value} {list}',
  '${x} $& $1 $$ $`',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00%2e%2e',
];

/** What looks strange and is somebody's name: it stays as it is. */
export const harmless = ['Llama 3 8B', '通义千问', 'modèle-é', 'Ünïcode', 'Модель', '한국어', '🦙', '“quoted”', 'meta-llama/Llama-3.1-8B', ''];

export const hostile = [...steering, ...meaning];

/** What must not reach a reader's eyes as it is: all but the ends of lines that we wrote ourselves. */
export const raw = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
