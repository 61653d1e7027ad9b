// The answer in forms that others can read: Markdown for people, JSON for programs.

import type { Calculator } from '../app/calculator.ts';
import type { Answer, Row } from '../engine/reply.ts';
import { headline } from '../engine/reply.ts';
import { markdownText } from './quoting.mjs';

function line(c: Calculator, row: Row, total: number): string {
  const cells = [
    markdownText(c.texts.name('row', row.id)),
    c.format.bytes(row.bytes),
    c.format.count(row.bytes),
    c.format.percent(row.bytes, total),
    c.texts.name('basis', row.basis),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function markdown(c: Calculator, answer: Answer): string {
  const { t, name } = c.texts;
  const total = headline(answer).bytes;
  const verdict = answer.fit ? ` ${name('verdict', answer.fit.verdict)} (${c.format.bytes(answer.fit.usable_bytes)}).` : '';
  const peak = answer.total.phase ? ` ${t('summary.peak', { phase: name('phase', answer.total.phase) })}.` : '';
  return [
    `**${markdownText(answer.model?.name ?? t('form.model'))}, ${t(`task.${c.state.task}`)}: ${c.format.bytes(total)}.**${verdict}${peak}`,
    '',
    `| ${[t('rows.part'), t('rows.size'), t('rows.bytes_header'), t('rows.share'), t('rows.basis')].join(' | ')} |`,
    '| --- | --: | --: | --: | --- |',
    ...(answer.rows ?? []).map((row) => line(c, row, total)),
    `| **${t('rows.total')}** | **${c.format.bytes(total)}** | **${c.format.count(total)}** | | |`,
    '',
    ...(answer.assumptions ?? []).map(({ field, value, why }) => `- ${markdownText(`${field} = ${JSON.stringify(value)}: ${why}`)}`),
    '',
    `Plimsoll ${answer.engine}`,
    '',
  ].join('\n');
}

/** Copies text; where the clipboard is closed to pages (an embed without permission), by way of a selection. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}
