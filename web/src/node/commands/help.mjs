// `plimsoll --help`, and the help of each command.

import { filterOptions } from './filters.mjs';
import {
  costOptions,
  failOption,
  formOptions,
  hubOptions,
  optionsOf,
  outputOptions,
  planOptions,
  requestOptions,
  searchOptions,
  howOption,
} from './options.mjs';
import { optionLines, unknown } from './usage.mjs';

const named = (...names) => outputOptions.filter((option) => names.includes(option.name));

const exits = 'Exit status: 0 answered; 1 the request or a file is bad; 2 wrong usage; 3 too large, with --fail-if-too-large.';

const overview = `plimsoll: how much GPU memory a large language model needs, item by item

  plimsoll estimate [FILE…] [options]   answer requests, or one made of options
  plimsoll solve FILE                   which value of a field fits: the longest context, the fewest devices …
  plimsoll fit [options]                what runs on a device, or what a model runs on, as a table
  plimsoll compare FILE FILE…           two to four requests side by side, with the reason of each difference
  plimsoll inspect FILE…                what a model's files hold
  plimsoll sweep FILE                   one request over many values of its fields
  plimsoll plan FILE                    every way to spread a model over a cluster, and which fit best
  plimsoll reconcile FILE…              what a tool printed, beside what is answered here for the same thing
  plimsoll list KIND [WORD…]            models, devices, machines, encodings, optimizers, runtimes, trainers
  plimsoll serve --stdio                JSON lines in, JSON lines out, for programs in any language
  plimsoll mcp                          a server of tools for coding agents (Model Context Protocol)
  plimsoll completion SHELL             a script that completes words in bash, zsh or fish
  plimsoll COMMAND --help               more about one command
  plimsoll                              in a terminal: three questions, and the answer
  plimsoll --version

${exits}`;

const estimate = () => `plimsoll estimate [FILE…] [options]

  FILE is a request in JSON, a model's config.json, or a .jsonl file of one request a line; - is standard input.
  Options make a request, or change those of the files. Names may be written as people do: "RTX 4090", q4_k_m, Qwen/Qwen3-8B.
  Under the table stands what else fits, or what would. Colours follow NO_COLOR and FORCE_COLOR.

  plimsoll estimate --model llama-3-70b --context 32k --device h100-sxm-80gb
  plimsoll estimate --model ./config.json --task training --precision bf16-mixed --micro-batch 2 --sequence 4k
  plimsoll estimate --model llama-3-70b --device h100-sxm-80gb --devices 64 --framework fsdp2 --sequence 8k
  plimsoll estimate --model qwen3-8b --device rtx-4090 --runtime vllm --find context
  plimsoll estimate requests.jsonl --json

${requestOptions.map((group) => `${group.title}\n${optionLines(group.options).join('\n')}`).join('\n\n')}

Search
${optionLines(searchOptions).join('\n')}

Price and energy
${optionLines(costOptions).join('\n')}

Output
${optionLines([...formOptions, ...outputOptions, failOption]).join('\n')}

${exits}`;

const inspect = () => `plimsoll inspect FILE… [options]

  What the files of one model hold: architecture, parameters by part, bytes by type, a table of the layers, and where
  config.json and weights disagree. FILE is a config.json, *.safetensors or *.gguf (only headers are read),
  a model.safetensors.index.json, an adapter_config.json, several of them, a folder that holds them, or the address of
  such a file, of which the first bytes are fetched.

  plimsoll inspect ./Llama-3.1-8B
  plimsoll inspect config.json model-*.safetensors --json
  plimsoll inspect --hub meta-llama/Llama-3.1-8B --token-env HF_TOKEN
  plimsoll inspect --hub bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M

${optionLines([...hubOptions, ...named('json', 'unit', 'help')]).join('\n')}

${exits}`;

const solve = () => `plimsoll solve FILE [--json]

  FILE (- is standard input): {"request": {…}, "find": "inference.context", "limit": {"bytes": …}, "sure": false}
  answers the last value that fits, the first that does not, the replies at both, and what binds. "find" may be two
  fields: the edge of what fits. Short form: plimsoll estimate … --find context

${optionLines(named('json', 'unit', 'help')).join('\n')}

${exits}`;

const fit = () => `plimsoll fit [options]

  Without --model: which models run on the device, each in the best encoding that fits, and how long their context can be.
  Without --device: which devices the model runs on. With both: each encoding that the runtime loads, at several contexts.
  The other options are those of plimsoll estimate.

  plimsoll fit --device rtx-4090 --runtime llama.cpp --context 32k
  plimsoll fit --model qwen3-32b --runtime vllm --markdown
  plimsoll fit --model llama-3.1-8b --device rtx-3060-12gb --runtime llama.cpp

${optionLines([...formOptions, ...named('json', 'unit', 'help')]).join('\n')}

${exits}`;

const compare = () => `plimsoll compare FILE FILE… [options]

  Two to four requests in JSON (a .jsonl file holds several): rows side by side, the difference of each to the first, and
  the symbols of its formula that make it; and what was assumed of one and not of another.

${optionLines([...formOptions, ...named('json', 'unit', 'help')]).join('\n')}

${exits}`;

const sweep = () => `plimsoll sweep FILE [--json]

  FILE (- is standard input): {"request": {…}, "over": [{"field": "inference.context", "values": [1024, 2048]}]}
  answers {"bytes": […], "rows": {"kv_cache": […]}}, the last field of "over" changing fastest.

${optionLines(named('json', 'unit', 'help')).join('\n')}

${exits}`;

const reconcile = () => `plimsoll reconcile FILE… [--json]
plimsoll reconcile --how [WORD…]

  What a tool printed about memory (- is standard input): an out-of-memory message, a server's or a trainer's log, a table of
  nvidia-smi, a memory summary, a snapshot of PyTorch's allocator (a pickle, of which nothing is run, or JSON). Prints each
  figure and what it counts; where the text states a model, what is answered here for the same thing, the difference, and
  what explains it. Nothing leaves this machine.

  plimsoll reconcile vllm.log
  nvidia-smi | plimsoll reconcile - --json
  plimsoll reconcile --how training nvidia

  --how prints lines that measure memory, for what each word names: a runtime, a trainer, a task, a maker of devices.

${optionLines([howOption, ...named('json', 'unit', 'help')]).join('\n')}

${exits}`;

const list = () => `plimsoll list models|devices|machines|others|encodings|optimizers|runtimes|trainers [WORD…] [options]

  What is built in: all, or those that have each WORD in their id or name. Machines are devices that stand in one box;
  others, what other programs usually hold of a device.

  plimsoll list models coder --size 7b..40b
  plimsoll list devices --maker nvidia --size 24..48 --year 2023..

${optionLines([...filterOptions, ...formOptions, ...named('json', 'help')]).join('\n')}

${exits}`;

const completion = () => `plimsoll completion bash|zsh|fish

  A script that completes commands, options and names in a shell:

  source <(plimsoll completion bash)     in ~/.bashrc
  source <(plimsoll completion zsh)      in ~/.zshrc
  plimsoll completion fish | source      in ~/.config/fish/config.fish`;

const plan = () => `plimsoll plan FILE [options]
plimsoll plan --model ID --device ID --nodes N [options]

  Every way to spread a model over a cluster: which fit, which fit best, what each trades, and how many there are.
  FILE (- is standard input): {"request": {…}, "cluster": {"device": {…}, "devices_per_node": 8, "nodes": 8},
  "bounds": {"parallel.tensor": [1, 8]}, "want": "least_overhead", "global_batch": 512}. A degree that the request says
  stays; what it leaves out is searched. A list of clusters has devices of several kinds: a layout runs on one of them. The other options are those of plimsoll estimate.

  plimsoll plan --model llama-3.1-70b --device h100-sxm-80gb --nodes 8 --method full --sequence 8k --global-batch 512
  plimsoll plan --model qwen3-235b-a22b --device h200-141gb --runtime vllm --context 32k --want fewest_devices

${optionLines([...planOptions, ...formOptions, ...named('json', 'unit', 'help')]).join('\n')}

${exits}`;

const serve = () => `plimsoll serve --stdio

  Answers lines on standard input with lines on standard output, in order, until the input ends. No port is opened.

  {"id": 1, "verb": "estimate", "request": {"model": {"preset": "llama-3-8b"}, "device": {"preset": "rtx-4090"}}}
  answers {"id": 1, "reply": {…}}, or {"id": 1, "error": {"code", "where", "what", "hint"}}; the next line is answered either way.

  Verb        What stands in "request"
  estimate    a request (sweep, solve, plan: a question, as those commands read it)
  fit         a request with a model, a device, or both
  compare     {"requests": [{…}, {…}]}
  reconcile   {"text": "what a tool printed", "request": {…}}
  inspect     {"files": ["PATH"]}, {"texts": [{"name": "config.json", "text": "…"}]}, or {"hub": "org/name"}
  list        {"kind": "models", "words": "coder 7b"}

${optionLines(optionsOf.serve).join('\n')}

${exits}`;

const mcp = () => `plimsoll mcp

  A server of the Model Context Protocol on standard input and output, for coding agents. Its tools are estimate, solve, plan, fit,
  compare, reconcile, inspect and list; what they answer is what --json prints. It opens no port, and asks a network only where
  inspect is given the name of a repository. An agent is told of it in a file such as .mcp.json:

  {"mcpServers": {"plimsoll": {"command": "npx", "args": ["plimsoll", "mcp"]}}}

${optionLines(named('help')).join('\n')}

${exits}`;

const texts = { estimate, solve, fit, compare, inspect, sweep, plan, reconcile, list, serve, mcp, completion };

/** @param {string} [command] */
export function helpText(command) {
  if (command === undefined) return overview;
  if (!Object.hasOwn(texts, command)) throw unknown('command', command, Object.keys(texts));
  return texts[command]();
}
