// What a request says of draft models and adapters, made into companions of the model.
#include "estimate/inference/companions.h"

#include "api/request/inference/runtime_request.h"
#include "estimate/inference/paged/loaded_weights.h"
#include "model/build/draft_head.h"
#include "policies/runtimes/llama_cpp.h"

namespace plimsoll {
namespace {

constexpr double usual_draft_tokens = 3;

bool is_server(const InferenceInputs& inputs) { return inputs.runtime->allocation == Allocation::paged; }

// The inputs of the model itself, but for what the companion has of its own.
std::shared_ptr<InferenceInputs> inputs_of(Fields& draft, const Model& companion, const std::string& published,
                                           const InferenceInputs& target, const Encoding* weights,
                                           const Library& library, Reading& reading) {
    auto own = std::make_shared<InferenceInputs>(target);
    own->companions.reset();
    own->weights_as_stored = !companion.stored.empty();
    own->weights = weights;
    own->loaded = {};
    InferenceRequest& request = own->request;
    request.logits_all = request.draft_keeps_states = false;
    request.draft_tokens = request.weights_on_host = request.cache_on_host = 0;
    request.pipeline = 1;
    if (is_llama_cpp(target)) {
        const size_t layers = companion.order.size();
        const double all = static_cast<double>(layers) + 1;
        LlamaSplit split{draft.optional_number("gpu_layers").value_or(all), {1}};
        const bool head_alone = companion.embedding.ops.empty();  // it works where the target's last layers do
        if (!head_alone) split.devices.assign(static_cast<size_t>(request.devices), 1);
        split.largest = target.placement.largest;
        own->placement = llama_cpp_placement(layers, split);
        own->placement.cache_on_host = target.placement.cache_on_host;
        if (head_alone) {
            for (Place& place : own->placement.layers) place = target.placement.head;
            own->placement.head = own->placement.embedding = target.placement.head;
        }
    }
    own->mix =
        weight_mix(companion, *weights, library.encodings, published, is_llama_cpp(target) ? &own->placement : nullptr);
    own->mean_bits = mean_bits(companion, *weights, library.encodings);
    if (!own->mix.missing.empty())
        look_up(library.encodings, own->mix.missing, draft.path("weights"), "encoding", reading);
    return own;
}

// A draft model's cache is in 16 bits under llama.cpp whatever the target's is in; elsewhere they are alike.
void read_draft_cache(Fields& draft, const Library& library, InferenceInputs& own, Reading& reading) {
    if (!is_llama_cpp(own)) return;
    const std::string encoding = draft.word("kv_encoding", "gguf-f16", "llama.cpp's default for a draft model's cache");
    own.keys = own.values =
        look_up(library.encodings, gguf_id(encoding, library), draft.path("kv_encoding"), "encoding", reading);
}

const Encoding* draft_weights(Fields& draft, const std::string& otherwise, bool gguf, const Library& library,
                              Reading& reading) {
    Fields weights = draft.child("weights");
    std::string encoding = weights.word("encoding", otherwise, "as it is published");
    if (gguf) encoding = gguf_id(encoding, library);
    const Encoding* found =
        look_up(library.encodings, encoding, draft.path("weights") + ".encoding", "encoding", reading);
    if (found && gguf && found->wide != Wide::gguf)
        reading.fail({"not_supported", draft.path("weights") + ".encoding", "llama.cpp loads GGUF files",
                      "name a type of GGUF, such as gguf-q4_k_m"});
    return found;
}

// Its graph is like that of the target with one layer.
std::shared_ptr<const Model> graph_of_one_layer(const Model& target) {
    auto graph = std::make_shared<Model>(target);
    if (graph->order.size() > 1) graph->order.erase(graph->order.begin(), graph->order.end() - 1);
    return graph;
}

void fail_without_head(DraftKind kind, const std::string& where, Reading& reading) {
    if (kind == DraftKind::mtp)
        reading.fail({"not_supported", where, "the model has no layers that predict further tokens",
                      "name a draft model, or eagle"});
    else
        reading.fail({"missing_field", where + ".model",
                      "no layer of the model has a dense feed-forward, such as the head has one",
                      "give the head's own config.json as the draft's model"});
}

// The draft as a model of its own: another model, a head, or prediction layers.
std::optional<Model> draft_model(Fields& draft, DraftKind kind, const ModelChoice& target, const ModelChoice& given,
                                 Reading& reading) {
    if (kind == DraftKind::model) return given.model;
    if (kind == DraftKind::mtp) return prediction_layers(target.model);
    const Model& like = draft.has("model") ? given.model : target.model;
    Traced vocabulary = like.vocab_size.value_or(Traced(1));
    if (const auto stated = draft.optional_number("vocab_size"))
        vocabulary = Traced::leaf("draft_vocab_size", *stated, "request: inference.draft.vocab_size");
    std::optional<Model> head =
        draft_head(like, kind == DraftKind::eagle ? DraftHead::eagle : DraftHead::eagle3, vocabulary);
    if (head && target.model.hidden_size && head->hidden_size->value() != target.model.hidden_size->value())
        reading.fail({"out_of_range", draft.path("model"), "the head is not as wide as the model it drafts for",
                      "hidden_size must be the same"});
    return head;
}

DraftKind read_kind(Fields& draft, const InferenceInputs& inputs, Reading& reading) {
    const DraftKind kind = draft.pick("kind", DraftKind::model, "");
    if (inputs.runtime->allocation == Allocation::contiguous && kind != DraftKind::model)
        reading.fail({"not_supported", draft.path("kind"), "this runtime drafts with a whole model alone",
                      "name a draft model"});
    if (is_llama_cpp(inputs) && kind == DraftKind::eagle)  // common/common.h: COMMON_SPECULATIVE_TYPE_DRAFT_EAGLE3
        reading.fail({"not_supported", draft.path("kind"), "llama.cpp drafts with heads of EAGLE-3, not of the first",
                      "take eagle3"});
    if (kind == DraftKind::model && !draft.has("model"))
        reading.fail({"missing_field", draft.path("model"), "no draft model was given",
                      R"(such as {"preset": "llama-3.2-1b"})"});
    return kind;
}

void read_draft(Fields& fields, const Library& library, const ModelChoice& target, InferenceInputs& inputs,
                Companions& companions, Reading& reading) {
    if (!fields.has("draft") || fields.raw("draft").is_null()) return;
    Fields draft = fields.child("draft");
    if (reading.error) return;
    const DraftKind kind = read_kind(draft, inputs, reading);
    ModelChoice given;
    if (draft.has("model")) given = read_model_choice(fields.raw("draft"), library);
    if (given.error)
        reading.fail(
            {given.error->code, "inference.draft." + given.error->where, given.error->what, given.error->hint});
    if (reading.error) return;
    std::optional<Model> model = draft_model(draft, kind, target, given, reading);
    if (!model) fail_without_head(kind, "inference.draft", reading);
    if (reading.error) return;
    const bool gguf = is_llama_cpp(inputs), own_layers = kind == DraftKind::mtp;
    const std::string published = own_layers ? inputs.weights->id : default_encoding(given);
    const Encoding* weights = draft_weights(draft, published, gguf, library, reading);
    if (reading.error) return;
    auto companion = std::make_shared<const Model>(std::move(*model));
    auto own = inputs_of(draft, *companion, given.dtype, inputs, weights, library, reading);
    read_draft_cache(draft, library, *own, reading);
    inputs.request.draft_tokens =
        draft.number("num_speculative_tokens", usual_draft_tokens, "tokens that people let a draft propose");
    inputs.request.draft_keeps_states = is_server(inputs) || (gguf && kind != DraftKind::model);
    companions.models.push_back(
        {RowId::draft, companion, own, gguf && kind != DraftKind::model ? graph_of_one_layer(target.model) : nullptr});
}

void read_adapters(Fields& fields, const Library& library, const ModelChoice& model, const InferenceInputs& inputs,
                   Companions& companions, Reading& reading) {
    if (!fields.has("lora") || fields.raw("lora").is_null()) return;
    Fields lora = fields.child("lora");
    if (reading.error) return;
    if (is_server(inputs) && inputs.runtime->fraction_of == FractionOf::free)
        return reading.fail({"not_supported", "inference.lora",
                             "this runtime keeps adapters in a cache of a share of what is free, not in slots",
                             "leave it out: the share is taken of the cache for keys and values"});
    const bool available = inputs.runtime->fraction_of == FractionOf::available;
    AdapterSlots adapters;
    adapters.slots = lora.number("max_loras", is_server(inputs) && available ? 8 : 1,
                                 "the runtime's default; where it has none, one adapter");
    adapters.rank = lora.number("max_lora_rank", 16, "the runtime's default, and a usual rank");
    std::string own = "fp32";
    const char* why = "PEFT keeps adapters in fp32";
    if (is_llama_cpp(inputs)) {
        own = "gguf-f32";
        why = "what convert_lora_to_gguf.py writes";
    } else if (is_server(inputs)) {
        if (inputs.values) own = inputs.weights->id == "fp16" ? "fp16" : "bf16";
        why = "the type the model computes in";
    }
    std::string encoding = lora.word("encoding", own, why);
    if (is_llama_cpp(inputs)) encoding = gguf_id(encoding, library);
    adapters.encoding = look_up(library.encodings, encoding, lora.path("encoding"), "encoding", reading);
    adapters.targets = {"all-linear"};
    read_lora_targets(lora, model.model, false, adapters.targets, reading);
    adapters.vocabulary_too = is_server(inputs) && !lora.has("targets");
    companions.adapters = std::move(adapters);
}

}  // namespace

void read_auxiliary_models(const Fields& top, Fields& fields, const Library& library, const ModelChoice& model,
                           Request& request) {
    InferenceInputs& inputs = request.inference;
    Companions companions;
    read_draft(fields, library, model, inputs, companions, request.reading);
    const Device* device = request.device ? &*request.device : nullptr;
    for (const Companion& draft : companions.models)
        if (is_server(inputs))
            draft.inputs->loaded.left_over = left_over_of_server(*draft.model, *draft.inputs, device);
    read_adapters(fields, library, model, inputs, companions, request.reading);
    companions.images = read_images(top, fields, library, model, inputs, request.reading);
    if (is_llama_cpp(inputs)) inputs.routing = routing_of(top.raw("model"), library);
    if (!companions.models.empty() || companions.adapters || companions.images)
        inputs.companions = std::make_shared<const Companions>(std::move(companions));
}

}  // namespace plimsoll
