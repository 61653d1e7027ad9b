// What sequences share, what several devices are like, and whether the runtime runs such a model at all.
#include "api/request/inference/runtime_request.h"

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
    if (allocation == Allocation::contiguous)
        reading.fail(
            {"not_supported", "device", "several devices under this runtime are not estimated yet", "name one device"});
    if (allocation == Allocation::paged && !reading.silent)
        reading.notes.push_back(
            {"smallest_device", "device", "this runtime gives every device the same share: the smallest one decides"});
    if (top.has("devices") && request.inference.request.devices != static_cast<double>(request.devices->size()))
        reading.fail({"out_of_range", "devices", "the list of devices has another length", "leave out devices"});
}

}  // namespace

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
        inference.prompt = fields.optional_number("prompt").value_or(0);
        inputs.prompt_source = fields.source("prompt");
        if (inference.prompt > inference.context)
            reading.fail({"out_of_range", "inference.prompt", "the prompt is longer than the context",
                          "context counts prompt and answer together"});
        if (inference.prompt == 0)
            reading.assume("inference.prompt", 0.0, "not said: beams share no pages of a prompt");
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
