// A verdict as a badge, and its colours.

import { css } from 'lit';

export const verdictColours = css`
  .badge.fits {
    color: var(--fits);
    background: var(--fits-ground);
  }
  .badge.tight,
  .badge.waits {
    color: var(--tight);
    background: var(--tight-ground);
  }
  .badge.too-large,
  .badge.does-not-start {
    color: var(--large);
    background: var(--large-ground);
  }
`;

const badge = css`
  .badge {
    padding: 0.05rem 0.5rem;
    border-radius: var(--round);
    font-size: var(--tiny);
    font-weight: 700;
    white-space: nowrap;
  }
`;

export const verdicts = [badge, verdictColours];
