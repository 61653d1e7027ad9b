// The load of the device, end to end, with the capacity as a ship's load line across it.
// Positions are attributes of SVG: a strict Content-Security-Policy forbids inline styles.

import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Answer } from '../engine/reply.ts';
import { headline } from '../engine/reply.ts';
import type { Format } from '../languages/format.ts';
import { axis, colourOf, percent, stack } from './scale.ts';

export interface BarTexts {
  /** What the bar says, for those who do not see it. */
  label: string;
  name: (id: string) => string;
}

function loadLine(at: number, whole: number) {
  const x = percent(at, whole);
  return svg`<g class="load-line">
    <line x1=${x} x2=${x} y1="2" y2="60"></line>
    <circle cx=${x} cy="9" r="7"></circle>
  </g>`;
}

function band(low: number, high: number, whole: number) {
  return svg`<g class="band">
    <line x1=${percent(low, whole)} x2=${percent(high, whole)} y1="60" y2="60"></line>
    <line x1=${percent(low, whole)} x2=${percent(low, whole)} y1="57" y2="63"></line>
    <line x1=${percent(high, whole)} x2=${percent(high, whole)} y1="57" y2="63"></line>
  </g>`;
}

/** The device before anything is known of its load. */
export const emptyBar = html`<svg class="bar" aria-hidden="true" width="100%" height="66">
  <rect class="hull" x="0" width="100%" y="19" height="36"></rect>
</svg>`;

export function barChart(answer: Answer, format: Format, texts: BarTexts): TemplateResult {
  const whole = axis(answer);
  const usable = answer.fit?.usable_bytes;
  const { bytes, low, high } = headline(answer);
  const over = usable !== undefined && bytes > usable;
  return html`<svg class="bar" role="img" aria-label=${texts.label} width="100%" height="66">
    <defs>
      <pattern id="over" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2.5" height="7"></rect>
      </pattern>
    </defs>
    ${usable === undefined ? nothing : svg`<rect class="hull" x="0" width=${percent(usable, whole)} y="19" height="36"></rect>`}
    ${stack(answer.rows ?? []).map(
      ({
        id,
        from,
        bytes: size,
      }) => svg`<rect class="part ${colourOf(id)}" x=${percent(from, whole)} width=${percent(size, whole)} y="21" height="32">
        <title>${texts.name(id)}: ${format.bytes(size)}</title>
      </rect>`,
    )}
    ${over ? svg`<rect class="over" x=${percent(usable, whole)} width=${percent(bytes - usable, whole)} y="21" height="32" fill="url(#over)"></rect>` : nothing}
    ${low !== undefined && high !== undefined && high > low ? band(low, high, whole) : nothing}
    ${usable === undefined ? nothing : loadLine(usable, whole)}
  </svg>`;
}
