// The block `inference` of a request, and `weights` as a runtime loads them.
#include <algorithm>

#include "api/request/inference/loader.h"
#include "api/request/inference/runtime_request.h"
#include "api/request/sparsity.h"
#include "policies/encodings/unquantized_modules.h"
#include "policies/runtimes/llama_cpp_family.h"
#include "policies/runtimes/overhead.h"
#include "policies/runtimes/server_defaults.h"

namespace plimsoll {
namespace {

Dtype compute_of(const Encoding& encoding) {
    if (encoding.id == "fp64") return Dtype::float64;
    return encoding.id == "fp32" ? Dtype::float32 : Dtype::sixteen_bit;
}

void read_runtime_choice(Fields& fields, const Library& library, const ModelChoice& model, InferenceInputs& inputs,
                         Reading& reading) {
    const std::string id = model.gguf ? fields.word("runtime", "llama.cpp", "a GGUF file is llama.cpp's")
                                      : fields.word("runtime", "transformers", "the usual one for a first look");
    inputs.runtime = look_up(library.runtimes, id, "inference.runtime", "runtime", reading);
    if (inputs.runtime && !knows(*inputs.runtime)) reading.fail(ask_the_whole("inference.runtime"));
}

void read_weights(Fields& weights, const Library& library, const ModelChoice& model, InferenceInputs& inputs,
                  Reading& reading) {
    weights.uses({"encoding", "sparsity", "kernel"});
    std::string why = model.quantised;
    if (why.empty()) why = model.dtype.empty() ? "not stated: the usual 16 bits" : "the type the model is published in";
    std::string usual = default_encoding(model);
    if (is_llama_cpp(inputs)) usual = gguf_of(usual, library, why);
    inputs.weights_as_stored = capabilities.altered_models && !model.model.stored.empty() && !weights.says("encoding");
    if (inputs.weights_as_stored)
        reading.assume("weights.encoding", std::string("as stored"), "the types of the checkpoint's tensors");
    std::string encoding = inputs.weights_as_stored ? usual : weights.word("encoding", usual, why);
    if (is_llama_cpp(inputs)) encoding = gguf_id(encoding, library);
    inputs.weights = look_up(library.encodings, encoding, "weights.encoding", "encoding", reading);
    if (!inputs.weights) return;
    inputs.compute = compute_of(*inputs.weights);
    inputs.fp16 = encoding == "fp16" || inputs.weights->beside == "fp16";
    if (!knows(*inputs.weights)) reading.fail(ask_the_whole("weights.encoding"));
    if (is_llama_cpp(inputs) && inputs.weights->wide != Wide::gguf)
        reading.fail({"not_supported", "weights.encoding", "llama.cpp loads GGUF files, not " + inputs.weights->name,
                      "name a type of GGUF, such as gguf-q4_k_m"});
}

// A configuration that says no type is taken for the published model's, whose experts are in MXFP4 alone.
std::string published_in(const ModelChoice& model, const InferenceInputs& inputs, Reading& reading) {
    if (!model.dtype.empty() || !is_llama_cpp(inputs) || !llama_cpp_family(model.model).published_in_mxfp4)
        return model.dtype;
    if (inputs.weights->block == 1 && !reading.silent)
        reading.notes.push_back({"experts_as_published", "weights.encoding",
                                 "the model is published with its experts in MXFP4, which a file of floats keeps; name "
                                 "a dtype in the configuration where they are floats too"});
    return "mxfp4";
}

// Modules that the model's own quantisation leaves in 16 bits by name.
void leave_named_wide(const Library& library, const ModelChoice& model, InferenceInputs& inputs) {
    if (!capabilities.runtimes || model.unquantised.empty() || inputs.weights->id != model.dtype) return;
    const auto beside = library.encodings.find(inputs.weights->beside);
    if (beside == library.encodings.end() || beside->second.wide != Wide::none || inputs.mix.empty()) return;
    leave_wide(model.model, model.unquantised, beside->second, inputs.mix);
}

// Which tensor is stored in which type, once it is known where the layers are.
void read_mix(const InferenceBlocks& blocks, const Library& library, const ModelChoice& model, InferenceInputs& inputs,
              Reading& reading) {
    if (!inputs.weights_as_stored)
        inputs.mix = weight_mix(model.model, *inputs.weights, library.encodings, published_in(model, inputs, reading),
                                is_llama_cpp(inputs) ? &inputs.placement : nullptr);
    leave_named_wide(library, model, inputs);
    if (capabilities.runtimes && inputs.weights->wide == Wide::gguf && !reading.silent &&
        !blocks.inference.has("images"))
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
    read_sparsity(blocks.weights, model, inputs, reading);
    if (!inputs.mix.missing.empty())
        look_up(library.encodings, inputs.mix.missing, "weights.encoding", "encoding", reading);
}

void read_context(Fields& fields, const ModelChoice& model, InferenceInputs& inputs, Reading& reading) {
    InferenceRequest& inference = inputs.request;
    const double limit = model.model.context_limit;
    const double own = inputs.runtime->context;
    const double asked = own > 0 ? own : 8192;
    inference.context = fields.number("context", limit > 0 && limit < asked ? limit : asked,
                                      own > 0 ? "the runtime's default" : "a context that people use");
    inference.sequences = fields.number("sequences", 1, "one sequence");
    inference.replicas = fields.number("replicas", 1, "one instance");
    if (limit > 0 && inference.context > limit && !reading.silent)
        reading.notes.push_back({"context_beyond_model",
                                 "inference.context",
                                 "the context is longer than the model's positions",
                                 {{"positions", limit}}});
    inputs.context_source = fields.source("context");
    inputs.sequences_source = fields.source("sequences");
}

const char* computed_in(const InferenceInputs& inputs) {
    if (inputs.compute == Dtype::float64) return "fp64";
    if (inputs.compute == Dtype::float32) return "fp32";
    return inputs.weights && inputs.weights->id == "fp16" ? "fp16" : "bf16";
}

// The types that llama.cpp's --cache-type-k and -v take. Source: llama.cpp, common/arg.cpp: kv_cache_types; values in
// blocks are read by flash attention alone (src/llama-context.cpp).
void hold_to_llama_cpp(const InferenceInputs& inputs, Reading& reading) {
    constexpr std::string_view known[] = {"gguf-f32",  "gguf-f16",    "gguf-bf16", "gguf-q8_0", "gguf-q4_0",
                                          "gguf-q4_1", "gguf-iq4_nl", "gguf-q5_0", "gguf-q5_1"};
    for (const Encoding* each : {inputs.keys, inputs.values})
        if (std::find(std::begin(known), std::end(known), each->id) == std::end(known))
            return reading.fail({"not_supported", "inference.kv_encoding", "llama.cpp has no cache in " + each->name,
                                 "one of f32, f16, bf16, q8_0, q4_0, q4_1, iq4_nl, q5_0 and q5_1"});
    if (inputs.values->block > 1 && !inputs.request.flash_attention)
        reading.fail({"not_supported", "inference.kv_encoding",
                      "llama.cpp keeps quantised values with flash attention alone",
                      "leave flash attention on, or keep values in f16"});
}

void read_cache_encodings(Fields& fields, const Library& library, InferenceInputs& inputs, Reading& reading) {
    const bool runtime_says = inputs.runtime && !inputs.runtime->kv_encoding.empty();
    const std::string own = runtime_says ? inputs.runtime->kv_encoding : std::string(computed_in(inputs));
    const char* why = runtime_says ? "the runtime's default" : "the type the model computes in";
    std::string keys, values;
    if (fields.has("kv_encoding") && fields.raw("kv_encoding").is_object()) {
        Fields kv = fields.child("kv_encoding");
        keys = kv.word("k", own, why);
        values = kv.word("v", own, why);
    } else {
        keys = values = fields.word("kv_encoding", own, why);
    }
    if (is_llama_cpp(inputs)) keys = gguf_id(keys, library), values = gguf_id(values, library);
    inputs.keys = look_up(library.encodings, keys, "inference.kv_encoding", "encoding", reading);
    inputs.values = look_up(library.encodings, values, "inference.kv_encoding", "encoding", reading);
    if (is_llama_cpp(inputs) && !reading.error) hold_to_llama_cpp(inputs, reading);
}

void read_prompt(Fields& fields, InferenceInputs& inputs, Reading& reading) {
    InferenceRequest& inference = inputs.request;
    inference.prompt = fields.number("prompt", inference.context, "the whole context computed in one prefill");
    if (inference.prompt > inference.context)
        reading.fail({"out_of_range", "inference.prompt", "the prompt is longer than the context",
                      "context counts prompt and answer together"});
    inputs.prompt_source = fields.source("prompt");
    fields.only("batch_tokens", nullptr, "chunked prefill");
}

void read_contiguous(Fields& fields, InferenceInputs& inputs, Reading& reading) {
    read_prompt(fields, inputs, reading);
    fields.only("offload", nullptr, "off-loading");
    tell_unused(fields, {"kv_unified", "swa_full", "memory_fraction", "sequences_at_once"}, reading);
}

}  // namespace

void read_inference(InferenceBlocks blocks, const Library& library, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    InferenceInputs& inputs = request.inference;
    Fields& fields = blocks.inference;
    const Device* device = request.device ? &*request.device : nullptr;
    read_runtime_choice(fields, library, model, inputs, reading);
    read_weights(blocks.weights, library, model, inputs, reading);
    if (reading.error) return;
    tell_of_other_makers(request);
    const double listed = request.devices ? static_cast<double>(request.devices->size()) : 1;
    inputs.request.devices = blocks.top.optional_number("devices").value_or(listed);
    read_context(fields, model, inputs, reading);
    inputs.request.flash_attention = fields.flag("flash_attention", true, "SDPA or flash attention, today's default");
    inputs.release = read_release(fields, reading);
    const bool older = inputs.release > 0 && inputs.release < 4045;  // of transformers: the head over the whole prompt
    inputs.graph_rules = graph_rules(*inputs.runtime, inputs.release);
    const bool all = inputs.runtime->logits_all || older || !inputs.graph_rules.limited_outputs;
    inputs.request.logits_all =
        fields.pick("logits", all ? LogitsKept::all : LogitsKept::last, "the runtime's default") == LogitsKept::all;
    inputs.request.framework = read_framework(fields, inputs.runtime, device, reading);
    const std::string_view known = backend_of(device), own_backend = known == "other" ? "vulkan" : known;
    inputs.backend = fields.choice("backend", choice_names<ComputeBackend>, own_backend, device ? "the device's" : "");
    if (inputs.runtime->allocation == Allocation::contiguous)
        read_contiguous(fields, inputs, reading);
    else
        read_other_runtime(blocks, library, model, request);
    if (reading.error) return;
    read_mix(blocks, library, model, inputs, reading);
    if (reading.error) return;
    inputs.loaded = loaded_of(model.model, inputs);
    read_kernel(blocks.weights, model, request);
    if (reading.error) return;
    read_cache_encodings(fields, library, inputs, reading);
    tell_of_other_encodings(request);
    if (!reading.error) read_companions(blocks.top, fields, library, model, request);
    check_devices(model, request);
}

void read_inference_lengths(Fields& fields, const ModelChoice& model, Request& request) {
    InferenceInputs& inputs = request.inference;
    read_context(fields, model, inputs, request.reading);
    if (inputs.runtime->allocation == Allocation::contiguous) read_prompt(fields, inputs, request.reading);
    read_other_lengths(fields, request);
}

}  // namespace plimsoll
