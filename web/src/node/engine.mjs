// The engine under Node: the same WebAssembly as the page's, with presets read from files.

import { readFile } from 'node:fs/promises';

import { inspect } from '../files/reading.mjs';
import { parsed } from './output/json.mjs';
import { engineFiles } from './places.mjs';
import { ids, preset, presets, tables } from './presets.mjs';

/** The model presets that a request, or the request inside a question, names: the model's, a draft's, those that a training holds, and those that are looked through. */
function modelsNamed(question) {
  const request = question?.request ?? question;
  const lookedThrough = question?.find === 'model.preset' ? (question.values ?? ids('models')) : [];
  const beside = [request?.inference?.draft, ...Object.values(request?.training?.models ?? {})];
  return [...[request, ...beside].map((one) => one?.model?.preset), ...lookedThrough].filter((id) => id !== undefined);
}

/** An engine's module as Emscripten makes it, without any preset. @param {Parameters<typeof engineFiles>[0]} [name] */
export async function instantiated(name) {
  const { glue, binary } = engineFiles(name);
  const { default: factory } = await import(glue);
  return factory({ wasmBinary: await readFile(binary) });
}

export class Engine {
  #module;
  #handed = new Set();

  /** @param {object} module the Emscripten module, instantiated */
  constructor(module) {
    this.#module = module;
    this.provide(Object.fromEntries(tables.map((kind) => [kind, presets(kind)])));
  }

  get version() {
    return this.#module.version();
  }

  /** Hands presets to the engine; one that it refuses is a fault of the installation, not of a request. */
  provide(entries) {
    const reply = JSON.parse(this.#module.provide(JSON.stringify(entries)));
    if (reply.error) throw new Error(`presets: ${reply.error.where}: ${reply.error.what}`);
    return reply.provided;
  }

  /** Text to text: the form that the batch, the parity test and the bench want. */
  ask(command, text) {
    // Text that is no JSON is the engine's to refuse; here it only means that no preset is named.
    for (const id of modelsNamed(parsed(text))) {
      if (this.#handed.has(id)) continue;
      const model = preset('models', id);
      if (model) this.provide({ models: [model] });
      this.#handed.add(id);
    }
    return this.#module[command](text);
  }

  estimate(request) {
    return JSON.parse(this.ask('estimate', JSON.stringify(request)));
  }

  sweep(question) {
    return JSON.parse(this.ask('sweep', JSON.stringify(question)));
  }

  solve(question) {
    return JSON.parse(this.ask('solve', JSON.stringify(question)));
  }

  plan(question) {
    return JSON.parse(this.ask('plan', JSON.stringify(question)));
  }

  /** @param {readonly import('../files/source.mjs').Readable[]} files @param {import('../files/reading.mjs').Options} [options] */
  async inspect(files, options) {
    return inspect(this.#module, files, options);
  }
}

/** Loads the engine. It stays in this process: no request leaves it. */
export const load = async () => new Engine(await instantiated());
