// One field: label, control, hint, error. Which control is told by the field's kind alone.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Calculator } from '../../app/calculator.ts';
import { type Field, type FieldId, field, pathOf } from '../../state/fields.ts';
import { bytesIn } from '../../languages/format.ts';
import type { Key, Texts } from '../../languages/i18n.ts';
import { fromStep, lastStep, parseNumber, toStep } from '../../state/numbers.ts';
import { optimizersFor } from '../../state/optimizers.ts';
import type { Failure } from '../../engine/reply.ts';
import { baseEncodings, cacheEncodings, runtimeOf, weightEncodings } from '../../state/runtimes.ts';

export const controlId = (id: FieldId): string => id.replaceAll('.', '-');

const typedIn = (event: Event): string => (event.target as HTMLInputElement).value;

export function errorView(c: Calculator, id: FieldId): TemplateResult | typeof nothing {
  const error = c.mistake(id);
  if (!error) return nothing;
  return html`<p class="error" id="${controlId(id)}-error">${errorText(c, error)}</p>`;
}

type Said = Failure & { values?: Record<string, string | number> };

/** An error in the page's language where it has one, otherwise as the engine says it. */
export function errorWords(texts: Texts, error: Said): { text: string; hint: string } {
  const said = (text: string): string => texts.sentence('refused', text);
  const what = said(error.what);
  // why a layout cannot be is a sentence of its own
  const sentence = error.where?.startsWith('parallel') && error.code !== 'wrong_type';
  const name = /"([^"]*)"/.exec(error.what)?.[1] ?? what; // as the request has it
  const text =
    (sentence ? `${what[0]!.toUpperCase()}${what.slice(1)}.` : texts.maybe(`error.${error.code}`, { what, name, ...error.values })) ?? what;
  return { text, hint: texts.maybe(`remedy.${error.code}`, error.values) ?? said(error.hint ?? '') };
}

export function errorText(c: Pick<Calculator, 'texts'>, error: Said): TemplateResult {
  const { text, hint } = errorWords(c.texts, error);
  const place = error.where?.startsWith('model.config.') ? html`<code>${error.where.slice('model.config.'.length)}</code> ` : nothing;
  return html`${place}${text}${hint ? html` <span class="hint">${hint}</span>` : nothing}`;
}

function shown(c: Calculator, one: Field): string {
  const id = one.id as FieldId;
  const mistake = c.mistakes.get(id);
  if (mistake !== undefined) return mistake;
  const value = c.state.values[id];
  if (value === undefined) return '';
  return one.kind === 'memory' ? String(Number((Number(value) / bytesIn(c.unit)).toPrecision(12))) : String(value);
}

function textInput(c: Calculator, one: Field): TemplateResult {
  const id = one.id as FieldId;
  const write = (event: Event) => {
    const text = typedIn(event);
    const number = one.kind === 'memory' ? parseNumber(text) : undefined;
    c.write(id, number === undefined ? text : String(Math.round(number * bytesIn(c.unit))));
  };
  const wrong = c.mistake(id) !== undefined;
  return html`<input
    id=${controlId(id)}
    type="text"
    inputmode="decimal"
    autocomplete="off"
    placeholder=${one.optional ? defaultText(c, id) : nothing}
    ?disabled=${c.isLocked(id)}
    aria-invalid=${wrong ? 'true' : nothing}
    aria-describedby=${wrong ? `${controlId(id)}-error` : nothing}
    .value=${live(shown(c, one))}
    @input=${write}
  />`;
}

function slider(c: Calculator, one: Field, low: number, high: number, at: number, valueAt: (step: number) => number): TemplateResult {
  const id = one.id as FieldId;
  return html`<input
    class="slider"
    type="range"
    min=${low}
    max=${high}
    step="1"
    aria-label=${c.texts.t(`field.${id}` as Key)}
    aria-valuetext=${c.format.count(Number(valueOf(c, id) ?? 0))}
    ?disabled=${c.isLocked(id)}
    .value=${live(String(at))}
    @input=${(event: Event) => c.set(id, valueAt(Number(typedIn(event))))}
  />`;
}

function tokenSlider(c: Calculator, one: Field): TemplateResult {
  const value = Number(valueOf(c, one.id as FieldId) ?? 0);
  const limit = Math.max(c.model?.context ?? 131072, value);
  return slider(c, one, toStep(128), lastStep(limit), toStep(value), (step) => Math.min(fromStep(step), limit));
}

function select(c: Calculator, one: Field, options: { id: string; name: string }[]): TemplateResult {
  const id = one.id as FieldId;
  const value = String(c.state.values[id] ?? '');
  const wrong = c.mistake(id) !== undefined;
  const known = value === '' || options.some((option) => option.id === value);
  const all = known ? options : [...options, { id: value, name: value }];
  return html`<select
    id=${controlId(id)}
    ?disabled=${c.isLocked(id)}
    aria-invalid=${wrong ? 'true' : nothing}
    aria-describedby=${wrong ? `${controlId(id)}-error` : nothing}
    @change=${(event: Event) => c.write(id, typedIn(event))}
  >
    ${one.optional ? html`<option value="" .selected=${value === ''}>${ownDefault(c, id)}</option>` : nothing}
    ${all.map((option) => html`<option value=${option.id} .selected=${option.id === value}>${option.name}</option>`)}
  </select>`;
}

/** What the engine took where nothing was chosen. */
const assumed = (c: Calculator, id: FieldId): unknown => c.asking.answer?.assumptions?.find((one) => one.field === pathOf(field(id)))?.value;

/** The name of a value: an option's text, or what a preset is called. */
export function valueName(c: Calculator, id: FieldId, value: string): string {
  const { kind } = field(id);
  const presets = kind === 'optimizer' ? c.tables?.optimizers : kind === 'encoding' || kind === 'base' ? c.tables?.encodings : undefined;
  return c.texts.maybe(`option.${id}.${value}`) ?? presets?.find((one) => one.id === value)?.name ?? value;
}

/** What holds: the chosen value, or the assumed one. */
export const valueOf = (c: Calculator, id: FieldId): unknown => c.state.values[id] ?? assumed(c, id);

/** What an empty text field stands for. */
function defaultText(c: Calculator, id: FieldId): string {
  const taken = assumed(c, id);
  return typeof taken === 'number' ? c.format.count(taken) : (c.texts.maybe(`form.default.${id}`) ?? c.texts.t('form.default'));
}

/** What stands for "not chosen": where the engine said what it took, that is named too. */
export function ownDefault(c: Calculator, id: FieldId): string {
  const taken = assumed(c, id);
  const own = c.texts.maybe(`form.default.${id}`) ?? c.texts.t('form.default');
  return typeof taken === 'string' ? `${own} (${valueName(c, id, taken)})` : own;
}

function encodings(c: Calculator, one: Field): { id: string; name: string }[] {
  const runtime = runtimeOf(c.tables, c.state);
  const bases = () => (one.id.startsWith('training.') ? baseEncodings(c.tables) : weightEncodings(c.tables, runtime));
  const all = one.kind === 'base' ? bases() : cacheEncodings(c.tables, runtime);
  return all.toSorted((a, b) => (b.bits ?? 0) - (a.bits ?? 0)).map(({ id, name }) => ({ id, name }));
}

function control(c: Calculator, one: Field, options: readonly string[] = []): TemplateResult {
  const id = one.id as FieldId;
  if (one.kind === 'choice' || options.length > 0)
    return select(
      c,
      one,
      options.map((option) => ({ id: option, name: c.texts.name(`option.${id}`, option) })),
    );
  switch (one.kind) {
    case 'encoding':
    case 'base':
      return select(c, one, encodings(c, one));
    case 'runtime':
      return select(
        c,
        one,
        (c.tables?.runtimes ?? []).map(({ id, name }) => ({ id, name })),
      );
    case 'optimizer':
      return select(
        c,
        one,
        optimizersFor(c.tables, c.state).map(({ id, name }) => ({ id, name })),
      );
    case 'tokens':
      return html`${textInput(c, one)}${tokenSlider(c, one)}`;
    case 'percent':
      return html`${textInput(c, one)}${slider(c, one, 0, 100, Number(c.state.values[id] ?? 0), (step) => step)}`;
    default:
      return textInput(c, one);
  }
}

/** @param usual how it stands where nothing was chosen or assumed */
export function switchView(c: Calculator, one: Field, usual = false): TemplateResult {
  const id = one.id as FieldId;
  return html`<div class="field switch" data-field=${id}>
    <label>
      <input
        type="checkbox"
        ?disabled=${c.isLocked(id)}
        .checked=${live(valueOf(c, id) ?? usual)}
        @change=${(event: Event) => c.set(id, (event.target as HTMLInputElement).checked)}
      />
      ${c.texts.t(`field.${id}` as Key)}
    </label>
    ${errorView(c, id)}
  </div>`;
}

/** @param options of a choice, where not all of the field's own stand to choose */
export function fieldView(c: Calculator, id: FieldId, options = field(id).options): TemplateResult {
  const one = field(id);
  if (one.kind === 'switch') return switchView(c, one);
  const hint = c.texts.maybe(`hint.${id}`);
  const unit = one.kind === 'memory' ? ` (${c.unit})` : '';
  return html`<div class="field ${one.kind}" data-field=${id}>
    <label for=${controlId(id)}>${c.texts.t(`field.${id}` as Key)}${unit}</label>
    ${control(c, one, options)} ${hint ? html`<p class="hint">${hint}</p>` : nothing} ${errorView(c, id)}
  </div>`;
}
