// The page under attack: hostile names in every field of a link, and in files, hubs and presets. Nothing of them becomes an
// element, a handler or a request, and nothing steers the eye; with Trusted Types required, and the headers of docs/hosting.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filters } from '../../web/src/accuracy/choosing.ts';
import { type Field, fields } from '../../web/src/state/fields.ts';
import { gguf, metadata, tensors } from '../files/gguf.mjs';
import { raw, steering } from '../hostile/strings.mjs';
import { adapterConfig, config, safetensors } from './checkpoint.mjs';
import { type Calculator, dropFiles, expect, type Page, settled, test as base } from './kit.ts';
import { serveSite } from './server.ts';

const markup = [
  '<img src=x onerror="globalThis.hostile=1">',
  '"><script>globalThis.hostile=1</script>',
  "'><svg onload=globalThis.hostile=1>",
  '<style>*{display:none}</style><base href="https://example.com/">',
  '${globalThis.hostile=1} {{globalThis.hostile=1}} <!--?lit$1$-->',
  'javascript:globalThis.hostile=1',
  'https://example.com/hostile.png',
];
const name = `H0ST1LE ${markup.join(' ')} ${steering.join(' ')}`;

/** The headers that docs/hosting.md gives to a server, as it gives them. */
function documentedHeaders(): Record<string, string> {
  const text = readFileSync(join(__dirname, '../../docs/hosting.md'), 'utf8');
  const [, block] = /```\n(Content-Security-Policy: frame-ancestors[^`]*)```/.exec(text)!;
  return Object.fromEntries(
    block!
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
  );
}

const test = base.extend<{ attacked: string }>({
  attacked: async ({ page }, use) => {
    const site = await serveSite(undefined, documentedHeaders());
    await use(site.url);
    await page.goto('about:blank'); // it asks for nothing more
    await site.close();
  },
});

/** All text that a reader may meet, and what of the page is not of its own making. */
const seen = (page: Page) =>
  page.evaluate(() => {
    const found = { texts: [] as string[], handlers: [] as string[], elements: [] as string[], ran: 'hostile' in globalThis };
    const strange = ['IMG', 'IFRAME', 'OBJECT', 'EMBED', 'BASE', 'FRAME', 'VIDEO', 'AUDIO', 'MARQUEE'];
    const visit = (node: Node): void => {
      if (node instanceof Text) found.texts.push(node.data);
      if (node instanceof Element) {
        if (strange.includes(node.tagName.toUpperCase())) found.elements.push(node.outerHTML.slice(0, 200));
        if (node.tagName === 'SCRIPT' && node.textContent.includes('hostile')) found.elements.push(node.outerHTML.slice(0, 200));
        for (const { name, value } of node.attributes) {
          if (/^on/i.test(name)) found.handlers.push(`${node.tagName} ${name}`);
          if (['href', 'src', 'action', 'formaction', 'xlink:href'].includes(name) && /^\s*javascript:/i.test(value)) found.handlers.push(value);
          if (['title', 'aria-label', 'placeholder', 'alt', 'value', 'label'].includes(name)) found.texts.push(value);
        }
        if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) found.texts.push(node.value);
        if (node.shadowRoot) node.shadowRoot.childNodes.forEach(visit);
      }
      node.childNodes.forEach(visit);
    };
    visit(document.documentElement);
    found.texts.push(document.title);
    return found;
  });

async function unharmed(page: Page): Promise<string> {
  const { texts, handlers, elements, ran } = await seen(page);
  expect(ran, 'a name was run').toBe(false);
  expect(handlers).toEqual([]);
  expect(elements).toEqual([]);
  const bad = texts.filter((text) => raw.test(text.replaceAll(/[\n\t]/g, ' ')));
  expect(bad.map((text) => JSON.stringify(text))).toEqual([]);
  return texts.join('\n');
}

const base64 = (text: string): string => Buffer.from(text).toString('base64url');

/** Opens a link, whether or not it can be answered; on a page that is open it takes the place of the link before. */
async function openLink(page: Page, site: string, link: Record<string, string>): Promise<void> {
  await page.goto(`${site}/#${new URLSearchParams(link)}`);
  await expect(page.locator('plimsoll-calculator .form')).toBeVisible();
  await page.locator('plimsoll-calculator').evaluate(async (element) => {
    const one = element as Calculator;
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let frames = 0; frames < 4 || (frames < 600 && !one.asking.idle); ++frames) await frame(); // the link comes in first
    await one.updateComplete;
  });
}

test('the headers of the documentation are those of a strict host, and the page answers under them', async ({ page, attacked, complaints }) => {
  const answer = await page.goto(attacked);
  expect(answer!.headers()['content-security-policy']).toContain('frame-ancestors');
  await settled(page);
  const refused = await page.evaluate(() => {
    try {
      document.createElement('div').innerHTML = '<b>x</b>';
      return false;
    } catch {
      return true;
    }
  });
  expect(refused, 'Trusted Types are required').toBe(true);
  expect(complaints.length, 'and the browser says so').toBeGreaterThan(0);
  complaints.length = 0;
});

const takesText = (kind: Field['kind']): boolean =>
  !['json', 'switch', 'count', 'tokens', 'billions', 'memory', 'fraction', 'percent'].includes(kind);

for (const task of ['inference', 'training'])
  test(`a hostile name in every field of a link: ${task}`, async ({ page, attacked }) => {
    // A field of numbers takes no name: those all at once, the others each by itself, as an error names the first alone.
    const [numbers, texts] = [false, true].map((isText) => (fields as readonly Field[]).filter(({ kind }) => takesText(kind) === isText));
    await openLink(page, attacked, { task, ...Object.fromEntries(numbers!.map(({ key }) => [key, name])) });
    await unharmed(page);
    for (const { key } of texts!) {
      await openLink(page, attacked, { task, [key]: name });
      await unharmed(page);
    }
  });

test('a hostile name in every field of a link to the measured cases', async ({ page, attacked }) => {
  for (const key of [...filters, 'q', 'by', 'sort', 'up', 'page', 'lang', 'theme', 'unit']) {
    await page.goto('about:blank');
    await page.goto(`${attacked}/accuracy.html#${new URLSearchParams({ [key]: name })}`);
    await expect(page.locator('input').first()).toBeVisible();
    await unharmed(page);
  }
});

test('a hostile config in a link', async ({ page, attacked }) => {
  for (const more of [
    { architectures: [name] },
    { model_type: name },
    { [name]: name },
    { hidden_act: name },
    { quantization_config: { quant_method: name } },
  ]) {
    await openLink(page, attacked, { from: 'config', config: base64(JSON.stringify({ ...config(), ...more })) });
    await unharmed(page);
  }
  await openLink(page, attacked, { from: 'config', config: base64(`{"a": ${name}`) });
  await unharmed(page);
});

const files: Record<string, Record<string, string | Uint8Array>> = {
  'a config.json': { 'config.json': JSON.stringify({ ...config(), architectures: [name], model_type: 'llama', _name_or_path: name }) },
  'a config.json of a strange type': { 'config.json': JSON.stringify({ ...config(), model_type: name }) },
  'an adapter_config.json': {
    'adapter_config.json': JSON.stringify({ ...adapterConfig(), base_model_name_or_path: name, target_modules: [name], modules_to_save: [name] }),
  },
  "a GGUF's tensors": { 'm.gguf': gguf(metadata(), { ...tensors(), [name]: [[256], 'F32'] }).head },
  "a GGUF's architecture": { 'm.gguf': gguf(metadata({ 'general.architecture': name })).head },
  "a GGUF's keys": { 'm.gguf': gguf({ ...metadata(), [name]: name, 'general.name': name }, tensors()).head },
  "a safetensors' tensors": { 'model.safetensors': safetensors({ [name]: [4, 4] }).head },
  "files' names": { [`${name}.gguf`]: 'GGUF', [`${name}.bin`]: 'x' },
  'many files beside a model': { 'config.json': JSON.stringify(config()), [`${name}.txt`]: 'x', [`${name}.md`]: 'y' },
};

/** Where the page says the name; elsewhere it says what is wrong without it. */
const shows = ['a config.json', 'an adapter_config.json', 'many files beside a model'];

for (const [what, dropped] of Object.entries(files))
  test(`dropped: ${what}`, async ({ page, attacked }) => {
    await page.goto(attacked);
    await settled(page);
    await dropFiles(page, dropped);
    await expect(page.locator('.inspection, .refused-files').first()).toBeVisible();
    const text = await unharmed(page);
    if (shows.includes(what)) expect(text, 'the name is shown, written out').toContain('H0ST1LE');
  });

test('presets that were tampered with', async ({ page, attacked }) => {
  await page.route(/\/models\.json$/, async (route) => {
    const all = (await (await route.fetch()).json()) as Record<string, unknown>[];
    await route.fulfill({ json: all.map((one) => ({ ...one, name, family: name, organization: name })) });
  });
  await page.route(/\/tables\.json$/, async (route) => {
    const tables = (await (await route.fetch()).json()) as Record<string, Record<string, unknown>[]>;
    for (const one of tables['devices']!) one['name'] = name;
    await route.fulfill({ json: tables });
  });
  await page.goto(attacked);
  await settled(page);
  await page.getByRole('combobox').first().click();
  const { ran, handlers, elements } = await seen(page);
  expect({ ran, handlers, elements }).toEqual({ ran: false, handlers: [], elements: [] });
});
