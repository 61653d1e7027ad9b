// Settings of servers with pages, and what divides among devices.
#include "api/request/degrees.h"
#include "api/request/inference/runtime_request.h"
#include "model/transform/tensor_parallel.h"
#include "policies/runtimes/server_defaults.h"

namespace plimsoll {
namespace {

// Whole experts go to groups; where every expert is divided, its width must be.
void check_experts(const Experts& experts, const InferenceRequest& inference, Reading& reading) {
    if (inference.expert > experts.experts.value())
        reading.fail({"out_of_range", "parallel.expert", "there are more groups than experts",
                      "at most " + std::to_string(static_cast<int>(experts.experts.value()))});
    const double width = experts.intermediate.value() * inference.expert / inference.tensor / inference.experts_over;
    if (!is_whole(width))
        reading.fail({"out_of_range", "parallel.tensor", "the experts' width does not divide among the devices",
                      "divide whole experts: parallel.expert"});
}

// What no division can give: heads that are not whole, stages without layers, copies that leave devices over.
void check_division(const ModelChoice& model, const InferenceRequest& inference, Reading& reading) {
    const auto layers = static_cast<double>(model.model.order.size());
    if (inference.pipeline > layers && layers > 0)
        reading.fail({"out_of_range", "parallel.pipeline", "there are more stages than layers",
                      "at most " + std::to_string(static_cast<int>(layers))});
    for (const LayerKind& kind : model.model.kinds)
        for (const Op& op : kind.block.ops) {
            if (const Experts* experts = op.as<Experts>()) check_experts(*experts, inference, reading);
            if (const auto refused = refused_heads(op, inference.tensor)) reading.fail(*refused);
            const Attention* attention = op.as<Attention>();
            if (!attention) continue;
            if (inference.context_parallel * attention->kv_heads.value() > inference.tensor &&
                inference.context_parallel > 1)
                reading.fail({"out_of_range", "parallel.context",
                              "only devices that hold the same key-value heads can share a sequence's tokens",
                              "at most tensor / num_key_value_heads"});
        }
}

// Devices that share each sequence's cache, or the routed experts, are those of the tensor-parallel group (and of its
// copies). Source: vLLM, config/parallel.py; SGLang, server_args.py; TensorRT-LLM, Mapping.
void check_groups(const InferenceRequest& inference, bool over_data, Reading& reading) {
    const double ranks = inference.tensor * inference.experts_over, groups = ranks / inference.expert;
    const double sharing = inference.tensor / inference.context_parallel;
    if (!is_whole(sharing))
        reading.fail(
            {"out_of_range", "parallel.context", "it must divide the tensor-parallel degree", "change either"});
    if (inference.expert > 1 && (over_data ? groups != 1 : !is_whole(groups)))
        reading.fail({"out_of_range", "parallel.expert",
                      over_data ? "experts are divided over all tensor × data devices, or not at all"
                                : "it must divide the tensor-parallel degree",
                      "1, or " + std::to_string(static_cast<int>(ranks))});
}

void read_parallel(Fields& top, Fields& parallel, const ModelChoice& model, const DegreeRule& rule,
                   InferenceRequest& inference, Reading& reading) {
    parallel.uses({"data", "tensor", "pipeline", "context", "expert", "zero"});
    parallel.only("zero", 0, "ZeRO");
    const Degrees degrees = read_degrees(top, parallel, rule, reading);
    if (reading.error) return;
    inference.devices = degrees.devices;
    inference.tensor = degrees.tensor;
    inference.data = degrees.data;
    inference.pipeline = degrees.pipeline;
    inference.context_parallel = degrees.context;
    inference.expert = degrees.expert;
    inference.experts_over = rule.experts_over_data ? inference.data : 1;
    check_groups(inference, rule.experts_over_data, reading);
    check_division(model, inference, reading);
}

// Bytes that each device leaves to the host, and a pool there behind the cache.
void read_offload(Fields& fields, const Runtime& runtime, InferenceRequest& inference, Reading& reading) {
    if (!fields.has("offload")) return;
    Fields offload = fields.child("offload");
    offload.uses({"weights_bytes", "kv_host_bytes"});
    inference.weights_on_host = offload.optional_number("weights_bytes").value_or(0);
    inference.cache_on_host = offload.optional_number("kv_host_bytes").value_or(0);
    if (inference.weights_on_host > 0 && runtime.fraction_of == FractionOf::free)
        reading.fail({"not_supported", offload.path("weights_bytes"), "this runtime keeps all weights on its devices",
                      "leave it out"});
}

// What SGLang's rules ask of a model: a tower by the names that its configuration gives, which few families use.
// Source: server_args.py (adjust_mem_fraction_for_vlm: getattr(vision_config, "num_hidden_layers", 24) and the like).
ServedModel served_model(const Model& model, const Json* config, Fields& fields) {
    ServedModel served;
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops) served.latents = served.latents || op.as<LatentAttention>();
    for (const Tower& tower : model.towers) served.tower = served.tower || tower.name != "mtp";
    if (const Json* vision = config ? member(*config, "vision_config") : nullptr)
        for (const char* prefix : {"", "vt_"}) {  // Kimi's class calls them as the others do
            const std::string layers = std::string(prefix) + "num_hidden_layers",
                              hidden = std::string(prefix) + "hidden_size";
            if (const double* said = number_member(*vision, layers)) served.tower_layers = *said;
            if (const double* said = number_member(*vision, hidden)) served.tower_hidden = *said;
        }
    if (fields.has("draft") && fields.raw("draft").is_object()) {
        const std::string* kind = text_member(fields.raw("draft"), "kind");
        served.draft = kind && *kind != "model" ? ServedModel::Draft::head : ServedModel::Draft::model;
    }
    return served;
}

// Layers that `compress_ratios` names beyond the model's own, for the prediction of further tokens.
double idle_layers(const Model& model, const Json* config) {
    const Json* ratios = config ? member(*config, "compress_ratios") : nullptr;
    if (!ratios || !ratios->is_array()) return 0;
    return maximum(0, static_cast<double>(ratios->size()) - static_cast<double>(model.order.size()));
}

PoolChoice pools_of(const TokenPools& pools, const Model& model) {
    PoolChoice choice;
    for (const LayerKind& kind : model.kinds)
        choice.used = choice.used || (pools.used && !kept_by<double>(kind.block).empty());
    choice.state_ratio = pools.state_ratio;
    choice.states_of_a_sequence = pools.states_of_a_sequence;
    for (const auto& [name, ratio] : pools.windowed)
        if (name == model.architecture) choice.window_ratio = ratio;
    return choice;
}

}  // namespace

void read_server_steps(Fields& fields, Request& request) {
    Reading& reading = request.reading;
    const Device* device = request.device ? &*request.device : nullptr;
    InferenceInputs& inputs = request.inference;
    InferenceRequest& inference = inputs.request;
    const ServerDefaults defaults = server_defaults(
        *inputs.runtime, {inputs.release, device, inference.context, inference.tensor, inference.pipeline,
                          fields.optional_number("batch_tokens").value_or(0), inputs.served});
    inputs.step = defaults.step;
    inputs.pools.drafts_beyond = defaults.share.drafts_beyond;
    inputs.pools.draft_weights_beyond = defaults.share.draft_weights_beyond;
    inference.batch_tokens = fields.number("batch_tokens", defaults.batch_tokens, defaults.why);
    inference.sequences_at_once =
        fields.number("sequences_at_once", defaults.sequences_at_once, "the runtime's default");
    inputs.batch_source = fields.source("batch_tokens");
    inputs.at_once_source = fields.source("sequences_at_once");
    const std::optional<double> said = fields.optional_number("memory_fraction");
    const bool shrinks = defaults.share.tower_factor != 1;
    inference.memory_fraction = said.value_or(defaults.memory_fraction) * defaults.share.tower_factor;
    if (!said) {
        inputs.least_fraction = defaults.least_fraction;
        inputs.most_fraction = defaults.most_fraction;
    }
    if (!said || shrinks)
        reading.assume(
            "inference.memory_fraction", inference.memory_fraction,
            shrinks ? "this release makes the share smaller where the model has a tower" : "the runtime's default");
}

void read_paged(InferenceBlocks& blocks, const Library& library, const ModelChoice& model, Request& request) {
    Fields& fields = blocks.inference;
    Reading& reading = request.reading;
    InferenceInputs& inputs = request.inference;
    const Runtime& runtime = *inputs.runtime;
    DegreeRule rule{&Degrees::tensor, "devices that no other degree takes share each matrix", false,
                    runtime.experts_over_data, std::nullopt};
    if (request.devices) rule.listed = static_cast<double>(request.devices->size());
    read_parallel(blocks.top, blocks.parallel, model, rule, inputs.request, reading);
    const Json* config = blocks.top.has("model") ? config_of(blocks.top.raw("model"), library) : nullptr;
    inputs.served = served_model(model.model, config, fields);
    inputs.pools = pools_of(runtime.pools, model.model);
    inputs.pools.idle_layers = idle_layers(model.model, config);
    read_server_steps(fields, request);
    read_offload(fields, runtime, inputs.request, reading);
    if (!fields.has("beams") && !request.time) tell_unused(fields, {"prompt"}, reading);
    tell_unused(fields, {"kv_unified", "swa_full"}, reading);
}

}  // namespace plimsoll
