// The mark of what opens: it points down where it is open.

import { css } from 'lit';

export const twist = css`
  .twist {
    flex: none;
    width: 0.5rem;
    height: 0.5rem;
    border: solid currentcolor;
    border-width: 0 2px 2px 0;
    transform: rotate(-45deg) translateY(-1px);
  }
  [aria-expanded='true'] .twist {
    transform: rotate(45deg);
  }
`;
