// What the charts on a canvas have in common: uPlot draws them, as wide as their place is, in the colours of the theme.

import { LitElement } from 'lit';
import type uPlot from 'uplot';
import { stackStyles } from '../styles/pieces.ts';

export abstract class Drawn extends LitElement {
  static override styles = stackStyles;

  protected chart: uPlot | undefined;
  protected watching = new ResizeObserver(() => this.resize());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watching.disconnect();
    this.chart?.destroy();
    this.chart = undefined;
  }

  /** How high it is at a width. */
  protected abstract heightOf(width: number): number;

  protected get place(): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>('.plot')!;
  }

  /** A colour of the theme as a canvas takes it. */
  protected colour(name: string): string {
    const sample = this.renderRoot.querySelector(`.samples .${name}`);
    return sample ? getComputedStyle(sample).backgroundColor : 'gray';
  }

  private resize(): void {
    const width = this.place.clientWidth;
    if (width > 0 && width !== this.chart?.width) this.chart?.setSize({ width, height: this.heightOf(width) });
  }
}
