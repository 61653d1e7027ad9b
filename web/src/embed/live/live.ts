// What the heavy part leaves behind for the tags.

import { defineCombobox } from '../../views/form/combobox.ts';
import type { Live } from '../answers.ts';
import { answers } from './asked.ts';
import { LiveCalculator } from './calculator.ts';

const name = 'plimsoll-live';

export const live: Live = {
  ...answers,
  create(tag, told) {
    defineCombobox();
    if (!customElements.get(name)) customElements.define(name, LiveCalculator);
    const shown = document.createElement(name) as LiveCalculator;
    shown.told = told;
    shown.tag = tag;
    return shown;
  },
};
