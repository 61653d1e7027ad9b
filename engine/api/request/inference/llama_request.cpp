// Settings of llama.cpp, and which device has which layer.
#include "api/request/inference/runtime_request.h"
#include "policies/runtimes/llama_cpp.h"

namespace plimsoll {
namespace {

// The share of the layers that each device gets: as it is asked for, else by its free memory.
std::vector<double> shares(const Fields& offload, const Request& request, Reading& reading) {
    const auto devices = static_cast<size_t>(request.inference.request.devices);
    std::vector<double> list;
    if (!offload.has("tensor_split")) {
        if (request.devices)
            for (const Device& device : *request.devices) list.push_back(value_of(device.usable<double>()));
        list.resize(devices, 1);
        return list;
    }
    double sum = 0;
    const Json& given = offload.raw("tensor_split");
    if (given.is_array())
        for (const Json& each : given) {
            list.push_back(each.is_number() ? maximum(each.get<double>(), 0) : 0);
            sum += list.back();
        }
    if (list.size() != devices || !(sum > 0))
        reading.fail({"out_of_range", offload.path("tensor_split"), "must be a share for each device",
                      "such as [3, 1] for two devices"});
    return list;
}

LlamaSplit read_split(Fields& fields, const Request& request, size_t layers, Reading& reading) {
    LlamaSplit split;
    Fields offload = fields.child("offload");
    offload.uses({"gpu_layers", "experts_on_cpu", "kv_on_host", "tensor_split"});
    split.devices = shares(offload, request, reading);
    const double all = static_cast<double>(layers) + 1;
    split.gpu_layers = offload.optional_number("gpu_layers").value_or(all);
    split.experts_on_host = offload.optional_number("experts_on_cpu").value_or(0);
    split.cache_on_host = offload.optional_flag("kv_on_host");
    split.largest = largest_tensor(request.inference.backend);
    return split;
}

// Devices in a pipeline: what a layer begins with is copied to its device, and in a dry run the norm of it too, whose
// place llama.cpp has forgotten then (ggml-backend.cpp: ggml_backend_sched_reserve_size).
void tell_of_dry_runs(const Model& model, Request& request) {
    const InferenceInputs& inputs = request.inference;
    const Placement& placement = inputs.placement;
    bool whole = placement.head != on_host && !placement.cache_on_host && placement.experts_on_host == 0;
    for (const Place place : placement.layers) whole = whole && place != on_host;
    if (request.reading.silent || inputs.request.devices == 1 || !whole || !model.hidden_size) return;
    constexpr double copies = 4, width = 4;
    request.reading.notes.push_back(
        {"dry_run",
         "devices",
         "activations are what llama.cpp itself says before it loads: a run reserves up to so much less on each device "
         "but the first",
         {{"bytes", model.hidden_size->value() * inputs.request.batch_tokens * width * copies}}});
}

}  // namespace

void read_micro_batch(Fields& fields, InferenceInputs& inputs) {
    inputs.request.batch_tokens =
        fields.number("batch_tokens", inputs.runtime->batch_tokens, "llama.cpp's n_ubatch unless it is told otherwise");
    inputs.batch_source = fields.source("batch_tokens");
}

void read_llama_cpp(Fields& fields, const ModelChoice& model, Request& request) {
    Reading& reading = request.reading;
    InferenceInputs& inputs = request.inference;
    InferenceRequest& inference = inputs.request;
    read_micro_batch(fields, inputs);
    inference.kv_unified = fields.flag("kv_unified", false, "each sequence has a stream of its own");
    inference.swa_full = fields.flag("swa_full", false, "windowed layers keep their window alone");
    const size_t layers = model.model.order.size();
    if (inference.devices > 16)
        return reading.fail({"out_of_range", "devices", "llama.cpp takes at most 16 devices", "take fewer"});
    const LlamaSplit split = read_split(fields, request, layers, reading);
    if (reading.error) return;
    inputs.placement = llama_cpp_placement(layers, split);
    tell_of_dry_runs(model.model, request);
    const bool no_graph = layers == 0 || !model.model.vocab_size || !model.model.hidden_size;
    if (no_graph && !model.model.declared_parameters && model.model.missing.empty() && !reading.silent)
        reading.notes.push_back({"no_compute_buffer", "inference.runtime",
                                 "llama.cpp's compute buffers are estimated of decoders alone: none is counted here"});
    if (!request.time) tell_unused(fields, {"prompt"}, reading);
    tell_unused(fields, {"memory_fraction", "sequences_at_once"}, reading);
}

}  // namespace plimsoll
