// Seconds and rates in words; no figure is made here.

import type { Calculator } from '../../app/calculator.ts';
import type { Answer } from '../../engine/reply.ts';
import type { ReplyTime } from '../../engine/wire.d.ts';
import type { Key } from '../../languages/i18n.ts';

const formatters = new Map<string, Intl.NumberFormat>();

/** Three digits, as the command line prints them. */
function threeDigits(language: string, value: number): string {
  const made = formatters.get(language) ?? new Intl.NumberFormat(language, { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
  formatters.set(language, made);
  return made.format(value);
}

/** A time in the unit that people say it in: 12.3 ms, 4.56 s, 20.0 min. */
export function duration(c: Calculator, seconds: number): string {
  const units = [
    ['ns', 1e-9, 1e-6],
    ['us', 1e-6, 1e-3],
    ['ms', 1e-3, 1],
    ['s', 1, 600],
    ['min', 60, 36_000],
    ['h', 3600, Infinity],
  ] as const;
  const [unit, one] = units.find(([, , until]) => seconds < until)!;
  return c.texts.t(`time.unit.${unit}`, { value: threeDigits(c.texts.language, seconds / one) });
}

/** Days, which are many or few. */
export const days = (c: Calculator, value: number): string => c.texts.t('time.unit.d', { value: rate(c, value) });

/** Tokens a second, which are many or few. */
export const rate = (c: Calculator, value: number): string =>
  value >= 1000 ? c.format.count(Math.round(value)) : threeDigits(c.texts.language, value);

/** An amount of anything, to three digits at most where it is small. */
export const amount = rate;

/** Why no more is told, in the page's language. */
export const whyText = (c: Calculator, why: string): string => c.texts.sentence('time.why', why);

/** Whether what was asked runs at all; without a device nobody knows. */
export const runs = ({ fit }: Answer): boolean => fit !== undefined && !['too large', 'does not start'].includes(fit.verdict);

export interface Facts {
  /** Whether they are what the peaks allow, and no estimate. */
  limit: boolean;
  said: string[];
}

function limits(c: Calculator, { roof }: ReplyTime, several: boolean): Facts {
  const { t } = c.texts;
  const { tokens_per_second: most, prefill, step } = roof ?? {};
  const said = [
    most !== undefined && t(several ? 'time.most.all' : 'time.most', { value: rate(c, most) }),
    prefill !== undefined && t('time.first.least', { time: duration(c, prefill) }),
    step !== undefined && t('time.step.least', { time: duration(c, step) }),
  ];
  return { limit: true, said: said.filter((one) => one !== false) };
}

/** What is said in one line; nothing where the engine tells no more than why. */
export function facts(c: Calculator, time: ReplyTime, several: boolean): Facts {
  const { t } = c.texts;
  const { tokens_per_second: all, tokens_per_second_each: each, first_token: first, step } = time;
  const own = each ?? all;
  if (!own) return limits(c, time, several);
  const spread = { value: rate(c, own.value), low: rate(c, own.low), high: rate(c, own.high), all: all ? rate(c, all.value) : '' };
  const binds = (time.token ?? step)?.binds;
  const said = [
    t(each ? 'time.about.each' : 'time.about', spread),
    first && t('time.first', { time: duration(c, first.seconds) }),
    step && t('time.step', { time: duration(c, step.seconds) }),
    binds && t(`time.binds.${binds}` as Key),
  ];
  return { limit: false, said: said.filter((one) => one !== undefined) };
}
