import { app } from './app.ts';
import { aside } from './aside.ts';
import { charts } from './charts.ts';
import { examples } from './examples.ts';
import { files } from './files.ts';
import { form } from './form.ts';
import { layout } from './layout.ts';
import { printed } from './answer/print.ts';
import { rows } from './rows.ts';
import { storage } from './storage.ts';
import { summary } from './answer/summary.ts';
import { tabs } from './answer/tabs.ts';
import { tokens } from './tokens.ts';
import { twist } from './twist.ts';

export const calculatorStyles = [tokens, layout, form, summary, charts, twist, rows, files, storage, aside, tabs, printed];
export const appStyles = [tokens, app];
export const examplesStyles = [tokens, examples];
