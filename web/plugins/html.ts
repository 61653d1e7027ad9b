// Templates of Lit as text, for what is drawn while the page is built: no listeners, no properties, no directives.

import { nothing, type TemplateResult } from 'lit';

const escaped = (value: unknown): string => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

type Directive = { _$litDirective$: unknown; values: unknown[] };
const isTemplate = (value: unknown): value is TemplateResult => typeof value === 'object' && value !== null && '_$litType$' in value;
const isDirective = (value: unknown): value is Directive => typeof value === 'object' && value !== null && '_$litDirective$' in value;

/** An attribute's value, put after what is written so far; `before` ends with the attribute's name. */
function attribute(before: string, value: unknown): string {
  const [whole, kind, name] = / ([.?@]?)([\w-]+)=$/.exec(before) ?? [];
  if (whole === undefined) return before + (isDirective(value) || value === nothing ? '' : escaped(value));
  const without = before.slice(0, -whole.length);
  const plain = isDirective(value) ? value.values[0] : value;
  if (kind === '.' || kind === '@' || plain === nothing) return without;
  if (kind === '?') return plain ? `${without} ${name}` : without;
  return `${without} ${name}="${escaped(plain)}"`;
}

const inTag = (text: string): boolean => text.lastIndexOf('<') > text.lastIndexOf('>');

/** A template, or what stands in one, as HTML. */
export function htmlOf(value: unknown): string {
  if (value === nothing || value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (!isTemplate(value)) return escaped(value);
  const [first = '', ...rest] = value.strings;
  return rest.reduce((text, next, at) => {
    const one = value.values[at];
    return (inTag(text) ? attribute(text, one) : text + htmlOf(one)) + next;
  }, first);
}
