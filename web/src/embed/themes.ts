// Whether the page is light or dark: by what it says of itself, and where it says nothing by the colour that a tag stands on.

export type Theme = 'light' | 'dark';

/** The attributes in which documentation says its theme. */
const said = ['data-theme', 'data-bs-theme', 'data-md-color-scheme', 'data-color-mode', 'data-jp-theme-light'];

const words: readonly [Theme, RegExp][] = [
  ['dark', /(^|[\s_-])(dark|slate|night)($|[\s_-])/i],
  ['light', /(^|[\s_-])(light|default|day)($|[\s_-])/i],
];

const named = (text: string): Theme | undefined => words.find(([, pattern]) => pattern.test(text))?.[0];

function saidBy(element: Element): Theme | undefined {
  for (const name of said) {
    const text = element.getAttribute(name);
    if (text !== null && name === 'data-jp-theme-light') return text === 'true' ? 'light' : 'dark';
    const theme = named(text ?? '');
    if (theme) return theme;
  }
  return /(^|\s)(theme-)?(dark|light)(-mode|-theme)?(\s|$)/.test(element.className) ? named(element.className) : undefined;
}

/** Of an opaque colour as browsers compute it, how light it is, from 0 to 1. */
function lightness(colour: string): number | undefined {
  const [red, green, blue, alpha = 1] = (/^rgba?\((.*)\)$/.exec(colour)?.[1] ?? '').split(/[\s,/]+/).map(Number);
  return blue === undefined || alpha < 0.5 ? undefined : (0.2126 * red! + 0.7152 * green! + 0.0722 * blue) / 255;
}

function around(element: Element): Element[] {
  const parent = element.parentElement ?? (element.getRootNode() as { host?: Element }).host;
  return parent ? [parent, ...around(parent)] : [];
}

/** The theme to draw in; undefined where the page's own color-scheme is inherited as it is. */
export function themeOf(tag: Element): Theme | undefined {
  const own = tag.getAttribute('theme');
  if (own === 'light' || own === 'dark') return own;
  const all = around(tag);
  for (const element of all) {
    const theme = saidBy(element);
    if (theme) return theme;
  }
  if (getComputedStyle(tag).colorScheme !== 'normal') return undefined;
  for (const element of all) {
    const light = lightness(getComputedStyle(element).backgroundColor);
    if (light !== undefined) return light < 0.5 ? 'dark' : 'light';
  }
  return 'light';
}

const watching = new Set<() => void>();
const changed = (): void => watching.forEach((tell) => tell());

let begun = false;

/** Tells when the page may have changed its theme. @returns what ends the telling */
export function watchTheme(tell: () => void): () => void {
  if (!begun) {
    begun = true;
    const observer = new MutationObserver(changed);
    for (const root of [document.documentElement, document.body]) if (root) observer.observe(root, { attributeFilter: ['class', 'style', ...said] });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  }
  watching.add(tell);
  return () => void watching.delete(tell);
}
