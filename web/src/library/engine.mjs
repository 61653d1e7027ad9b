// The engine as a program asks it: the same WebAssembly as the page's, with presets out of a store.

import { clustersOf, joined } from '../answers/planning.mjs';
import { inspect } from '../files/reading.mjs';

/** The tables the engine needs for any request; models are handed over one by one, as requests name them. */
export const tables = ['devices', 'encodings', 'optimizers', 'runtimes', 'trainers', 'bands', 'speeds'];

/**
 * @typedef {object} Store presets, wherever they lie
 * @property {(kind: string) => string[]} ids of one kind, sorted
 * @property {(kind: string, id: string) => any} preset or undefined where there is none of that id
 * @property {(kind: string) => any[]} presets all of one kind, sorted by id
 */

/** @param {Store} store @param {any} question the model presets that a request, or the request inside a question, names: the model's, a draft's, those that a training holds, and those that are looked through */
function modelsNamed(store, question) {
  const request = question?.request ?? question;
  const lookedThrough = question?.find === 'model.preset' ? (question.values ?? store.ids('models')) : [];
  const beside = [request?.inference?.draft, ...Object.values(request?.training?.models ?? {})];
  return [...[request, ...beside].map((one) => one?.model?.preset), ...lookedThrough].filter((id) => id !== undefined);
}

export class Engine {
  #module;
  #store;
  #read;
  #handed = new Set();

  /**
   * @param {any} module the Emscripten module, instantiated @param {Store} store
   * @param {(text: string) => any} read undefined where text is no JSON
   */
  constructor(module, store, read) {
    this.#module = module;
    this.#store = store;
    this.#read = read;
    this.provide(Object.fromEntries(tables.map((kind) => [kind, store.presets(kind)])));
  }

  /** @returns {string} */
  get version() {
    return this.#module.version();
  }

  /** Hands presets to the engine; one that it refuses is a fault of the installation, not of a request. @param {object} entries */
  provide(entries) {
    const reply = JSON.parse(this.#module.provide(JSON.stringify(entries)));
    if (reply.error) throw new Error(`presets: ${reply.error.where}: ${reply.error.what}`);
    return reply.provided;
  }

  /** Text to text: the form that the batch, the parity test and the bench want. @param {string} command @param {string} text @returns {string} */
  ask(command, text) {
    // Text that is no JSON is the engine's to refuse; here it only means that no preset is named.
    for (const id of modelsNamed(this.#store, this.#read(text))) {
      if (this.#handed.has(id)) continue;
      const model = this.#store.preset('models', id);
      if (model) this.provide({ models: [model] });
      this.#handed.add(id);
    }
    return this.#module[command](text);
  }

  /** @param {object} request */
  estimate(request) {
    return JSON.parse(this.ask('estimate', JSON.stringify(request)));
  }

  /** @param {object} question */
  sweep(question) {
    return JSON.parse(this.ask('sweep', JSON.stringify(question)));
  }

  /** @param {object} question */
  solve(question) {
    return JSON.parse(this.ask('solve', JSON.stringify(question)));
  }

  /** @param {object} question */
  plan(question) {
    const replies = clustersOf(question).map((one) => JSON.parse(this.ask('plan', JSON.stringify(one))));
    return replies.length > 1 ? joined(replies, question.keep) : replies[0];
  }

  /** @param {readonly import('../files/source.mjs').Readable[]} files @param {import('../files/reading.mjs').Options} [options] */
  async inspect(files, options) {
    return inspect(this.#module, files, options);
  }
}
