// What later.ts brings in where times are told: the line under the verdict, and the fold.

import '../../languages/texts-time.ts';
import { html, type TemplateResult } from 'lit';
import type { Calculator } from '../../app/calculator.ts';
import { TimeBody } from './body.ts';
import { Speed } from './line.ts';

if (!customElements.get('plimsoll-speed')) customElements.define('plimsoll-speed', Speed);
if (!customElements.get('plimsoll-time')) customElements.define('plimsoll-time', TimeBody);

export const timeLine = (c: Calculator): TemplateResult =>
  html`<plimsoll-speed .calculator=${c} .state=${c.state} .format=${c.format}></plimsoll-speed>`;

export const timeView = (c: Calculator): TemplateResult =>
  html`<plimsoll-time .calculator=${c} .state=${c.state} .format=${c.format}></plimsoll-time>`;
