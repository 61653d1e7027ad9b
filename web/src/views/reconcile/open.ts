// What a log leaves open is asked: which model ran, and values under which its figures and ours agree best.

import { html, nothing, type TemplateResult } from 'lit';
import { asked, isOfAnotherTask, type Open } from '../../reconcile/holding.ts';
import type { FieldId, Value } from '../../state/fields.ts';
import { saidValue, titleOf } from '../choosing/naming.ts';
import { valueOf } from '../form/field.ts';
import { nameOf } from './naming.ts';
import type { Shown } from './shown.ts';

/** Names under which tools say which model they load. */
const modelNames = ['model', 'model_name', 'model_file', 'arch'];

/** Presets of the shape that the text states. */
function modelsView({ c, models, sure, state }: Shown, confirm: () => void): TemplateResult | typeof nothing {
  if (models.length === 0) return nothing;
  const { t } = c.texts;
  const take = (id: string) => {
    c.choose({ model: 'preset' });
    c.set('model.preset', id);
    confirm();
  };
  return html`<div class="actions" role="group" aria-label=${t('reconcile.open.shaped')}>
    <span class="hint">${t('reconcile.open.shaped')}</span>
    ${models.map(
      (id) =>
        html`<button
          type="button"
          data-model=${id}
          aria-pressed=${sure && state.values['model.preset'] === id}
          ?disabled=${c.isLocked('model.preset')}
          @click=${() => take(id)}
        >
          ${saidValue(c, 'model.preset', id)}
        </button>`,
    )}
  </div>`;
}

function modelView(shown: Shown, confirm: () => void): TemplateResult | typeof nothing {
  const { c, log, state, sure } = shown;
  if (!log.open?.includes('model')) return nothing;
  const { t } = c.texts;
  const named = modelNames.map((name) => log.settings[name]).find((name) => typeof name === 'string');
  return html`<li data-open="model">
    <p>${named === undefined ? t('reconcile.open.model') : t('reconcile.open.model_named', { name: String(named) })}</p>
    ${modelsView(shown, confirm)}
    <button type="button" data-act="as-form" aria-pressed=${sure} ?disabled=${sure} @click=${confirm}>
      ${t('reconcile.open.as_form', { title: titleOf(c, state, c.asking.answer?.model?.name) })}
    </button>
  </li>`;
}

function valueView({ c, log, offers, state }: Shown, open: Open): TemplateResult | typeof nothing {
  if (!log.open?.includes(open)) return nothing;
  const { t } = c.texts;
  const id: FieldId = asked[open];
  const { values, far } = offers.get(open) ?? { values: [], far: false };
  const own = state.values[id] ?? valueOf(c, id);
  const name = nameOf(c, id);
  const take = (value: Value) => {
    c.set(id, value);
    c.announced = t('form.pair', { name, value: saidValue(c, id, value) });
  };
  const now =
    own === undefined
      ? nothing
      : html`<span class="hint"
          >${t(`reconcile.open.${state.values[id] === undefined ? 'assumed' : 'now'}`, { value: saidValue(c, id, own) })}</span
        >`;
  return html`<li data-open=${open}>
    <p>${t('reconcile.open.value', { name })} ${now}</p>
    ${far ? html`<p class="hint" data-far>${t('reconcile.open.far')}</p>` : nothing}
    ${
      values.length > 0
        ? html`<div class="actions" role="group" aria-label=${t('reconcile.open.best', { name })}>
            <span class="hint">${t('reconcile.open.agree')}</span>
            ${values.map(
              (value) =>
                html`<button
                  type="button"
                  data-value=${String(value)}
                  aria-pressed=${value === state.values[id]}
                  ?disabled=${c.isLocked(id)}
                  @click=${() => take(value)}
                >
                  ${saidValue(c, id, value)}
                </button>`,
            )}
          </div>`
        : nothing
    }
  </li>`;
}

function runtimeView({ c, log, state }: Shown): TemplateResult | typeof nothing {
  if (!log.open?.includes('inference') || state.task === 'training') return nothing;
  const runtime = saidValue(c, 'inference.runtime', valueOf(c, 'inference.runtime') ?? 'transformers');
  return html`<li data-open="inference"><p>${c.texts.t('reconcile.open.runtime', { runtime })}</p></li>`;
}

/** A tool that trains is held against a training. */
function taskView({ c, log }: Shown): TemplateResult | typeof nothing {
  if (!isOfAnotherTask(log, c.state)) return nothing;
  const { t } = c.texts;
  return html`<li data-open="task">
    <p>${t('reconcile.open.task')}</p>
    <button type="button" @click=${() => c.choose({ task: 'training' })}>${t('reconcile.open.train')}</button>
  </li>`;
}

/** @param confirm says that the model of the form is the one that ran */
export function openView(shown: Shown, confirm: () => void): TemplateResult | typeof nothing {
  const { c, log, sure, state } = shown;
  if (!log.open?.length || log.figures.length === 0) return nothing;
  const values = sure && state.task === 'inference' ? (Object.keys(asked) as Open[]).map((open) => valueView(shown, open)) : nothing;
  return html`<section aria-labelledby="open-title">
    <h3 id="open-title">${c.texts.t('reconcile.open')}</h3>
    <ul class="open">
      ${taskView(shown)} ${modelView(shown, confirm)} ${sure ? runtimeView(shown) : nothing} ${values}
    </ul>
  </section>`;
}
