// What a training request trains, and what it leaves as it is: the method, adapters, the frozen base's encoding.
#include "api/request/modules.h"
#include "api/request/request_parts.h"
#include "model/transform/frozen_parts.h"
#include "model/transform/fused_adapters.h"
#include "model/transform/fused_projections.h"
#include "model/transform/seen_images.h"
#include "policies/training/data_parallel.h"

namespace plimsoll {
namespace {

// A frozen base that is not packed has the precision's type, but under autocast it may have 16 bits: what adds up and
// what a norm gives then has 16 as well, and adapters alone are cast. (transformers Trainer with bf16 or fp16, of a
// model that was loaded in 16 bits)
void read_plain_base(const Encoding& encoding, TrainingInputs& inputs, Reading& reading) {
    Numerics& numerics = inputs.precision.numerics;
    if (numerics.autocast && (encoding.id == "bf16" || encoding.id == "fp16"))
        numerics.parameter = Dtype::sixteen_bit;
    else if (encoding.id != "fp32" && encoding.id != "bf16" && encoding.id != "fp16")
        reading.fail({"not_supported", "weights.encoding",
                      "adapters are not estimated beside weights in " + encoding.name + ", which packs no layers",
                      "fp32, bf16 or fp16, or one that packs linear layers, such as nf4-dq"});
    else if ((encoding.id == "fp32") != (numerics.parameter == Dtype::float32))
        reading.fail({"not_supported", "weights.encoding",
                      "with precision " + inputs.request.precision.name + " a base that is not packed has another type",
                      "leave it out, or set training.precision to bf16-autocast beside a base in bf16, or to fp32"});
}

// Encodings of a frozen base that are packed: what they leave wide has the precision's own type.
void read_base(Fields& top, const Library& library, const Model& model, bool quantised, TrainingInputs& inputs,
               Reading& reading) {
    Fields weights = top.child("weights");
    if (!quantised && !weights.has("encoding")) return;
    const std::string id =
        weights.word("encoding", "nf4-dq", "QLoRA's own: 4-bit NormalFloat with double quantisation");
    const Encoding* encoding = look_up(library.encodings, id, "weights.encoding", "encoding", reading);
    if (encoding && encoding->wide == Wide::none) {
        if (quantised)
            reading.fail({"not_supported", "weights.encoding", encoding->name + " is no encoding of 4 or 8 bits",
                          "name one that packs linear layers, such as nf4-dq, or set method to lora"});
        else
            read_plain_base(*encoding, inputs, reading);
    }
    if (!encoding || encoding->wide == Wide::none) return;
    if (encoding->wide == Wide::gguf)
        return reading.fail({"not_supported", "weights.encoding", "frameworks do not train beside GGUF weights",
                             "name one that they load, such as nf4-dq"});
    auto own = std::make_shared<Encoding>(*encoding);
    own->beside = inputs.precision.numerics.parameter == Dtype::float32 ? "fp32" : "bf16";
    if (weights.optional_flag("packed_head")) own->wide = Wide::beside_linear_and_head;
    store_in(inputs, own, model, library, "weights.encoding", reading);
}

PrecisionKind read_precision_kind(Fields& fields, const TrainingMethod& method) {
    using enum PrecisionKind;
    if (method.galore) return fields.pick("precision", bf16, "16 bits throughout, as GaLore's authors train");
    if (method.adapter) return fields.pick("precision", bf16, "a frozen base in 16 bits");
    return fields.pick("precision", bf16_mixed, "mixed precision with fp32 master weights");
}

void read_precision(Fields& fields, TrainingInputs& inputs, Reading& reading) {
    TrainingRequest& training = inputs.request;
    training.precision.name = name_of(read_precision_kind(fields, training.method));
    inputs.precision = divided_precision(*precision_of(training.precision.name), inputs.layout);
    const std::string gradient = fields.word("gradient_encoding", "", "");
    if (gradient == "fp32")
        inputs.gradient = Dtype::float32;
    else if (gradient == "bf16" || gradient == "fp16")
        inputs.gradient = Dtype::sixteen_bit;
    else if (!gradient.empty())
        reading.fail({"unknown_value", "training.gradient_encoding",
                      "gradients cannot be kept in \"" + gradient.substr(0, 60) + "\"", "one of: fp32, bf16, fp16"});
    training.gradients.copies = fields.optional_number("gradient_copies").value_or(1);
}

// Who computes the adapters.
void read_adapter_kernels(const Fields& training, const Model& model, TrainingInputs& inputs, Reading& reading) {
    Fields lora = training.child("lora");
    if (lora.optional_pick("kernels", AdapterKernels::peft) == AdapterKernels::peft) return;
    const Adapter& adapter = *inputs.request.method.adapter;
    if (adapter.dropout > 0 || adapter.magnitudes)
        return reading.fail({"not_supported", lora.path("kernels"), "fused kernels know neither dropout nor DoRA",
                             "set dropout to 0 and method to lora or qlora, or leave it out"});
    auto own = std::make_shared<Model>(inputs.built ? *inputs.built : model);
    fuse_adapters(*own, adapter);
    inputs.built = std::move(own);
}

// Which parts of a model are trained, by name.
void read_trained_parts(const Fields& training, const Model& model, TrainingInputs& inputs, Reading& reading) {
    Fields fields = training.child("freeze");
    if (!inputs.request.method.freeze)
        return reading.fail({"not_supported", "training.freeze", "parts are named where the rest is frozen",
                             "set method to freeze, or leave it out"});
    if (training.has("trainable_percent"))
        return reading.fail({"not_supported", "training.trainable_percent", "freeze names the parts already",
                             "leave one of the two out"});
    const TrainingLayout& layout = inputs.layout;
    if (layout.tensor > 1 || layout.pipeline > 1 || layout.context > 1)
        return reading.fail({"not_supported", "training.freeze", "parts are frozen where each device runs whole layers",
                             "spread the run by data alone, or set trainable_percent"});
    if (inputs.request.objective.kind == Objective::ppo)
        return reading.fail({"not_supported", "training.freeze", "a critic has other parts than its policy",
                             "set another objective, or trainable_percent"});
    if (model.kinds.empty() || model.declared_parameters)
        return reading.fail({"not_supported", "training.freeze", "the model's layers are not known",
                             "name a model, or set trainable_percent"});
    TrainedParts parts;
    parts.layers = fields.number("trainable_layers", 2, "LLaMA-Factory's default: the last two");
    if (fields.has("trainable_modules"))
        parts.modules = read_modules(fields, "trainable_modules", {modules_of_layers(model), {"all"}}, reading);
    parts.extra = read_modules(fields, "extra_modules", {modules_beside_layers(model), {}}, reading);
    if ((parts.layers == 0 || parts.modules.empty()) && parts.extra.empty())
        return reading.fail({"out_of_range", fields.path("trainable_layers"), "nothing is trained",
                             "a number of layers, or extra_modules"});
    auto own = std::make_shared<Model>(model);
    freeze_all_but(*own, parts);
    inputs.built = std::move(own);
    inputs.request.method.parts = std::move(parts);
}

// Queries, keys and values in one matrix: a model of the request's own.
bool fuse_where_asked(Fields& fields, const ModelChoice& choice, TrainingInputs& inputs) {
    if (!fields.optional_flag("fused_qkv")) return false;
    auto own = std::make_shared<Model>(inputs.built ? *inputs.built : choice.model);
    fuse_projections(*own);
    inputs.built = std::move(own);
    return true;
}

// Below a tower's first adapter nothing is kept.
void place_in_towers(const Model& model, TrainingInputs& inputs) {
    const std::optional<Adapter>& adapter = inputs.request.method.adapter;
    if (!adapter || tower_layers(model) == 0) return;
    auto own = std::make_shared<Model>(model);
    follow_adapters(*own, *adapter);
    inputs.built = std::move(own);
}

void read_frozen(Fields& fields, TrainingRequest& training, Reading& reading) {
    training.method.trainable_percent = fields.optional_number("trainable_percent").value_or(100);
    if (!training.method.freeze && training.method.trainable_percent != 100)
        reading.fail(
            {"out_of_range", "training.trainable_percent", "full training trains 100 percent", "set method to freeze"});
    if (training.method.freeze && !fields.has("freeze"))
        reading.assume("training.frozen_layers", std::string("the first layers"),
                       "a frozen bottom keeps no activations");
}

}  // namespace

void read_method(Fields& top, Fields& fields, const Library& library, const ModelChoice& choice, TrainingInputs& inputs,
                 Reading& reading) {
    TrainingRequest& training = inputs.request;
    const bool fused = fuse_where_asked(fields, choice, inputs);
    using enum MethodKind;
    const MethodKind method = fields.pick("method", full, "all parameters are trained");
    read_towers(top, fields, library, choice.model, method, inputs, reading);
    const std::shared_ptr<const Model> built = inputs.built;
    const Model& model = built ? *built : choice.model;
    if (method == lora || method == dora || method == qlora)
        training.method.adapter = read_adapter(fields, model, fused, reading);
    if (method == oft)
        training.method.adapter = read_rotation(fields, model, fused, reading);
    else
        tell_unused(fields, {"oft"}, reading);
    const bool is_virtual = method == prompt || method == prefix;
    if (is_virtual)
        training.method.adapter = read_virtual_tokens(fields, model, method == prefix, reading);
    else
        tell_unused(fields, {"prompt"}, reading);
    place_in_towers(model, inputs);
    training.method.galore = method == galore;
    if (training.method.adapter) training.method.adapter->magnitudes = method == dora;
    training.method.freeze = method == freeze;
    read_frozen(fields, training, reading);
    read_precision(fields, inputs, reading);
    if (training.method.adapter) read_base(top, library, model, method == qlora, inputs, reading);
    if (training.method.adapter && training.method.adapter->start == AdapterStart::singular_vectors && inputs.weights)
        reading.fail({"not_supported", "training.lora.init",
                      "singular vectors are taken of matrices that are not packed",
                      "set method to lora, or init to olora or default"});
    if (inputs.precision.preallocated_gradients && !training.method.adapter)
        reading.assume("training.gradients_preallocated", true,
                       "mixed precision with master weights keeps one gradient buffer from step to step");
    // these build the model anew
    if (fields.has("freeze")) return read_trained_parts(fields, model, inputs, reading);
    if (training.method.adapter && !is_virtual && method != oft) read_adapter_kernels(fields, model, inputs, reading);
}

}  // namespace plimsoll
