// The tokens: type, space, radius, motion and colour, each with its reason. Everything else names one of these;
// tests/architecture/tokens.test.mjs holds that no colour and no size of type stands outside of this file.

import { css } from 'lit';
import { base } from './base.ts';

export const values = css`
  :host {
    color-scheme: inherit;

    /* Colour: paper and ink of a chart room. Text on any ground has a contrast of 4.5 and more, edges of controls of 3. */
    --paper: light-dark(#f5f3ee, #0d161d);
    --card: light-dark(#ffffff, #14212b);
    --sunk: light-dark(#eeebe3, #1b2b37);
    --ink: light-dark(#13212c, #e7eef3);
    --muted: light-dark(#526069, #a3b4c0);
    --rule: light-dark(#dbd6ca, #2c3e4b);
    --edge: light-dark(#857f72, #6b8091);
    /* What can be clicked is sea blue. */
    --sea: light-dark(#0d5878, #7cc8ea);
    --on-sea: light-dark(#ffffff, #0d161d);
    /* Hull red is the limit and nothing else: the load line, the chosen tab, the name. */
    --load: light-dark(#b3361f, #ff8f70);
    /* A verdict is a word on a ground; the colour never says it alone. */
    --fits: light-dark(#1b6b47, #6fd3a1);
    --fits-ground: light-dark(#e0f1e7, #12372a);
    --tight: light-dark(#7d5200, #f2c063);
    --tight-ground: light-dark(#fbeecb, #3d2f10);
    --large: light-dark(#9d2b17, #ffa48a);
    --large-ground: light-dark(#fae3dd, #451d14);
    /* Shadows say what lies above the page; behind a dialog the page goes dark. */
    --shade: rgb(0 0 0 / 45%);
    --shade-faint: rgb(0 0 0 / 22%);
    --veil: rgb(8 16 22 / 60%);
    /* One colour a part, the same in every chart: blues for what the model is, warm for what the run adds, greys for what the
     * runtime takes. Neighbours in a bar differ in lightness too. */
    --part-1: light-dark(#1f5f8b, #5aa9dc);
    --part-2: light-dark(#6b9fc7, #96c6ea);
    --part-3: light-dark(#a2603a, #dba07c);
    --part-4: light-dark(#23867b, #55c8ba);
    --part-5: light-dark(#7756a6, #b096e0);
    --part-6: light-dark(#c7891c, #e9b95c);
    --part-7: light-dark(#b2517f, #e58fbb);
    --part-8: light-dark(#6a7a86, #91a4b2);
    --part-9: light-dark(#9aa6ae, #667b8a);
    --part-10: light-dark(#3a4955, #c2cfd8);
    --part-11: light-dark(#4f7a28, #a3cc74);
    --part-12: light-dark(#8a3b3b, #df8f8a);
    --part-13: light-dark(#2f4fa8, #93a9f0);
    /* Of devices in a cluster: the fuller, the deeper, and the fullest as the limit. */
    --level-1: light-dark(#8fb7d3, #33617f);
    --level-2: light-dark(#4e8fbb, #4a8bb5);
    --level-3: light-dark(#1f5f8b, #7cc8ea);
    --level-4: light-dark(#c7891c, #e9b95c);
    --level-5: light-dark(#b3361f, #ff8f70);
    --level-6: light-dark(#9aa6ae, #667b8a);

    /* Type: nothing under 12 px. Six sizes for what is read, three for the one number that is looked for. */
    --tiny: 0.75rem;
    --small: 0.8125rem;
    --body: 0.9375rem;
    --title: 1.0625rem;
    --head: 1.375rem;
    --chapter: 1.75rem;
    --figure: 2.125rem;
    --hero: 3.25rem;
    --print: 10.5pt; /* a sheet is read from nearer than a screen */
    --code: 0.92em; /* a monospaced face looks larger than its neighbours */

    /* Space: steps of 4 px, the wider the less two things have to do with each other. */
    --space-1: 0.25rem;
    --space-2: 0.5rem;
    --space-3: 0.75rem;
    --space-4: 1rem;
    --space-5: 1.5rem;
    /* What a finger meets: 24 px anywhere (WCAG 2.5.8), 44 px for the main controls where the pointer is coarse. */
    --target: 1.5rem;
    --target-main: 2.25rem;

    /* Radius: cards, controls in them, what lies in a control; badges are round. */
    --radius: 10px;
    --radius-control: 7px;
    --radius-small: 3px;
    --round: 99px;

    /* Motion: a change of colour is seen and not waited for; who asks for less motion gets none (base.ts). */
    --quick: 0.15s;
  }
  @media (pointer: coarse) {
    :host {
      --target-main: 2.75rem;
    }
  }
  /* On paper nothing is touched, and an answer is to stand on one sheet with its settings. */
  @media print {
    :host {
      --small: 8.5pt;
      --body: 9pt;
      --title: 10.5pt;
      --space-3: 0.4rem;
      --space-4: 0.6rem;
      --target: 0;
      --target-main: 0;
    }
  }
`;

export const tokens = css`
  ${values} ${base}
`;
