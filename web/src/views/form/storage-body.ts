// How the weights are stored, opened: one block of their encoding, its bits by arithmetic, its unquantized modules, and who says so.

import '../../languages/texts-files.ts';
import '../../languages/texts-later.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { type Block, blockOf, type Part } from '../../state/blocks.ts';
import type { Calculator } from '../../app/calculator.ts';
import { mostCells, partColour, partStrip, proportions } from '../../charts/block.ts';
import type { Answer } from '../../engine/reply.ts';
import type { EncodingPreset } from '../../engine/wire.d.ts';
import { sourceView } from '../answer/explanation.ts';
import { encodingName } from './storage.ts';
import { table } from '../answer/table.ts';

const nameOf = (c: Calculator, id: string): string => {
  const found = c.tables?.encodings.find((one) => one.id === id);
  return found ? encodingName(c, found) : id;
};

/** Equal parts as a product, one alone as its bits. */
const product = (c: Calculator, { count, bits }: Part): string =>
  count > 1 ? `${c.format.count(count)} × ${c.format.count(bits)}` : c.format.count(bits);

function partView(c: Calculator, block: Block, part: Part): TemplateResult {
  const { t, name } = c.texts;
  const each = block.elements / part.count;
  const shared = each > 1 && part.count > 1 ? t('storage.each', { count: c.format.count(each) }) : '';
  const marks = part.count > mostCells ? t('storage.mark', { count: c.format.count(part.count / mostCells) }) : '';
  return html`<li>
    <span class="swatch ${partColour(part)}" aria-hidden="true"></span>
    <span class="what">${name('holds', part.holds)} <small>${[shared, marks].filter(Boolean).join(' · ')}</small></span>
    <span class="bits">${t('storage.bits', { bits: product(c, part) })}</span>
    ${block.elements > 1 ? partStrip(part) : nothing}
  </li>`;
}

/** What a matrix stores besides its blocks. */
function besideView(c: Calculator, { bits_per: per = {} }: EncodingPreset): TemplateResult[] {
  return Object.entries(per).map(
    ([what, bits]) =>
      html`<li>
        <span></span><span class="what">${c.texts.name('bits_per', what)}</span>
        <span class="bits">${c.texts.t('storage.bits', { bits: c.format.count(Number(bits)) })}</span>
      </li>`,
  );
}

function equationView(c: Calculator, { elements, parts, bits }: Block): TemplateResult {
  const sum = parts.map((part) => product(c, part)).join(' + ');
  const terms = elements > 1 ? `(${sum}) ÷ ${c.format.count(elements)}` : sum;
  const result = c.texts.t('storage.per_value', { bits: c.format.count(bits / elements) });
  return html`<p class="sum" data-bits=${bits / elements}>${parts.length > 1 ? `${terms} = ` : ''}<strong>${result}</strong></p>`;
}

function pictureView(c: Calculator, encoding: EncodingPreset): TemplateResult {
  const { t } = c.texts;
  const average = encoding.kind === 'block' && !encoding.group && !encoding.block && !encoding.base && !encoding.bits_per;
  if (average) return html`<p class="average">${t('storage.average', { bits: c.format.bits(encoding.bits) })}</p>`;
  const block = blockOf(encoding, c.tables?.encodings ?? []);
  const size = { values: c.format.count(block.elements), bytes: c.format.count(block.bits / 8) };
  const title = block.elements > 1 ? t('storage.block', size) : t('storage.value');
  const base = encoding.base ? t('storage.base', { name: nameOf(c, encoding.base) }) : '';
  return html`<figure>
    <figcaption>${base} ${title}</figcaption>
    <ul class="parts">
      ${block.parts.map((part) => partView(c, block, part))} ${besideView(c, encoding)}
    </ul>
    ${block.parts.length > 1 ? proportions(block) : nothing} ${equationView(c, block)}
  </figure>`;
}

interface TypeLine {
  name: string;
  tensors: string;
  bytes: number;
}

const typesTable = (c: Calculator, title: string, lines: TypeLine[], whole: number): TemplateResult | typeof nothing =>
  table(title, lines, { title: c.texts.t('inspection.type'), cell: ({ name }) => name }, [
    { title: c.texts.t('inspection.tensors'), cell: ({ tensors }) => tensors },
    { title: c.texts.t('rows.size'), cell: ({ bytes }) => c.format.bytes(bytes) },
    { title: c.texts.t('rows.share'), cell: ({ bytes }) => c.format.percent(bytes, whole) },
  ]);

function typesView(c: Calculator, encoding: EncodingPreset, answer: Answer): TemplateResult {
  const { t } = c.texts;
  const weights = answer.rows?.find(({ id }) => id === 'weights');
  const scales = weights?.rows?.find(({ id }) => id === 'scales');
  const entries = Object.entries(answer.model?.tensor_types ?? {});
  const there = entries.map(([id, type]) => {
    const { host_tensors: off = 0, host_bytes: offBytes = 0 } = type;
    return { name: nameOf(c, id), tensors: c.format.count(type.tensors - off), bytes: type.bytes - offBytes };
  });
  const listed = (all: typeof there) => all.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
  const types = listed(there);
  if (types.length > 0 && scales) types.push({ name: t('storage.scales'), tensors: '', bytes: scales.bytes });
  const whole = types.reduce((all, { bytes }) => all + bytes, 0);
  if (types.length > 0) types.push({ name: t('rows.total'), tensors: '', bytes: whole });
  const host = listed(
    entries.map(([id, { host_tensors: off = 0, host_bytes: bytes = 0 }]) => ({ name: nameOf(c, id), tensors: c.format.count(off), bytes })),
  );
  const hostWhole = host.reduce((all, { bytes }) => all + bytes, 0);
  if (host.length > 0) host.push({ name: t('rows.total'), tensors: '', bytes: hostWhole });
  const rule = t(`wide.${encoding.wide ?? 'none'}`, { beside: nameOf(c, encoding.beside ?? 'bf16') });
  const head = encoding.head && t('storage.head', { name: nameOf(c, encoding.head) });
  return html`<h3>${t('storage.wide')}</h3>
    <p>${rule} ${head}</p>
    ${typesTable(c, t('storage.types'), types, whole)} ${host.length > 0 ? typesTable(c, t('storage.host_types'), host, hostWhole) : nothing}`;
}

export function storageBody(c: Calculator, encoding: EncodingPreset, answer: Answer): TemplateResult {
  const { id, description, sources } = encoding;
  return html`<p>${c.texts.preset('encodings', id, 'description', description)}</p>
    ${pictureView(c, encoding)} ${typesView(c, encoding, answer)}
    <div class="sources">
      <span>${c.texts.t('rows.sources')}</span>
      <ul>
        ${Object.values(sources).map(({ title, url }) => html`<li>${sourceView(url ? `${title} <${url}>` : title)}</li>`)}
      </ul>
    </div>`;
}
