// A request's fields, in the order of the contract.
#include "api/request.h"

#include "api/loader.h"
#include "api/sparsity.h"

namespace plimsoll {
namespace {

// Fields for several devices: read so that a request written for them gets a plain refusal, not a wrong answer.
void refuse_many_devices(Fields& top) {
    top.only("devices", 1, "more than one device");
    if (!top.has("parallel")) return;
    Fields parallel = top.child("parallel");
    for (const char* degree : {"data", "tensor", "pipeline", "context", "expert"})
        parallel.only(degree, 1, std::string(degree) + " parallelism");
    parallel.only("zero", 0, "ZeRO");
    parallel.known({"data", "tensor", "pipeline", "context", "expert", "zero"});
}

template <class T>
const T* look_up(const std::map<std::string, T, std::less<>>& table, const std::string& id, std::string_view where,
                 const char* kind, Reading& reading) {
    if (const auto found = table.find(id); found != table.end()) return &found->second;
    std::string list;
    for (const auto& [name, entry] : table)
        if (list.size() < 200) list += (list.empty() ? "" : ", ") + name;
    reading.fail({"unknown_preset", where, std::string("there is no ") + kind + " \"" + id.substr(0, 60) + "\"",
                  list.empty() ? "no presets were provided" : "one of: " + list});
    return nullptr;
}

std::optional<Device> read_device_choice(Fields& top, const Library& library, Reading& reading) {
    if (!top.has("device") || top.raw("device").is_null()) return std::nullopt;
    if (top.raw("device").is_array()) {
        reading.fail({"not_supported", "device", "a list of unequal devices is not estimated yet", "name one device"});
        return std::nullopt;
    }
    Fields fields = top.child("device");
    fields.known({"preset", "memory_bytes", "bandwidth", "used_by_others_bytes"});
    Device device;
    if (fields.has("preset")) {
        const Device* preset =
            look_up(library.devices, fields.word("preset", "", ""), "device.preset", "device", reading);
        if (!preset) return std::nullopt;
        device = *preset;
    }
    if (const auto memory = fields.optional_number("memory_bytes", {1, 1e15})) {
        device.memory_bytes = *memory;
        device.memory_source = "request: device.memory_bytes";
        if (device.name.empty()) device.name = "typed by hand";
    }
    if (device.memory_bytes == 0)
        reading.fail({"missing_field", "device.memory_bytes", "the device's memory is missing",
                      "name a preset, or give memory_bytes"});
    device.used_by_others_bytes = fields.optional_number("used_by_others_bytes", {0, 1e15}).value_or(0);
    return device;
}

// Versions of the framework differ in what a process takes of the device before any tensor.
std::string read_framework(Fields& fields, const Runtime* runtime, const Device* device, Reading& reading) {
    std::string framework = fields.word("framework", "", "");
    if (framework.empty() || !runtime || device_context_of(*runtime, device, framework)) return framework;
    std::string list;
    for (const DeviceContext& context : runtime->device_contexts)
        if (context.backend == backend_of(device)) list += (list.empty() ? "" : "; ") + context.framework;
    reading.fail({"unknown_value", fields.path("framework"),
                  "nothing is known of \"" + framework.substr(0, 60) + "\" on this device",
                  list.empty() ? "leave it out" : "one of: " + list});
    return {};
}

// Fields that other runtimes have: said rather than passed over.
void tell_unused(const Fields& fields, std::initializer_list<std::string_view> keys, Reading& reading) {
    for (const std::string_view key : keys)
        if (fields.has(key) && !reading.silent)
            reading.notes.push_back(
                {"not_used", fields.path(key), "this runtime has no such setting; it was not used"});
}

Dtype compute_of(const Encoding& encoding) {
    if (encoding.id == "fp64") return Dtype::float64;
    return encoding.id == "fp32" ? Dtype::float32 : Dtype::sixteen_bit;
}

std::string default_encoding(const ModelChoice& model) { return model.dtype.empty() ? "bf16" : model.dtype; }

void read_inference(Fields& top, const Library& library, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    Fields weights = top.child("weights");
    weights.known({"encoding", "sparsity"});
    const std::string why = !model.quantised.empty() ? model.quantised
                            : model.dtype.empty()    ? "not stated: the usual 16 bits"
                                                     : "the type the model is published in";
    InferenceInputs& inputs = request.inference;
    inputs.weights_as_stored = !model.model.stored.empty() && !weights.has("encoding");
    if (inputs.weights_as_stored)
        reading.assume("weights.encoding", std::string("as stored"), "the types of the checkpoint's tensors");
    const std::string encoding =
        inputs.weights_as_stored ? default_encoding(model) : weights.word("encoding", default_encoding(model), why);
    inputs.weights = look_up(library.encodings, encoding, "weights.encoding", "encoding", reading);
    if (inputs.weights) {
        inputs.compute = compute_of(*inputs.weights);
        inputs.mix = weight_mix(model.model, *inputs.weights, library.encodings, model.dtype);
        if (inputs.weights->wide == Wide::gguf && !reading.silent)
            for (const Tower& tower : model.model.towers)
                if (tower.name == "vision" || tower.name == "audio")
                    reading.notes.push_back({"gguf_projector_apart", "weights.encoding",
                                             "llama.cpp keeps the " + tower.name +
                                                 " tower in a file of its own (mmproj): it is not counted"});
        inputs.mean_bits = mean_bits(model.model, *inputs.weights, library.encodings);
        if (inputs.mean_bits.bits > 0 && !reading.silent)
            reading.notes.push_back({"mean_bits",
                                     "weights.encoding",
                                     "this format stores weights in several ways: a mean is taken, for the model's "
                                     "tensors are not known",
                                     {{"bits", inputs.mean_bits.bits}}});
        read_sparsity(weights, model, inputs, reading);
        if (!inputs.mix.missing.empty())
            look_up(library.encodings, inputs.mix.missing, "weights.encoding", "encoding", reading);
    }

    Fields fields = top.child("inference");
    fields.known({"runtime", "backend", "context", "prompt", "sequences", "replicas", "batch_tokens", "kv_encoding",
                  "flash_attention", "logits", "kv_unified", "swa_full", "memory_fraction", "offload", "framework",
                  "release"});
    inputs.runtime =
        look_up(library.runtimes, fields.word("runtime", "transformers", "the runtime that is estimated so far"),
                "inference.runtime", "runtime", reading);
    if (inputs.weights && inputs.runtime) inputs.loaded = loaded_of(model.model, inputs);
    inputs.release = read_release(fields, reading);
    InferenceRequest& inference = inputs.request;
    const double limit = model.model.context_limit;
    const double usual = limit > 0 && limit < 8192 ? limit : 8192;
    inference.context = fields.number("context", token_limits, usual, "a context that people use");
    inference.prompt =
        fields.number("prompt", token_limits, inference.context, "the whole context computed in one prefill");
    if (inference.prompt > inference.context)
        reading.fail({"out_of_range", "inference.prompt", "the prompt is longer than the context",
                      "context counts prompt and answer together"});
    if (limit > 0 && inference.context > limit)
        reading.notes.push_back({"context_beyond_model",
                                 "inference.context",
                                 "the context is longer than the model's positions",
                                 {{"positions", limit}}});
    inference.sequences = fields.number("sequences", count_limits, 1, "one sequence");
    inference.replicas = fields.number("replicas", count_limits, 1, "one instance");
    inference.flash_attention = fields.flag("flash_attention", true, "SDPA or flash attention, today's default");
    inference.logits_all =
        fields.choice("logits", {"all", "last"},
                      (inputs.runtime && inputs.runtime->logits_all) || (inputs.release > 0 && inputs.release < 4045)
                          ? "all"
                          : "last",
                      "the runtime's default") == "all";
    fields.only("batch_tokens", nullptr, "chunked prefill");
    fields.only("offload", nullptr, "off-loading");
    tell_unused(fields, {"kv_unified", "swa_full", "memory_fraction"}, reading);
    inference.framework = read_framework(fields, inputs.runtime, request.device ? &*request.device : nullptr, reading);
    inputs.context_source = fields.source("context");
    inputs.prompt_source = fields.source("prompt");
    inputs.sequences_source = fields.source("sequences");

    const std::string own = inputs.compute == Dtype::float64                 ? "fp64"
                            : inputs.compute == Dtype::float32               ? "fp32"
                            : inputs.weights && inputs.weights->id == "fp16" ? "fp16"
                                                                             : "bf16";
    std::string keys, values;
    if (fields.has("kv_encoding") && fields.raw("kv_encoding").is_object()) {
        Fields kv = fields.child("kv_encoding");
        kv.known({"k", "v"});
        keys = kv.word("k", own, "the type the model computes in");
        values = kv.word("v", own, "the type the model computes in");
    } else {
        keys = values = fields.word("kv_encoding", own, "the type the model computes in");
    }
    inputs.keys = look_up(library.encodings, keys, "inference.kv_encoding", "encoding", reading);
    inputs.values = look_up(library.encodings, values, "inference.kv_encoding", "encoding", reading);
}

void read_training(Fields& top, const Library& library, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    Fields fields = top.child("training");
    fields.known({"method", "objective", "trainable_percent", "lora", "precision", "gradient_encoding",
                  "gradient_copies", "optimizer", "micro_batch", "sequence", "accumulation", "checkpointing",
                  "attention", "loss", "dropout", "norm", "repeat_kv", "framework"});
    refuse_sparse_training(top.child("weights"), reading);
    TrainingInputs& inputs = request.training;
    TrainingRequest& training = inputs.request;
    const std::string method = fields.choice("method", {"full", "freeze", "lora", "dora", "qlora", "galore"}, "full",
                                             "all parameters are trained");
    if (method == "lora")
        training.lora = read_adapter(fields, model.model, reading);
    else if (method != "full" && method != "freeze")
        reading.fail({"not_supported", "training.method", method + " is not estimated yet", "full, freeze or lora"});
    training.freeze = method == "freeze";
    fields.only("objective", "sft", "this objective");
    training.trainable_percent = fields.optional_number("trainable_percent", {0, 100, false}).value_or(100);
    if (!training.freeze && training.trainable_percent != 100)
        reading.fail(
            {"out_of_range", "training.trainable_percent", "full training trains 100 percent", "set method to freeze"});
    training.precision = training.lora
                             ? fields.word("precision", "bf16", "a frozen base in 16 bits")
                             : fields.word("precision", "bf16-mixed", "mixed precision with fp32 master weights");
    if (const auto precision = precision_of(training.precision))
        inputs.precision = *precision;
    else
        reading.fail({"unknown_value", "training.precision",
                      "there is no precision \"" + training.precision.substr(0, 60) + "\"",
                      "one of: fp32, bf16, fp16, bf16-mixed, fp16-mixed, bf16-autocast, fp16-autocast"});
    const std::string gradient = fields.word("gradient_encoding", "", "");
    if (gradient == "fp32")
        inputs.gradient = Dtype::float32;
    else if (gradient == "bf16" || gradient == "fp16")
        inputs.gradient = Dtype::sixteen_bit;
    else if (!gradient.empty())
        reading.fail({"unknown_value", "training.gradient_encoding",
                      "gradients cannot be kept in \"" + gradient.substr(0, 60) + "\"", "one of: fp32, bf16, fp16"});
    training.gradient_copies = fields.optional_number("gradient_copies", {1, 16}).value_or(1);
    training.optimizer = fields.word("optimizer", "adamw", "the usual optimizer");
    inputs.optimizer = look_up(library.optimizers, training.optimizer, "training.optimizer", "optimizer", reading);
    inputs.runtime = look_up(library.runtimes, "transformers", "training", "runtime", reading);
    training.framework = read_framework(fields, inputs.runtime, request.device ? &*request.device : nullptr, reading);
    training.micro_batch = fields.number("micro_batch", count_limits, 1, "one sequence at a time");
    training.sequence = fields.number("sequence", token_limits, 2048, "a usual length");
    training.accumulation = fields.number("accumulation", count_limits, 1, "no accumulation");
    inputs.sequence_source = fields.source("sequence");
    inputs.micro_batch_source = fields.source("micro_batch");
    const std::string checkpointing =
        fields.choice("checkpointing", {"none", "full", "selective"}, "none", "every layer's activations are kept");
    if (checkpointing == "selective")
        reading.fail({"not_supported", "training.checkpointing", "selective checkpointing is not estimated yet",
                      "none or full"});
    training.checkpointing = checkpointing == "full" ? Checkpointing::full : Checkpointing::none;
    const std::string attention = fields.choice("attention", {"eager", "sdpa", "flash"}, "sdpa", "today's default");
    training.pass.attention = attention == "eager"   ? AttentionKernel::eager
                              : attention == "flash" ? AttentionKernel::flash
                                                     : AttentionKernel::sdpa;
    fields.only("loss", "full", "this loss");
    training.pass.dropout = fields.optional_number("dropout", {0, 1, false}).value_or(-1);
    training.pass.norm =
        fields.choice("norm", {"reference", "fused"}, "reference", "norms as transformers writes them") == "fused"
            ? NormKernel::fused
            : NormKernel::reference;
    training.pass.repeat_kv = fields.has("repeat_kv") && fields.flag("repeat_kv", false, "");
    if (inputs.precision.preallocated_gradients && !training.lora)
        reading.assume("training.gradients_preallocated", true,
                       "mixed precision with master weights keeps one gradient buffer from step to step");
    if (training.freeze)
        reading.assume("training.frozen_layers", std::string("the first layers"),
                       "a frozen bottom keeps no activations");
}

void read_classic(Fields& top, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    ClassicInputs& inputs = request.classic;
    const auto needed = [&reading](const std::optional<double>& value, const char* field) {
        if (!value)
            reading.fail(
                {"missing_field", std::string("model.") + field, std::string(field) + " is missing",
                 "the hosted calculator needs parameters, hidden_size, num_hidden_layers and num_attention_heads"});
        else if (!(*value > 0))
            reading.fail({"out_of_range", std::string("model.") + field, std::string(field) + " must be greater than 0",
                          "correct it"});
        return value.value_or(1);
    };
    const auto parameters = model.nominal_parameters ? model.nominal_parameters : model.exact_parameters;
    inputs.parameters = needed(parameters, "parameters");
    inputs.hidden_size = needed(model.hidden_size, "hidden_size");
    inputs.num_hidden_layers = needed(model.num_hidden_layers, "num_hidden_layers");
    inputs.num_attention_heads = needed(model.num_attention_heads, "num_attention_heads");
    Fields weights = top.child("weights");
    weights.known({"encoding"});
    const std::string encoding = weights.choice("encoding", {"fp32", "fp16", "bf16", "int8", "int4"},
                                                default_encoding(model), "the type the model is published in");
    inputs.bytes_per_value = encoding == "fp32" ? 4 : encoding == "int8" ? 1 : encoding == "int4" ? 0.5 : 2;
    inputs.training = top.has("training") && !top.raw("training").is_null();
    Fields training = top.child("training"), inference = top.child("inference");
    if (inputs.training) {
        inputs.sequence = training.number("sequence", token_limits, 2048, "the hosted calculator's default");
        inputs.batch = training.number("micro_batch", count_limits, 1, "the hosted calculator's default");
        const std::string optimizer =
            training.choice("optimizer", {"adamw", "adamw-8bit", "sgd"}, "adamw", "the hosted calculator's default");
        inputs.optimizer_bytes = optimizer == "adamw" ? 8 : optimizer == "adamw-8bit" ? 2 : 4;
        inputs.trainable_percent =
            training.number("trainable_percent", {0, 100, false}, 100, "the hosted calculator's default");
    } else {
        inputs.sequence = inference.number("context", token_limits, 2048, "the hosted calculator's default");
        inputs.batch = inference.number("sequences", count_limits, 1, "the hosted calculator's default");
    }
}

}  // namespace

Request read_request(const Json& json, const Library& library, const ModelChoice& model, bool silent) {
    Request request;
    Reading& reading = request.reading;
    reading.silent = silent;
    Fields top(&json, "", reading);
    if (reading.error) return request;
    top.known(
        {"schema", "task", "explain", "model", "weights", "device", "devices", "parallel", "inference", "training"});
    top.only("schema", 1, "this version of the schema");
    const char* implied = top.has("training") && !top.has("inference") ? "training" : "inference";
    const std::string task =
        top.choice("task", {"inference", "training", "classic"}, implied, "by the blocks that are given");
    request.task = task == "training" ? Task::training : task == "classic" ? Task::classic : Task::inference;
    const std::string explain = top.choice("explain", {"none", "rows", "all"}, "rows", "");
    request.explain = explain == "none" ? Explain::none : explain == "all" ? Explain::all : Explain::rows;
    if (model.error && request.task != Task::classic) reading.fail(*model.error);
    if (request.task == Task::classic && model.error && model.error->where.rfind("model.preset", 0) == 0)
        reading.fail(*model.error);
    if (reading.error) return request;
    request.device = read_device_choice(top, library, reading);
    if (request.task != Task::classic) refuse_many_devices(top);
    if (request.task == Task::inference)
        read_inference(top, library, model, request);
    else if (request.task == Task::training)
        read_training(top, library, model, request);
    else
        read_classic(top, model, request);
    if (request.task != Task::classic && !silent) {
        reading.assumptions.insert(reading.assumptions.begin(), model.model.assumptions.begin(),
                                   model.model.assumptions.end());
        if (model.model.generic)
            reading.notes.push_back(
                {"generic_architecture", "model",
                 "not an architecture that is known: counted as a usual decoder with gated feed-forward and RMSNorm"});
    }
    return request;
}

}  // namespace plimsoll
