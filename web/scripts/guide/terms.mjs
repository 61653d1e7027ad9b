// @ts-check
// Entries of the glossary that a text uses.

import { terms } from './sources.mjs';

/** Text without what the engine answers, what is quoted, code, and places. @param {string} markdown */
const bare = (markdown) => markdown.replace(/\{\{[^}]*\}\}|`[^`]*`|\{#[\w-]+\}|\]\([^)]*\)/g, ' ');

/** @param {string} text @param {string} form @param {string} language */
function has(text, form, language) {
  if (language.startsWith('zh')) return text.includes(form);
  const exact = form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${exact}(?![\\w-])`, /[A-Z]{2}|[A-Z].*[A-Z]/.test(form) ? '' : 'i').test(text);
}

/** Their places, in the glossary's order. @param {string} markdown @param {string} language */
export function termsIn(markdown, language) {
  const text = bare(markdown);
  return Object.entries(terms(language)).flatMap(([place, forms]) => (forms.some((form) => has(text, form, language)) ? [place] : []));
}
