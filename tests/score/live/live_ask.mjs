// node live_ask.mjs FOLDER FILE CONTEXT MICRO_BATCH: loads a GGUF file with llama.cpp's CPU library, makes a context and ends. What it
// takes stands in llama.cpp's own log, on standard error; the exact size of the weights is printed on standard output.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, file, context, microBatch] = process.argv.slice(2);
const koffi = createRequire(join(folder, 'package.json'))('koffi');
const binaries = join(folder, 'node_modules', '@node-llama-cpp', 'linux-x64', 'bins', 'linux-x64');
const library = (name) =>
  join(
    binaries,
    readdirSync(binaries).find((entry) => entry.startsWith(`${name}.`)),
  );

// Parameters are passed by value. Only the first four fields of a context's are set here; the rest is what llama.cpp itself fills in, and
// bytes beyond its own structure are copied along unread.
const ModelParams = koffi.struct('ModelParams', { bytes: koffi.array('uint8_t', 512) });
const ContextParams = koffi.struct('ContextParams', {
  n_ctx: 'uint32_t',
  n_batch: 'uint32_t',
  n_ubatch: 'uint32_t',
  n_seq_max: 'uint32_t',
  rest: koffi.array('uint8_t', 496),
});

const base = koffi.load(library('libggml'), { global: true });
base.func('void ggml_backend_load_all_from_path(const char *folder)')(binaries);
const llama = koffi.load(library('libllama'));
const modelDefaults = llama.func('llama_model_default_params', ModelParams, []);
const contextDefaults = llama.func('llama_context_default_params', ContextParams, []);
const load = llama.func('llama_model_load_from_file', 'void *', ['str', ModelParams]);
const open = llama.func('llama_init_from_model', 'void *', ['void *', ContextParams]);
const size = llama.func('uint64_t llama_model_size(void *model)');

llama.func('void llama_backend_init()')();
const model = load(file, modelDefaults());
if (!model) process.exit(3);
console.log(String(size(model)));
if (!open(model, { ...contextDefaults(), n_ctx: Number(context), n_batch: 2048, n_ubatch: Number(microBatch), n_seq_max: 1 })) process.exit(4);
// its log is written by a thread of its own, and nothing waits for that
setTimeout(() => process.exit(0), 100);
