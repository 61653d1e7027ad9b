// The folds whose pieces come when they are opened.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../app/calculator.ts';
import { casesOffered } from '../evidence/nearest-offered.ts';
import type { Answer } from '../engine/reply.ts';
import type { Key } from '../languages/i18n.ts';
import { optionsOf, runtimeOf } from '../state/runtimes.ts';
import { fold } from './form/fold.ts';
import { retryView } from './retry.ts';

export const notHereYet = (c: Calculator): TemplateResult =>
  c.later.failure ? retryView(c, c.later.failure, () => c.later.again()) : html`<p>${c.texts.t('fold.loading')}</p>`;

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

/** A fold whose piece shows itself. */
function pieceFold(
  c: Calculator,
  name: 'fits' | 'layouts' | 'reconcile' | 'time' | 'ways',
  title: Key,
  piece: () => TemplateResult | undefined,
): TemplateResult {
  const body = () => piece() ?? notHereYet(c);
  return fold(c, { name, title: c.texts.t(title), body, card: true, opened: () => void c.later.bring(name) });
}

/** What would make it fit, or what the room that is left buys. */
export function waysFold(c: Calculator, answer: Answer): TemplateResult | typeof nothing {
  if (!answer.fit) return nothing;
  const title = ['fits', 'tight'].includes(answer.fit.verdict) ? 'ways.fold.more' : 'ways.fold.less';
  return pieceFold(c, 'ways', title, () => c.later.got.ways?.waysView(c, answer));
}

export const fitsFold = (c: Calculator): TemplateResult => pieceFold(c, 'fits', 'fits.fold', () => c.later.got.fits?.fitsView(c));

/** Every way to spread it over a cluster: of a training, and of a server that is told how. */
export const layoutsFold = (c: Calculator): TemplateResult | typeof nothing =>
  c.state.task === 'training' || optionsOf(runtimeOf(c.tables, c.state), 'rare').includes('parallel.tensor')
    ? pieceFold(c, 'layouts', 'layouts.fold', () => c.later.got.layouts?.layoutsView(c))
    : nothing;

/** How long a prompt and a token take. */
export const timeFold = (c: Calculator): TemplateResult | typeof nothing =>
  c.time ? pieceFold(c, 'time', 'time.fold', () => c.later.got.time?.timeView(c)) : nothing;

/** What a tool printed, held against the answer. */
export const reconcileFold = (c: Calculator): TemplateResult =>
  pieceFold(c, 'reconcile', 'reconcile.fold', () => c.later.got.reconcile?.reconcileView(c));

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
