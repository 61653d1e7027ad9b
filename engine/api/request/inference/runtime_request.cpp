// Runtimes other than transformers, and what they share.
#include "api/request/inference/runtime_request.h"

#include <algorithm>

#include "inputs/capabilities.h"

namespace plimsoll {

std::string gguf_id(const std::string& id, const Library& library) {
    if (!capabilities.runtimes) return id;
    if (id == "fp32") return "gguf-f32";
    if (id == "fp16") return "gguf-f16";
    if (id == "mxfp4") return "gguf-mxfp4_moe";
    const std::string own = "gguf-" + id;
    return id.substr(0, 5) != "gguf-" && library.encodings.count(own) ? own : id;
}

std::string gguf_of(const std::string& id, const Library& library, std::string& why) {
    if (!capabilities.runtimes) return id;
    std::string own = gguf_id(id, library);
    const auto found = library.encodings.find(own);
    if (found == library.encodings.end() || found->second.wide == Wide::gguf) return own;
    why = "llama.cpp's converter writes other types in 16 bits";
    return "gguf-bf16";
}

std::optional<Device> read_devices(Fields& top, const Library& library, Request& request) {
    Reading& reading = request.reading;
    if (!capabilities.runtimes) {
        reading.fail(ask_the_whole("device"));
        return std::nullopt;
    }
    std::vector<Device> devices;
    std::optional<Device> smallest;
    const Json& list = top.raw("device");
    for (size_t index = 0; index < list.size() && index < 64; ++index) {
        Json one = Json::object();
        one["device"] = list[index];
        Fields fields(&one, "", reading);
        const std::optional<Device> device = read_device(fields, library, reading);
        if (!device || reading.error) return std::nullopt;
        devices.push_back(*device);
        if (!smallest || value_of(device->usable<double>()) < value_of(smallest->usable<double>())) smallest = device;
    }
    if (request.task != Task::inference && devices.size() > 1)
        reading.fail(
            {"not_supported", "device", "unequal devices are estimated for inference alone", "name one device"});
    if (devices.empty())
        reading.fail({"out_of_range", "device", "the list of devices is empty", "name at least one device"});
    if (devices.size() > 1) request.devices = std::make_shared<const std::vector<Device>>(std::move(devices));
    return smallest;
}

// Said rather than refused: there are plugins and forks that nobody here has measured.
void tell_of_other_makers(Request& request) {
    const Runtime& runtime = *request.inference.runtime;
    if (!capabilities.runtimes || request.reading.silent || !request.device) return;
    for (const Device& device : request.devices ? *request.devices : std::vector<Device>{*request.device}) {
        if (runtime.runs_on(device)) continue;
        return request.reading.notes.push_back({"runtime_elsewhere",
                                                "inference.runtime",
                                                "this runtime does not run on this device: what is told is what it "
                                                "takes of those that it runs on",
                                                {{"runtime", runtime.name}, {"device", device.name}}});
    }
}

// Said rather than refused, for the same reason. Plain integers are arithmetic that people do, no project's format.
void tell_of_other_encodings(Request& request) {
    const InferenceInputs& inputs = request.inference;
    if (!capabilities.runtimes || request.reading.silent || !inputs.weights || inputs.weights_as_stored) return;
    const auto tell = [&](const char* code, const char* where, const char* text, const Encoding& encoding) {
        request.reading.notes.push_back(
            {code, where, text, {{"runtime", inputs.runtime->name}, {"encoding", encoding.name}}});
    };
    if (!inputs.runtime->loads(*inputs.weights) && inputs.weights->family != "integer")
        tell("encoding_elsewhere", "weights.encoding",
             "this runtime does not load this encoding as it is: what is told is what it would take", *inputs.weights);
    for (const Encoding* each : {inputs.keys, inputs.values}) {
        if (!each || inputs.runtime->caches(*each) || is_llama_cpp(inputs)) continue;
        return tell("cache_elsewhere", "inference.kv_encoding",
                    "this runtime keeps no cache in this encoding: what is told is what it would take", *each);
    }
}

void read_other_runtime(InferenceBlocks& blocks, const Library& library, const ModelChoice& model, Request& request) {
    if (!capabilities.runtimes) return;
    if (is_llama_cpp(request.inference))
        read_llama_cpp(blocks.inference, model, request);
    else
        read_paged(blocks, library, model, request);
}

void read_other_lengths(Fields& fields, Request& request) {
    if (!capabilities.runtimes) return;
    const Allocation allocation = request.inference.runtime->allocation;
    if (allocation == Allocation::llama_cpp) read_micro_batch(fields, request.inference);
    if (allocation == Allocation::paged) read_server_steps(fields, request);
    read_shared_lengths(fields, request);
}

void read_companions(Fields& top, Fields& fields, const Library& library, const ModelChoice& model, Request& request) {
    if (!capabilities.runtimes) {
        for (const char* key : {"draft", "lora", "images", "shared_prefix", "beams", "cache"})
            if (fields.has(key)) request.reading.fail(ask_the_whole("inference"));
        return;
    }
    read_sharing(top, fields, model, request);
    if (!request.reading.error) read_auxiliary_models(top, fields, library, model, request);
}

}  // namespace plimsoll
