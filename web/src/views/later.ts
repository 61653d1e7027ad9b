// The folds whose pieces come when they are opened.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../app/calculator.ts';
import { casesOffered } from '../evidence/nearest-offered.ts';
import type { Answer } from '../engine/reply.ts';
import { runtimeOf } from '../state/runtimes.ts';
import { errorText } from './form/field.ts';
import { fold } from './form/fold.ts';

export const notHereYet = (c: Calculator): TemplateResult =>
  html`<p>${c.later.failure ? errorText(c, c.later.failure) : c.texts.t('fold.loading')}</p>`;

function laterFold(c: Calculator, name: string, title: string, piece: () => TemplateResult): TemplateResult {
  const body = () => (c.later.got.pieces ? piece() : notHereYet(c));
  return fold(c, { name, title, body, card: true, opened: () => void c.later.bring('pieces') });
}

export const curveFold = (c: Calculator, answer: Answer): TemplateResult =>
  laterFold(
    c,
    'curve',
    c.texts.t(c.state.task === 'inference' ? 'curve.title' : 'curve.training'),
    () => html`<plimsoll-curve .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-curve>`,
  );

/** What would make it fit, or what the room that is left buys. */
export function waysFold(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  if (!answer.fit) return nothing;
  const body = () => c.later.got.ways?.waysView(c, answer) ?? notHereYet(c);
  const title = c.texts.t(['fits', 'tight'].includes(answer.fit.verdict) ? 'ways.fold.more' : 'ways.fold.less');
  return fold(c, { name: 'ways', title, body, card: true, opened: () => void c.later.bring('ways') });
}

export function fitsFold(c: Calculator): TemplateResult {
  const body = () => c.later.got.fits?.fitsView(c) ?? notHereYet(c);
  return fold(c, { name: 'fits', title: c.texts.t('fits.fold'), body, card: true, opened: () => void c.later.bring('fits') });
}

export function launchFold(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  const runtime = c.state.task === 'inference' ? runtimeOf(c.tables, c.state) : undefined;
  if (!runtime) return nothing;
  const title = c.texts.t('launch.title', { runtime: runtime.name });
  return laterFold(c, 'launch', title, () => html`<plimsoll-launch .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-launch>`);
}

export function evidenceFold(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  if (!casesOffered()) return nothing;
  const body = () => html`<plimsoll-evidence .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-evidence>`;
  return laterFold(c, 'evidence', c.texts.t('how.title'), body);
}
