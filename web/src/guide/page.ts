// guide/guide.js, beside each page of the guide: live figures, the search, the theme. Without it the page reads as well.

import { bring } from '../embed/bring.ts';
import { defineTags } from '../embed/tags.ts';
import { pictures } from './pictures.ts';
import { scenes } from './player.ts';
import { quiz } from './quiz.ts';

/** The theme stands in the address, as it does in the calculator's link, and goes along with each link of the guide. */
function theme(): void {
  const chosen = new URL(location.href).searchParams.get('theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
  const select = document.querySelector<HTMLSelectElement>('select[name=theme]');
  if (!select) return;
  select.value = chosen ?? 'auto';
  select.closest('label')!.hidden = false;
  select.addEventListener('change', () => {
    const url = new URL(location.href);
    if (select.value === 'auto') url.searchParams.delete('theme');
    else url.searchParams.set('theme', select.value);
    location.replace(url);
  });
  if (chosen)
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-guide]')) {
      const url = new URL(link.href);
      url.searchParams.set('theme', chosen);
      link.href = url.href;
    }
}

/** Paper is white: what is drawn in a chosen theme is drawn without it while a page is printed. */
function paper(): void {
  const { dataset } = document.documentElement;
  const { theme: chosen } = dataset;
  if (!chosen) return;
  addEventListener('beforeprint', () => (dataset['theme'] = 'light'));
  addEventListener('afterprint', () => (dataset['theme'] = chosen));
}

/** From a disk only the calculator in one file opens. */
function fromDisk(): void {
  if (location.protocol !== 'file:') return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-calculator]')) link.href = link.href.replace('index.html', 'plimsoll.html');
}

/** Words that all stand in a section, whatever their order; Chinese has no spaces, so that what is typed is looked for as it is. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>('input[type=search]');
  const list = document.querySelector<HTMLElement>('[data-found]');
  if (!field || !list) return;
  const entries = [...list.querySelectorAll<HTMLElement>('li')];
  const texts = entries.map((entry) => `${entry.textContent} ${entry.dataset['text']}`.toLowerCase());
  const find = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    entries.forEach((entry, at) => (entry.hidden = !words.every((word) => texts[at]!.includes(word))));
    list.hidden = words.length === 0;
    const none = document.querySelector<HTMLElement>('[data-none]')!;
    none.hidden = words.length === 0 || entries.some((entry) => !entry.hidden);
  };
  field.closest('form')!.hidden = false;
  field.addEventListener('input', find);
  find();
}

theme();
fromDisk();
search();
paper();
defineTags(bring);
pictures();
scenes();
quiz();
