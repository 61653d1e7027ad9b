// What sequences share, what several devices are like, and whether the runtime runs such a model at all.
#include "api/request/inference/runtime_request.h"
#include "estimate/inference/companions.h"
#include "inputs/capabilities.h"

namespace plimsoll {
namespace {

// Whether a second sequence is attended to: a text that an encoder read, audio, or an image's patches.
bool crosses(const Model& model) {
    for (const LayerKind& kind : model.kinds)
        for (const Op& op : kind.block.ops)
            if (const CrossAttention* cross = op.as<CrossAttention>();
                cross && cross->source != CrossAttention::Source::none)
                return true;
    return false;
}

// Runtimes made for decoders run few encoder-decoders, or none: their presets name which.
void check_served(const Model& model, const Runtime& runtime, Reading& reading) {
    if (!runtime.encoder_decoders || !crosses(model)) return;
    std::string list;
    for (const std::string& name : *runtime.encoder_decoders) {
        if (name == model.architecture) return;
        list += (list.empty() ? "" : ", ") + name;
    }
    reading.fail({"not_supported", "inference.runtime",
                  runtime.name + " does not run this encoder-decoder" + (list.empty() ? "" : ", only " + list),
                  "take transformers"});
}

// Layers can go to unequal devices by their memory; shares of matrices cannot, so that the smallest decides.
void read_unequal(Fields& top, Request& request) {
    if (!request.devices) return;
    Reading& reading = request.reading;
    const Allocation allocation = request.inference.runtime->allocation;
    if (allocation == Allocation::contiguous && !request.inference.runtime->torch_allocator)
        reading.fail({"not_supported", "device", "this runtime computes on one device", "name one device"});
    if (allocation == Allocation::paged && !reading.silent)
        reading.notes.push_back(
            {"smallest_device", "device", "this runtime gives every device the same share: the smallest one decides"});
    if (top.has("devices") && request.inference.request.devices != static_cast<double>(request.devices->size()))
        reading.fail({"out_of_range", "devices", "the list of devices has another length", "leave out devices"});
}

// transformers puts whole layers on each device, for which they must be known one by one.
void check_layers_in_order(const Model& model, Request& request) {
    InferenceInputs& inputs = request.inference;
    Reading& reading = request.reading;
    if (inputs.runtime->allocation != Allocation::contiguous || !(inputs.request.devices > 1)) return;
    if (model.declared_parameters || !model.missing.empty() || model.order.empty())
        reading.fail({"missing_field", "model", "layers go to the devices one by one, and the model's are not known",
                      "name a preset, or state the model's shape"});
    if (inputs.weights_as_stored)
        reading.fail({"not_supported", "model.tensors", "layers go to the devices one by one",
                      "name how they are stored in weights.encoding"});
    if (!is_whole(inputs.request.devices) || inputs.request.devices > 64)
        reading.fail({"out_of_range", "devices", "that many devices are not estimated", "at most 64"});
    if (!reading.silent)
        reading.notes.push_back(
            {"layers_in_order", "devices",
             "device_map=\"auto\": whole layers on each device, in order and balanced by their size, the embedding on "
             "the first; what fits on none lies in the host's memory"});
}

}  // namespace

void check_devices(const ModelChoice& model, Request& request) {
    if (!capabilities.runtimes || request.reading.error) return;
    check_layers_in_order(model.model, request);
    const bool beside = request.inference.companions && request.inference.request.devices > 1;
    if (beside && request.inference.runtime->allocation == Allocation::contiguous)
        request.reading.fail({"not_supported", "devices",
                              "what is held beside a model that lies on several devices is not estimated",
                              "take one device, or leave out drafts, adapters and images"});
}

void read_shared_lengths(Fields& fields, Request& request) {
    Reading& reading = request.reading;
    InferenceInputs& inputs = request.inference;
    InferenceRequest& inference = inputs.request;
    const Allocation allocation = inputs.runtime->allocation;
    if (allocation == Allocation::paged) {
        inference.shared_prefix = fields.optional_number("shared_prefix").value_or(0);
        if (inference.shared_prefix > inference.context)
            reading.fail({"out_of_range", "inference.shared_prefix", "the prefix is longer than the context",
                          "context counts prompt and answer together"});
    }
    if (allocation != Allocation::llama_cpp) inference.beams = fields.optional_number("beams").value_or(1);
    if (allocation == Allocation::paged && inference.beams > 1) {
        inference.prompt = fields.number("prompt", 1, "not said: beams share no pages of a prompt");
        inputs.prompt_source = fields.source("prompt");
        if (inference.prompt > inference.context)
            reading.fail({"out_of_range", "inference.prompt", "the prompt is longer than the context",
                          "context counts prompt and answer together"});
    }
}

void read_sharing(Fields& top, Fields& fields, const ModelChoice& model, Request& request) {
    read_unequal(top, request);
    check_served(model.model, *request.inference.runtime, request.reading);
    Reading& reading = request.reading;
    const Allocation allocation = request.inference.runtime->allocation;
    if (allocation != Allocation::paged) tell_unused(fields, {"shared_prefix"}, reading);
    read_shared_lengths(fields, request);
    if (allocation == Allocation::llama_cpp) tell_unused(fields, {"beams"}, reading);
    if (allocation == Allocation::contiguous)
        request.inference.request.static_cache =
            fields.pick("cache", CacheKind::dynamic_cache, "") == CacheKind::static_cache;
    else
        tell_unused(fields, {"cache"}, reading);
}

}  // namespace plimsoll
