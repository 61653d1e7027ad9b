// A request's fields, in the order of the contract.
#include "api/request/inference/runtime_request.h"
#include "api/request/shape.h"
#include "inputs/capabilities.h"
#include "policies/runtimes/overhead.h"

namespace plimsoll {
namespace {

// Fields for several devices: read so that a request written for them gets a plain refusal, not a wrong answer.
void refuse_many_devices(Fields& top, const Runtime& runtime) {
    const Allocation allocation = runtime.allocation;
    const bool in_order = capabilities.runtimes && runtime.torch_allocator;  // whole layers on each
    if (allocation == Allocation::contiguous && !in_order) top.only("devices", 1, "more than one device");
    if (!top.has("parallel") || allocation == Allocation::paged) return;
    Fields parallel = top.child("parallel");
    for (const char* degree : {"data", "tensor", "pipeline", "context", "expert"})
        parallel.only(degree, 1, std::string(degree) + " parallelism");
    parallel.only("zero", 0, "ZeRO");
    parallel.uses({"data", "tensor", "pipeline", "context", "expert", "zero"});
}

// Bytes of a value, as the hosted calculator counts them.
double classic_bytes(std::string_view encoding) {
    if (encoding == "fp32") return 4;
    if (encoding == "int4") return 0.5;
    return encoding == "int8" ? 1 : 2;
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
    weights.uses({"encoding"});
    const std::string encoding = weights.choice("encoding", "fp32, fp16, bf16, int8, int4", default_encoding(model),
                                                "the type the model is published in");
    inputs.bytes_per_value = classic_bytes(encoding);
    inputs.training = top.has("training") && !top.raw("training").is_null();
    Fields training = top.child("training"), inference = top.child("inference");
    if (inputs.training) {
        inputs.sequence = training.number("sequence", 2048, "the hosted calculator's default");
        inputs.batch = training.number("micro_batch", 1, "the hosted calculator's default");
        const std::string optimizer =
            training.choice("optimizer", "adamw, adamw-8bit, sgd", "adamw", "the hosted calculator's default");
        inputs.optimizer_bytes = 4;
        if (optimizer != "sgd") inputs.optimizer_bytes = optimizer == "adamw" ? 8 : 2;
        inputs.trainable_percent = training.number("trainable_percent", 100, "the hosted calculator's default");
    } else {
        inputs.sequence = inference.number("context", 2048, "the hosted calculator's default");
        inputs.batch = inference.number("sequences", 1, "the hosted calculator's default");
    }
}

}  // namespace

std::optional<Device> read_device(Fields& top, const Library& library, Reading& reading) {
    if (!top.has("device") || top.raw("device").is_null()) return std::nullopt;
    Fields fields = top.child("device");
    Device device;
    if (fields.has("preset")) {
        const Device* preset =
            look_up(library.devices, fields.word("preset", "", ""), "device.preset", "device", reading);
        if (!preset) return std::nullopt;
        device = *preset;
    }
    if (const auto memory = fields.optional_number("memory_bytes")) {
        device.memory_bytes = *memory;
        device.memory_source = "request: device.memory_bytes";
        if (device.name.empty()) device.name = "typed by hand";
    }
    if (device.memory_bytes == 0)
        reading.fail({"missing_field", "device.memory_bytes", "the device's memory is missing",
                      "name a preset, or give memory_bytes"});
    if (const auto bandwidth = fields.optional_number("bandwidth"); bandwidth && capabilities.time) {
        device.bandwidth = *bandwidth;
        device.bandwidth_source = "request: device.bandwidth";
    }
    device.used_by_others_bytes = fields.optional_number("used_by_others_bytes").value_or(0);
    return device;
}

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

void tell_unused(const Fields& fields, std::initializer_list<std::string_view> keys, Reading& reading) {
    for (const std::string_view key : keys)
        if (fields.has(key) && !reading.silent)
            reading.notes.push_back(
                {"not_used", fields.path(key), "this runtime has no such setting; it was not used"});
}

namespace {

void read_timeline(Fields& top, Request& request) {
    const bool wanted = top.optional_flag("timeline");
    if (wanted && request.task != Task::training)
        return request.reading.fail({"not_supported", "timeline", "only a training step is told moment by moment",
                                     "set task to training, or leave this out"});
    if (!capabilities.training) return;
    request.training.records_step = wanted && request.explain != Explain::none;
    if (wanted && !request.training.records_step && !request.reading.silent)
        request.reading.notes.push_back({"not_used", "timeline", "a step is told with its rows: explain is none"});
}

// Fields that are for time alone.
void tell_unasked(const Fields& top, Request& request) {
    const auto tell = [&](const Fields& fields, std::string_view key) {
        if (fields.has(key) && !request.reading.silent)
            request.reading.notes.push_back({"not_used", fields.path(key), "time was not asked for; it was not used"});
    };
    tell(top, "links");
    if (request.task == Task::training) tell(top.child("training"), "tokens");
}

// What goes over links, and how fast; what is not said is the device's own.
void read_links(const Fields& top, Request& request) {
    Fields fields = top.child("links");
    const bool trains = request.task == Task::training;
    const bool exchanges = trains || request.inference.runtime->allocation == Allocation::paged;
    if ((trains ? request.training.layout.devices() : request.inference.request.devices) == 1 || !exchanges) return;
    LinkRates& links = request.links;
    links.within_source = fields.source("bandwidth_within");
    const double own = request.device && !trains ? request.device->link : 0;
    if (own > 0 && !fields.has("bandwidth_within")) links.within_source = request.device->link_source;
    links.within = own > 0 ? fields.number("bandwidth_within", own, "the device's link to others of its node")
                           : fields.optional_number("bandwidth_within").value_or(0);
    links.between = fields.optional_number("bandwidth_between").value_or(0);
    links.between_source = fields.source("bandwidth_between");
    if (links.within > 0 || links.between > 0)
        links.per_node = fields.number("devices_per_node", 8, "a node has so many devices");
}

// Tokens of a prompt: those of runtimes whose memory does not depend on them are read for time alone.
void read_timed_prompt(const Fields& top, Request& request) {
    Fields fields = top.child("inference");
    InferenceInputs& inputs = request.inference;
    if (inputs.runtime->allocation == Allocation::contiguous) return;
    if (inputs.request.beams > 1) {  // one prompt for both: beams hold its pages together
        inputs.timed_prompt = inputs.request.prompt;
        return;
    }
    inputs.timed_prompt = fields.number("prompt", inputs.request.context, "time: a prompt fills the whole context");
    if (inputs.timed_prompt > inputs.request.context)
        request.reading.fail({"out_of_range", "inference.prompt", "the prompt is longer than the context",
                              "context counts prompt and answer together"});
    inputs.prompt_source = fields.source("prompt");
}

// Runtimes that start llama.cpp reach what it does; of a training the framework that divides it decides.
const Speed* speed_of(const Request& request, const Library& library) {
    const Runtime* runtime = request.inference.runtime;
    std::string id{request.task == Task::training ? name_of(request.training.layout.sharding) : runtime->id};
    if (request.task == Task::inference && runtime->allocation == Allocation::llama_cpp) id = "llama.cpp";
    const auto found = library.speeds.find(id);
    return found != library.speeds.end() ? &found->second : nullptr;
}

void read_time(const Fields& top, const Library& library, Request& request) {
    Reading& reading = request.reading;
    if (!request.time) {
        if (capabilities.time) tell_unasked(top, request);
        return;
    }
    if (request.task == Task::classic)
        return reading.fail({"not_supported", "time", "the hosted calculator tells no time",
                             "set task to inference or training, or leave this out"});
    if (!capabilities.time) return reading.fail(ask_the_whole("time"));
    request.speed = speed_of(request, library);
    read_links(top, request);
    if (request.task == Task::inference) read_timed_prompt(top, request);
    if (request.task == Task::training)
        request.tokens_to_train = top.child("training").optional_number("tokens").value_or(0);
}

void read_what_is_asked(Fields& top, Request& request) {
    const bool trains = top.has("training") && !top.has("inference");
    request.task = top.pick("task", trains ? Task::training : Task::inference, "by the blocks that are given");
    request.explain = top.pick("explain", Explain::rows, "");
    request.time = top.optional_flag("time");
}

}  // namespace

Request read_request(const Json& json, const Library& library, const ModelChoice& model, bool silent) {
    Request request;
    Reading& reading = request.reading;
    reading.silent = silent;
    Fields top(&json, "", reading);
    if (!silent) check_shape(json, reading);
    if (reading.error) return request;
    top.optional_flag("allow_unknown");
    top.only("schema", 1, "this version of the schema");
    read_what_is_asked(top, request);
    if (!capabilities.classic && request.task == Task::classic) reading.fail(ask_the_whole("task"));
    if (model.error && request.task != Task::classic) reading.fail(*model.error);
    if (request.task == Task::classic && model.error && model.error->where.rfind("model.preset", 0) == 0)
        reading.fail(*model.error);
    if (reading.error) return request;
    request.device = top.has("device") && top.raw("device").is_array() ? read_devices(top, library, request)
                                                                       : read_device(top, library, reading);
    if (reading.error) return request;
    if (request.task == Task::inference)
        read_inference({top, top.child("weights"), top.child("inference"), top.child("parallel")}, library, model,
                       request);
    if (reading.error) return request;
    const Runtime* runtime = request.inference.runtime;
    if (request.task == Task::inference) refuse_many_devices(top, *runtime);
    read_timeline(top, request);
    if (request.task == Task::training) read_training(top, library, model, request);
    if (!reading.error) read_time(top, library, request);
    if (capabilities.classic && request.task == Task::classic) read_classic(top, model, request);
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

bool is_length(std::string_view field) {
    for (const char* name : {"inference.context", "inference.prompt", "inference.sequences", "inference.replicas",
                             "inference.batch_tokens", "inference.sequences_at_once", "inference.shared_prefix",
                             "training.sequence", "training.micro_batch", "training.accumulation"})
        if (field == name) return true;
    return false;
}

bool has_own_lengths(const Request& request) {
    if (request.task == Task::training) return !request.training.generation;
    return (request.task == Task::inference && !request.inference.companions);
}

void read_lengths(const Json& json, const ModelChoice& model, Request& request) {
    Fields top(&json, "", request.reading);
    Fields fields = top.child(request.task == Task::training ? "training" : "inference");
    if (capabilities.training && request.task == Task::training)
        read_training_lengths(fields, request.training);
    else
        read_inference_lengths(fields, model, request);
    if (capabilities.time && request.time && request.task == Task::inference) read_timed_prompt(top, request);
}

}  // namespace plimsoll
