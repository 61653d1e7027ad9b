// What stands below the breakdown: what follows from the answer, and what it rests on. Most of it comes when its tab is chosen.

import { html, nothing, type TemplateResult } from 'lit';
import type { Calculator } from '../app/calculator.ts';
import { casesOffered } from '../answers/evidence/nearest-offered.ts';
import type { Answer } from '../engine/reply.ts';
import type { Key } from '../languages/i18n.ts';
import { optionsOf, runtimeOf } from '../state/runtimes.ts';
import { assumedView } from './answer/aside.ts';
import { classicView } from './answer/classic.ts';
import { storageTab } from './form/storage.ts';
import { type Tab, tabsView } from './tabs.ts';
import { notHereYet } from './retry.ts';

/** A tab whose piece is an element. */
const laterTab = (c: Calculator, name: string, title: string, piece: () => TemplateResult): Tab => ({
  name,
  title,
  body: () => (c.later.got.pieces ? piece() : notHereYet(c)),
});

/** A tab whose piece shows itself. */
const pieceTab = (c: Calculator, name: string, title: Key, piece: () => unknown): Tab => ({
  name,
  title: c.texts.t(title),
  body: () => piece() ?? notHereYet(c),
});

const isTraining = (c: Calculator): boolean => c.state.task === 'training';

const curveTab = (c: Calculator, answer: Answer): Tab =>
  laterTab(
    c,
    'curve',
    c.texts.t(isTraining(c) ? 'curve.training' : 'curve.title'),
    () => html`<plimsoll-curve .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-curve>`,
  );

/** What would make it fit, or what the room that is left buys. */
function waysTab(c: Calculator, answer: Answer): Tab | undefined {
  if (!answer.fit) return undefined;
  const title = ['fits', 'tight'].includes(answer.fit.verdict) ? 'ways.fold.more' : 'ways.fold.less';
  return pieceTab(c, 'ways', title, () => c.later.got.ways?.waysView(c, answer));
}

/** Every way to spread it over a cluster: of a training, and of a server that is told how. */
const layoutsTab = (c: Calculator): Tab | undefined =>
  isTraining(c) || optionsOf(runtimeOf(c.tables, c.state), 'rare').includes('parallel.tensor')
    ? pieceTab(c, 'layouts', 'layouts.fold', () => c.later.got.layouts?.layoutsView(c))
    : undefined;

/** What a tool printed, held against the answer: on the site, and where an element's page allows it. */
const reconcileTab = (c: Calculator): Tab | undefined =>
  c.link || c.reconcile ? pieceTab(c, 'reconcile', 'reconcile.fold', () => c.later.got.reconcile?.reconcileView(c)) : undefined;

function launchTab(c: Calculator, answer: Answer): Tab | undefined {
  const runtime = isTraining(c) ? undefined : runtimeOf(c.tables, c.state);
  if (!runtime) return undefined;
  const title = c.texts.t('launch.title', { runtime: runtime.name });
  return laterTab(c, 'launch', title, () => html`<plimsoll-launch .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-launch>`);
}

function evidenceTab(c: Calculator, answer: Answer): Tab | undefined {
  if (!casesOffered()) return undefined;
  const body = () => html`<plimsoll-evidence .calculator=${c} .answer=${answer} .format=${c.format}></plimsoll-evidence>`;
  return laterTab(c, 'evidence', c.texts.t('how.title'), body);
}

/** What follows from an answer: what shrinks it, what else fits, how fast it is. */
export function answersView(c: Calculator, answer: Answer): TemplateResult {
  const training = isTraining(c) ? c.later.got.training : undefined;
  const contributors = training && pieceTab(c, 'contributors', 'contributors.title', () => training.contributorsView(c, answer));
  const fits = pieceTab(c, 'fits', 'fits.fold', () => c.later.got.fits?.fitsView(c));
  const time = c.time ? pieceTab(c, 'time', 'time.fold', () => c.later.got.time?.timeView(c)) : undefined;
  const all = [contributors, waysTab(c, answer), fits, time, layoutsTab(c), curveTab(c, answer)];
  return tabsView(c, 'answers', c.texts.t('group.answers'), all, contributors && 'contributors');
}

/** What explains an answer, what proves it, and what is taken elsewhere. Without an answer, a log still says what it is of. */
export function behindView(c: Calculator, answer: Answer | undefined): TemplateResult | typeof nothing {
  const title = c.texts.t('group.behind');
  const log = reconcileTab(c);
  if (!answer) return log ? tabsView(c, 'behind', title, [log]) : nothing;
  const training = isTraining(c) ? c.later.got.training : undefined;
  const trainers = training && pieceTab(c, 'trainers', 'trainers.title', () => training.trainersView(c, answer));
  const assumed = pieceTab(c, 'assumed', 'aside.assumptions', () => assumedView(c, answer));
  const classic = pieceTab(c, 'classic', 'classic.title', () => classicView(c, answer));
  const all = [assumed, evidenceTab(c, answer), log, storageTab(c, answer), launchTab(c, answer), trainers, classic];
  return tabsView(c, 'behind', title, all, 'assumed');
}
