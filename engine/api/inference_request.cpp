// The block `inference` of a request, and `weights` as a runtime loads them.
#include "api/loader.h"
#include "api/request_parts.h"
#include "api/sparsity.h"
#include "policies/llama_cpp.h"
#include "policies/overhead.h"
#include "policies/server_defaults.h"

namespace plimsoll {
namespace {

Dtype compute_of(const Encoding& encoding) {
    if (encoding.id == "fp64") return Dtype::float64;
    return encoding.id == "fp32" ? Dtype::float32 : Dtype::sixteen_bit;
}

// llama.cpp's own names, and the plain floats by their usual ones.
std::string gguf_id(const std::string& id, const Library& library) {
    if (id == "fp32") return "gguf-f32";
    if (id == "fp16") return "gguf-f16";
    const std::string own = "gguf-" + id;
    return id.substr(0, 5) != "gguf-" && library.encodings.count(own) ? own : id;
}

bool is_llama_cpp(const InferenceInputs& inputs) {
    return inputs.runtime && inputs.runtime->allocation == Allocation::llama_cpp;
}

void read_runtime_choice(Fields& fields, const Library& library, InferenceInputs& inputs, Reading& reading) {
    inputs.runtime = look_up(library.runtimes, fields.word("runtime", "transformers", "the usual one for a first look"),
                             "inference.runtime", "runtime", reading);
    if (inputs.runtime && !knows(inputs.runtime->allocation))
        reading.fail({"unknown_runtime", "inference.runtime", "this engine does not know the runtime's rules",
                      "ask the whole engine"});
}

void read_weights(Fields& top, const Library& library, const ModelChoice& model, InferenceInputs& inputs,
                  Reading& reading) {
    Fields weights = top.child("weights");
    weights.known({"encoding", "sparsity"});
    const std::string why = !model.quantised.empty() ? model.quantised
                            : model.dtype.empty()    ? "not stated: the usual 16 bits"
                                                     : "the type the model is published in";
    inputs.weights_as_stored = !model.model.stored.empty() && !weights.has("encoding");
    if (inputs.weights_as_stored)
        reading.assume("weights.encoding", std::string("as stored"), "the types of the checkpoint's tensors");
    std::string encoding =
        inputs.weights_as_stored ? default_encoding(model) : weights.word("encoding", default_encoding(model), why);
    if (is_llama_cpp(inputs)) encoding = gguf_id(encoding, library);
    inputs.weights = look_up(library.encodings, encoding, "weights.encoding", "encoding", reading);
    if (!inputs.weights) return;
    inputs.compute = compute_of(*inputs.weights);
    if (!knows(*inputs.weights))
        reading.fail({"unknown_encoding", "weights.encoding", "this engine does not know the format's mix of types",
                      "ask the whole engine"});
    if (is_llama_cpp(inputs) && inputs.weights->wide != Wide::gguf)
        reading.fail({"not_supported", "weights.encoding", "llama.cpp loads GGUF files, not " + inputs.weights->name,
                      "name a type of GGUF, such as gguf-q4_k_m"});
}

// Which tensor is stored in which type, once it is known where the layers are.
void read_mix(Fields& top, const Library& library, const ModelChoice& model, InferenceInputs& inputs,
              Reading& reading) {
    if (!inputs.weights_as_stored)
        inputs.mix = weight_mix(model.model, *inputs.weights, library.encodings, model.dtype,
                                is_llama_cpp(inputs) ? &inputs.placement : nullptr);
    if (inputs.weights->wide == Wide::gguf && !reading.silent)
        for (const Tower& tower : model.model.towers)
            if (tower.name == "vision" || tower.name == "audio")
                reading.notes.push_back(
                    {"gguf_projector_apart", "weights.encoding",
                     "llama.cpp keeps the " + tower.name + " tower in a file of its own (mmproj): it is not counted"});
    inputs.mean_bits = mean_bits(model.model, *inputs.weights, library.encodings);
    if (inputs.mean_bits.bits > 0 && !reading.silent)
        reading.notes.push_back({"mean_bits",
                                 "weights.encoding",
                                 "this format stores weights in several ways: a mean is taken, for the model's "
                                 "tensors are not known",
                                 {{"bits", inputs.mean_bits.bits}}});
    read_sparsity(top.child("weights"), model, inputs, reading);
    if (!inputs.mix.missing.empty())
        look_up(library.encodings, inputs.mix.missing, "weights.encoding", "encoding", reading);
}

void read_lengths(Fields& fields, const ModelChoice& model, InferenceInputs& inputs, Reading& reading) {
    InferenceRequest& inference = inputs.request;
    const double limit = model.model.context_limit;
    const double own = inputs.runtime->context;
    const double asked = own > 0 ? own : 8192;
    inference.context = fields.number("context", token_limits, limit > 0 && limit < asked ? limit : asked,
                                      own > 0 ? "the runtime's default" : "a context that people use");
    inference.sequences = fields.number("sequences", count_limits, 1, "one sequence");
    inference.replicas = fields.number("replicas", count_limits, 1, "one instance");
    if (limit > 0 && inference.context > limit)
        reading.notes.push_back({"context_beyond_model",
                                 "inference.context",
                                 "the context is longer than the model's positions",
                                 {{"positions", limit}}});
    inputs.context_source = fields.source("context");
    inputs.sequences_source = fields.source("sequences");
}

void read_cache_encodings(Fields& fields, const Library& library, InferenceInputs& inputs, Reading& reading) {
    const bool runtime_says = inputs.runtime && !inputs.runtime->kv_encoding.empty();
    const std::string own = runtime_says                                     ? inputs.runtime->kv_encoding
                            : inputs.compute == Dtype::float64               ? "fp64"
                            : inputs.compute == Dtype::float32               ? "fp32"
                            : inputs.weights && inputs.weights->id == "fp16" ? "fp16"
                                                                             : "bf16";
    const char* why = runtime_says ? "the runtime's default" : "the type the model computes in";
    std::string keys, values;
    if (fields.has("kv_encoding") && fields.raw("kv_encoding").is_object()) {
        Fields kv = fields.child("kv_encoding");
        kv.known({"k", "v"});
        keys = kv.word("k", own, why);
        values = kv.word("v", own, why);
    } else {
        keys = values = fields.word("kv_encoding", own, why);
    }
    if (is_llama_cpp(inputs)) keys = gguf_id(keys, library), values = gguf_id(values, library);
    inputs.keys = look_up(library.encodings, keys, "inference.kv_encoding", "encoding", reading);
    inputs.values = look_up(library.encodings, values, "inference.kv_encoding", "encoding", reading);
}

void read_contiguous(Fields& fields, InferenceInputs& inputs, Reading& reading) {
    InferenceRequest& inference = inputs.request;
    inference.prompt =
        fields.number("prompt", token_limits, inference.context, "the whole context computed in one prefill");
    if (inference.prompt > inference.context)
        reading.fail({"out_of_range", "inference.prompt", "the prompt is longer than the context",
                      "context counts prompt and answer together"});
    inputs.prompt_source = fields.source("prompt");
    fields.only("batch_tokens", nullptr, "chunked prefill");
    fields.only("offload", nullptr, "off-loading");
    tell_unused(fields, {"kv_unified", "swa_full", "memory_fraction", "sequences_at_once"}, reading);
}

// Free memory of each device decides on its share of the layers.
LlamaSplit read_split(Fields& fields, const InferenceInputs& inputs, size_t layers) {
    LlamaSplit split;
    split.devices.assign(static_cast<size_t>(inputs.request.devices), 1);
    Fields offload = fields.child("offload");
    offload.known({"gpu_layers", "experts_on_cpu", "kv_on_host"});
    const double all = static_cast<double>(layers) + 1;
    split.gpu_layers = offload.optional_number("gpu_layers", {0, 1e6}).value_or(all);
    split.experts_on_host = offload.optional_number("experts_on_cpu", {0, 1e6}).value_or(0);
    split.cache_on_host = offload.has("kv_on_host") && offload.flag("kv_on_host", false, "");
    return split;
}

void read_llama_cpp(Fields& fields, const ModelChoice& model, InferenceInputs& inputs, Reading& reading) {
    InferenceRequest& inference = inputs.request;
    inference.batch_tokens = fields.number("batch_tokens", count_limits, inputs.runtime->batch_tokens,
                                           "llama.cpp's n_ubatch unless it is told otherwise");
    inputs.batch_source = fields.source("batch_tokens");
    inference.kv_unified = fields.flag("kv_unified", false, "each sequence has a stream of its own");
    inference.swa_full = fields.flag("swa_full", false, "windowed layers keep their window alone");
    const size_t layers = model.model.order.size();
    const LlamaSplit split = read_split(fields, inputs, layers);
    inputs.placement = llama_cpp_placement(layers, split);
    if (inputs.request.devices > 16)
        reading.fail({"out_of_range", "devices", "llama.cpp takes at most 16 devices", "take fewer"});
    tell_unused(fields, {"prompt", "memory_fraction", "sequences_at_once"}, reading);
}

// What no division can give: heads that are not whole, stages without layers, copies that leave devices over.
void check_division(const ModelChoice& model, const InferenceRequest& inference, Reading& reading) {
    const auto layers = static_cast<double>(model.model.order.size());
    if (inference.pipeline > layers && layers > 0)
        reading.fail({"out_of_range", "parallel.pipeline", "there are more stages than layers",
                      "at most " + std::to_string(static_cast<int>(layers))});
    for (const LayerKind& kind : model.model.kinds)
        for (const Op& op : kind.block.ops) {
            const Attention* attention = std::get_if<Attention>(&op);
            if (!attention) continue;
            const double heads = attention->heads.value() / inference.tensor;
            if (heads != rounded_down(heads))
                reading.fail({"out_of_range", "parallel.tensor", "the attention heads do not divide among the devices",
                              "num_attention_heads must be a multiple of it"});
            const double larger = maximum(attention->kv_heads.value(), inference.tensor);
            const double groups = larger / minimum(attention->kv_heads.value(), inference.tensor);
            if (groups != rounded_down(groups))
                reading.fail({"out_of_range", "parallel.tensor", "the key-value heads neither divide nor repeat evenly",
                              "num_key_value_heads must be a multiple of it, or it of them"});
        }
}

void read_parallel(Fields& top, const ModelChoice& model, InferenceRequest& inference, Reading& reading) {
    Fields parallel = top.child("parallel");
    parallel.known({"data", "tensor", "pipeline", "context", "expert", "zero"});
    const auto degree = [&parallel](const char* name) { return parallel.optional_number(name, {1, 1024}).value_or(1); };
    parallel.only("zero", 0, "ZeRO");
    inference.data = degree("data");
    inference.pipeline = degree("pipeline");
    inference.context_parallel = degree("context");
    inference.expert = degree("expert");
    const double others = inference.data * inference.pipeline;
    inference.tensor = parallel.optional_number("tensor", {1, 1024}).value_or(inference.devices / others);
    if (!top.has("devices")) inference.devices = inference.tensor * others;
    if (inference.tensor * others != inference.devices)
        reading.fail({"out_of_range", "parallel", "tensor × pipeline × data is not the number of devices",
                      "make it " + std::to_string(static_cast<int>(inference.devices)) + ", or change devices"});
    if (inference.tensor != rounded_down(inference.tensor)) return;
    check_division(model, inference, reading);
}

void read_paged(Fields& top, Fields& fields, const ModelChoice& model, const Device* device, InferenceInputs& inputs,
                Reading& reading) {
    InferenceRequest& inference = inputs.request;
    read_parallel(top, model, inference, reading);
    const ServerDefaults defaults = server_defaults(
        *inputs.runtime, {inputs.release, device, inference.context, inference.tensor * inference.pipeline});
    inputs.step = defaults.step;
    inference.batch_tokens = fields.number("batch_tokens", count_limits, defaults.batch_tokens, defaults.why);
    inference.sequences_at_once =
        fields.number("sequences_at_once", count_limits, defaults.sequences_at_once, "the runtime's default");
    inputs.batch_source = fields.source("batch_tokens");
    inputs.at_once_source = fields.source("sequences_at_once");
    inference.memory_fraction = fields.optional_number("memory_fraction", {0, 1, false}).value_or(-1);
    if (inference.memory_fraction < 0) {
        inference.memory_fraction = defaults.memory_fraction;
        reading.assume("inference.memory_fraction", inference.memory_fraction, "the runtime's default");
    }
    fields.only("offload", nullptr, "off-loading by this runtime");
    tell_unused(fields, {"prompt", "kv_unified", "swa_full"}, reading);
}

}  // namespace

void read_inference(Fields& top, const Library& library, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    InferenceInputs& inputs = request.inference;
    Fields fields = top.child("inference");
    fields.known({"runtime", "backend", "context", "prompt", "sequences", "replicas", "batch_tokens", "kv_encoding",
                  "flash_attention", "logits", "kv_unified", "swa_full", "memory_fraction", "offload", "framework",
                  "release", "sequences_at_once"});
    const Device* device = request.device ? &*request.device : nullptr;
    read_runtime_choice(fields, library, inputs, reading);
    read_weights(top, library, model, inputs, reading);
    if (reading.error) return;
    inputs.request.devices = top.optional_number("devices", {1, 1024}).value_or(1);
    read_lengths(fields, model, inputs, reading);
    inputs.request.flash_attention = fields.flag("flash_attention", true, "SDPA or flash attention, today's default");
    inputs.release = read_release(fields, reading);
    const bool older = inputs.release > 0 && inputs.release < 4045;  // of transformers: the head over the whole prompt
    inputs.request.logits_all =
        fields.choice("logits", {"all", "last"}, inputs.runtime->logits_all || older ? "all" : "last",
                      "the runtime's default") == "all";
    inputs.request.framework = read_framework(fields, inputs.runtime, device, reading);
    const std::string_view known = backend_of(device), own_backend = known == "other" ? "vulkan" : known;
    inputs.backend =
        fields.choice("backend", {"cuda", "rocm", "vulkan", "metal", "cpu"}, own_backend, device ? "the device's" : "");
    if (is_llama_cpp(inputs))
        read_llama_cpp(fields, model, inputs, reading);
    else if (inputs.runtime->allocation == Allocation::paged)
        read_paged(top, fields, model, device, inputs, reading);
    else
        read_contiguous(fields, inputs, reading);
    read_mix(top, library, model, inputs, reading);
    if (reading.error) return;
    inputs.loaded = loaded_of(model.model, inputs);
    read_cache_encodings(fields, library, inputs, reading);
}

}  // namespace plimsoll
